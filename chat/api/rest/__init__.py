"""What a program reads of the library and of its owner's turns, and what it may say about them."""
