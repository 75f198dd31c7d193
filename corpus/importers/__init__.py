"""From files to drafts: what a file says, checked and cleaned, before anything is stored.

`discovery` finds the files and picks the reader by what they hold; `timed`, `plain`, `tables` and `verses` read them;
`reading` opens text safely. A file that cannot be taken raises Refused with one sentence that says what, where, and
what to do.
"""
