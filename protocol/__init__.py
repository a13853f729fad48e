"""The text on the wire: one file a protocol, each a table of commands over the session."""
