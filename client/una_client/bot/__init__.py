"""Runs bots written as classes (`una_protocol.bot.Bot`) against any server: `una bot run MODULE:CLASS HOST`."""
