"""The process behind a console: it runs Python for a window and tells what happens. docs/kernel.md has the protocol."""
