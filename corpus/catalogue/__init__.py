"""Lectures and works as readers find them: lists, pages, media, addresses, titles, glossary."""
