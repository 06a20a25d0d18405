"""How the book is built: Markdown in, pages out, nothing loaded from outside.

`make book` calls `tools/build_book.py`, which builds it into a folder for this version.
"""

from parlour import __version__

project = "Parlour"
copyright = "the Parlour authors"  # noqa: A001  # Sphinx wants this name
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
exclude_patterns = ["build"]

html_theme = "furo"
html_title = f"Parlour {release}"
html_copy_source = False
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "versions.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {  # the colours of the web site: paper, ink and felt
    "light_css_variables": {
        "color-background-primary": "#fbf8f1",
        "color-background-secondary": "#f4efe3",
        "color-brand-primary": "#1f6045",
        "color-brand-content": "#1f6045",
        "color-brand-visited": "#1f6045",
    },
    "dark_css_variables": {
        "color-background-primary": "#1d1a16",
        "color-background-secondary": "#262219",
        "color-brand-primary": "#8cc9a9",
        "color-brand-content": "#8cc9a9",
        "color-brand-visited": "#8cc9a9",
    },
}
