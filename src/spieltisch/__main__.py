"""`python -m spieltisch` is `spieltisch`."""

from spieltisch.cli import main

if __name__ == "__main__":
    main()
