"""What the command line prints for people: one module for each kind of document."""
