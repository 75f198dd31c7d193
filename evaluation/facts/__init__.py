"""How well facts are grounded before they are saved, and how well the scan finds what was planted."""
