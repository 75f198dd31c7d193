"""Ten articles by three compilers, one of them hostile: what HaluGate lets through and what it flags."""
