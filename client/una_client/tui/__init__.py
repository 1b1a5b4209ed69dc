"""The full-screen terminal game. Import it lazily: it brings prompt_toolkit along.

Pure parts (no thread, clock or terminal): the values `world`, `asks` and `model`; what changes them, `update`,
`actions` with the `acts_*`, `forms`, `menus`; what may be pressed, `keymap`, `keys`, `reasons`; what is shown,
`screens`, `expects`, `prompt`, `cards`, `hand`, `layout`, `theme`, `timing`; what is remembered, `story`, `logs`.
Parts that touch the world: `thread` (prompt_toolkit in a worker thread), `window` (the application), and on the trio
side `app` (the way around), `lookout` (the list of servers), `visit` and `offers` (one server), `favourites` and
`house_rules` (files).
"""
