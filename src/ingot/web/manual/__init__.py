"""The manual: the pages of `docs`, rendered for `/help` and for files."""

from ingot.web.manual.contents import Hit, sections
from ingot.web.manual.contents import search as search_manual
from ingot.web.manual.page import Page, find_file, load_page

__all__ = ["Hit", "Page", "find_file", "load_page", "search_manual", "sections"]
