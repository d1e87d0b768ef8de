"""What kind of text a file holds, by its name."""

from pathlib import PurePath

MARKDOWN = {".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd"}
RST = {".rst", ".rest"}
HTML = {".html", ".htm", ".xhtml", ".xht"}
OFFICE = {".pdf", ".docx", ".pptx", ".xlsx", ".epub"}
CODE = set(
    ".astro .awk .bash .bat .bzl .c .cc .cfg .clj .cmake .coffee .conf .cpp .cs .css .csv .cu"
    " .cxx .d .dart .diff .el .elm .erl .ex .exs .f90 .fish .fs .gd .go .gql .gradle .graphql"
    " .groovy .h .hcl .hh .hpp .hrl .hs .hxx .ini .ipynb .j2 .java .jinja .jl .js .json .json5"
    " .jsonc .jsonl .jsx .kt .kts .less .lisp .lua .m .mjs .mk .ml .mli .mm .nim .nix .patch"
    " .php .pl .pm .properties .proto .ps1 .pxd .py .pyi .pyx .r .rb .rs .sass .scala .scm .scss"
    " .sh .sol .sql .svelte .svg .swift .tcl .tf .toml .ts .tsv .tsx .vb .vim .vue .xml .yaml"
    " .yml .zig .zsh".split()
)
CODE_NAMES = {"brewfile", "dockerfile", "gemfile", "jenkinsfile", "justfile", "makefile"}


def format_of(name: str) -> str:
    """Return `markdown`, `rst`, `html`, `office`, `code`, or `text` for all other names."""
    path = PurePath(name.lower())
    suffix = path.suffix
    for kind, suffixes in (("markdown", MARKDOWN), ("rst", RST), ("html", HTML), ("code", CODE)):
        if suffix in suffixes:
            return kind
    if suffix in OFFICE:
        return "office"
    return "code" if path.name in CODE_NAMES else "text"
