"""`una learn`: ten short lessons. The client is the real one, at a scripted table that speaks the protocol."""
