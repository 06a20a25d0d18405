"""A page of the arena taken apart, to see what it says and that it is whole."""

from __future__ import annotations

from html.parser import HTMLParser

INLINE = {"strong", "span", "code"}
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """The tags, links and words of a page; a tag that is closed out of turn is refused."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}  # by the tag they stand in
        self.said = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.said += " " * (tag not in INLINE)

    def handle_startendtag(self, tag, attrs):  # as <rect/> in SVG
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.open:
            self.words.setdefault(self.open[-1], []).append(data)
            self.said += data * (self.open[-1] != "style")

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def links(self) -> list[str | None]:
        """What it refers to."""
        names = ("href", "src", "xlink:href", "action")
        return [attrs[name] for _, attrs in self.tags for name in names if name in attrs]

    @property
    def text(self) -> str:
        """All that can be read, on one line."""
        return " ".join(self.said.split())
