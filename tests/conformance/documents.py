"""Files as documents: their text, digest, title and format, or why they are skipped."""

import base64
import hashlib
import tempfile
from pathlib import Path

from acme_search.rag.contracts import DocumentId
from acme_search.rag.ingest import Skipped, Source, load_document

LONG = "word " * 2000
FILES: dict[str, str] = {
    "crlf.md": "\ufeff# Pump\r\n\r\ntext\rmore\n",
    "setext.md": "Two *lines*  \nof `one` &amp; [more](x) ![alt *text*](y)\n===\n",
    "quoted.md": "> # no\n\n- # nor\n\n```\n# nor\n```\n\n## Second\n\n# Yes \\* <b>x</b> #\n",
    "front.md": "---\ntitle: 'Stated'\nx: y\n---\n\ntext\n",
    "toml.md": '+++\ntitle = "Stated"\n+++\n\ntext\n',
    "both.mdx": "---\ntitle: Stated\n...\n# Shown\n",
    "no-front.md": "---\n\nnot front matter\n\n---\n# Shown\n",
    "far.md": f"{LONG}\n\n# Far\n",
    "reference.md": "# [Pump][p] [q]\n\n[p]: /x\n",
    "long-title.md": f"# {'title 水 ' * 90}\n",
    "emoji.md": "# 👩‍👩‍👧 𝒳 title\n\n😀\n",
    "none.md": "text\n",
    "over.rst": "=====\nTitle\n=====\n\nText\n",
    "under.rst": "..\n   comment\n\nShort\n--\n\nA title\n=======\n",
    "wide.rst": "水泵\n====\n",
    "code.py": "# no title\nx = 1\n",
    "plain.txt": "# no title\n",
    "LICENSE": "text",
    "a.b.TXT": "text",
    "dot.": "text",
    "blank.md": " \n\u200b\ufeff\n",
    "nothing.txt": "",
    "file.pdf": "no",
    "file.docx": "no",
    "sheet.xlsx": " \n",
}
PAGES = [
    "<h1>Pump <em>X2</em></h1><p>a</p><section><h3>Valve</h3>b</section>",
    "<title>T</title><body><script>no</script><p>kept<nav>no</nav></p><footer>no</footer>",
    "<div>menu</div><main><header><h1>T</h1></header><aside>note</aside></main><p>more",
    "<main> </main><p>text",
    "<header><nav>x</nav><h1>T</h1></header><p>a",
    "<div role=main>only <b>this</b></div>rest",
    "<title>Site</title><h1>Pump <code>__init__</code><a href=#p>¶</a></h1>",
    "<title>Site\n &amp; more</title><h2>x</h2>",
    "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d</p><p>e</p></ul>f",
    "<ol start=x><li>a</ol><ol start=007><li>b</ol><menu><li>c</menu>",
    "<pre class='language-py'><code>if  x:\n\n    y\n```\n</code></pre>",
    "<div class=highlight-js><div><pre>x\n</pre></div></div>"
    "<pre><code class=lang-none>y</code></pre>",
    "<p>call <code>__init__</code> <kbd>C</kbd> <samp><code>n</code></samp> <tt> ` </tt>",
    "<table><caption>Sizes</caption><tr><th>a|b<th>c<tr><td>1<br>2<td><p>x</p><p>y</p>"
    "<tr><td colspan=2>z</table>",
    "<table><tr><td colspan=0>a<td colspan=999>b<td colspan=3>c</table>",
    "<table><tr><td><h2>H</h2><p>a</p><td><table><tr><td>1<td>2</table></table>",
    "<p> a\n\t<b>b</b><i>c</i> d<br>e <br/> f</p>",
    "<p>a<br># no<br>```<br>~~~<br>&lt;div&gt;<br>====<br>---<p>b",
    "<h2>Vec&lt;T&gt; * __x a_b &amp;amp; C#</h2>",
    "<p>&#xD800;|&#0;|&#13;x|&eacute;|&nbsp;|</p><pre>a&#13;b</pre>",
    "<noscript><p>no</noscript><head><noscript><div>x</div></noscript></head><p>y",
    "<p hidden>no<p aria-hidden=true>no<p role=banner>no<p aria-hidden=false>yes",
    "<svg><title>icon</title><text>no</text></svg><math><mi>x</mi><mo>=</mo></math>",
    "<table>outside<tr><td>in</table><b><p>mis</b>nested</p><a>1<a>2</a>",
    "<frameset><frame></frameset>",
    "<p>👩‍👩‍👧 水泵 e\u0301 &#x1F600;</p><h1>😀</h1>",
    "<dl><dt>term<dd>text<dt>other<dd>more</dl><blockquote>said</blockquote><hr>",
]


def vectors() -> dict[str, object]:
    pages = {f"page-{number}.html": page for number, page in enumerate(PAGES, start=1)}
    with tempfile.TemporaryDirectory() as folder:
        named = {**FILES, **pages}
        return {"files": [_loaded(Path(folder), name, text) for name, text in named.items()]}


def _loaded(folder: Path, name: str, text: str) -> dict[str, object]:
    raw = text.encode()
    path = folder / name
    path.write_bytes(raw)
    source = Source(DocumentId(name), path, hashlib.sha256(raw).hexdigest())
    given = {"id": name, "raw": base64.b64encode(raw).decode(), "rawDigest": source.digest}
    document = load_document(source)
    if isinstance(document, Skipped):
        return {**given, "reason": document.reason, "detail": document.detail}
    return {
        **given,
        "text": document.text,
        "digest": document.digest,
        "title": document.title,
        "format": document.metadata["format"],
    }
