"""Example fights as scripts, and a program that checks drawn dice without Affray."""
