"""The full-screen terminal game. Import it lazily: it brings prompt_toolkit along.

Pure parts (no thread, clock or terminal): `layout` `theme` `cards` `hand` `model` `update` `keys` `prompt` `screens`.
Parts that touch the world: `thread` (prompt_toolkit in a worker thread), `window` (the application), `app` (trio side).
"""
