"""Questions about sessions, tables and campaigns that workers answer, and the answers that are kept."""
