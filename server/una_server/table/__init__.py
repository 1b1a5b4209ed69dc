"""A table: seats, watchers, a match, its clocks and votes. Pure: commands and the time in, an outcome out."""
