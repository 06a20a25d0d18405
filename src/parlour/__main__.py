"""`python -m parlour` is `parlour`."""

from parlour.faces.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
