"""Session, the public object, with its reads, writes and previews; running whole scripts."""
