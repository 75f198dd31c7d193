"""Turns files into checked and cleaned drafts; nothing is stored here.

`discovery` finds the files and picks an importer by content; `reading` opens text safely. A file that cannot be
imported raises ImportRefused with one sentence: what, where, and what to do.
"""
