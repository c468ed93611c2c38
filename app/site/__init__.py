"""
The documentation as pages for a browser: docs/*.md, the examples, and a page for every code.

Made from the files when first asked for, or all at once by `hotdice build-docs`; nothing is loaded
from elsewhere. `site.py` is where to begin.
"""
