"""How the book is built: Markdown in, pages out, nothing loaded from outside."""

project = "Parlour"
copyright = "the Parlour authors"  # noqa: A001  # Sphinx wants this name
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {"description": "Small games, exactly.", "font_size": "16px"}
autodoc_member_order = "bysource"
autodoc_typehints = "description"
exclude_patterns = ["build"]
