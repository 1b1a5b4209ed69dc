"""The network side of the server: connections, frames and their limits. It knows no card, no table and no session."""
