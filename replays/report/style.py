"""How a report looks, on a screen and on paper."""

CSS = """
:root { --ink: #1c1b19; --soft: #5d5a54; --rule: #c9c4b8; --tint: #f5f2ea; --word: #8c1c13; }
* { box-sizing: border-box; }
html { background: #fff; color: var(--ink); }
body { max-width: 50rem; margin: 2.5rem auto 4rem; padding: 0 1.5rem; overflow-wrap: anywhere;
  font: 1rem/1.45 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, "DejaVu Serif", serif;
  font-variant-numeric: lining-nums; }
h1 { font-size: 2.1rem; line-height: 1.15; margin: 0 0 .2rem; font-weight: 600; letter-spacing: -.01em; }
.under { color: var(--soft); font-style: italic; margin: 0 0 1.4rem; }
h2 { font-size: 1.3rem; font-weight: 600; margin: 2.6rem 0 .8rem; padding-bottom: .25rem; border-bottom: 1.5px solid var(--ink); }
h3 { font-size: 1rem; font-weight: 600; font-style: italic; margin: 1.4rem 0 .45rem; }
dl.head { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; padding: .8rem 0;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; }
code { font: .82em/1.4 "DejaVu Sans Mono", Menlo, Consolas, monospace; }
ol.lines { list-style: none; margin: 0; padding: 0; }
ol.lines > li { display: grid; grid-template-columns: 2.1rem 4.4rem 1fr; margin: 0 0 .5rem; }
.seq { color: var(--soft); font-size: .8rem; line-height: 1.8; font-variant-numeric: tabular-nums; text-align: right; padding-right: .7rem; }
.said p { margin: 0; }
.by { color: var(--soft); font-size: .8rem; line-height: 1.8; font-style: italic; padding-right: .7rem; }
cite { color: #6f6b63; font-style: normal; font-size: .72rem; }
.sum { margin: .35rem 0 .2rem; padding: .35rem .7rem .4rem; background: var(--tint); border-left: 2px solid var(--rule); font-size: .9rem; }
.sum .what { font-weight: 600; }
.sum ul { list-style: none; margin: .1rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .05rem 1.1rem; }
.sum b { font-variant-numeric: tabular-nums; }
.sum .result { flex-basis: 100%; }
.sum .overruled, .word b:first-child { color: var(--word); }
.word { margin: .35rem 0; padding: .3rem .7rem; border: 1px solid var(--word); border-left-width: 4px; font-size: .95rem; }
table { border-collapse: collapse; width: 100%; margin: 1.2rem 0 0; font-size: .86rem; }
caption { text-align: left; font-style: italic; color: var(--soft); padding-bottom: .25rem; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--ink); padding: .15rem .7rem .15rem 0; white-space: nowrap; }
td { vertical-align: top; border-bottom: 1px solid var(--rule); padding: .25rem .7rem .25rem 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.who { font-weight: 600; min-width: 7.5rem; }
.track { display: block; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bar { width: 3.6rem; height: .55rem; margin-right: .4rem; vertical-align: baseline; }
.bar .edge { fill: #fff; stroke: var(--ink); } .bar .full { fill: var(--ink); }
.plot { display: block; width: 100%; height: auto; margin: .4rem 0 1rem; font: 10.5px Helvetica, Arial, "DejaVu Sans", sans-serif; }
.plot text { fill: var(--ink); } .plot .end { text-anchor: end; } .plot .middle { text-anchor: middle; }
.plot .grid { stroke: #dcd8ce; } .plot .zero { stroke: var(--ink); } .plot .round { stroke: #9a958a; stroke-dasharray: 1 3; }
.plot .line { fill: none; stroke-width: 1.7; } .plot .mark { fill: none; stroke-width: 1.6; }
.note { color: var(--soft); font-size: .88rem; font-style: italic; }
details summary { cursor: pointer; font-style: italic; color: var(--soft); margin-bottom: .8rem; }
del { color: var(--soft); text-decoration-thickness: 1px; }
ul.pages { columns: 2; column-gap: 2rem; margin: .2rem 0 0; padding: 0; list-style: none; font-size: .84rem; }
ul.pages li { break-inside: avoid; padding-left: 1rem; text-indent: -1rem; }
.entries { color: var(--soft); }
footer { margin-top: 3rem; padding-top: .6rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: .8rem; }
@media (max-width: 38rem) { body { padding: 0 .8rem; } ul.pages { columns: 1; } .wide { overflow-x: auto; } }
@page { margin: 17mm 16mm 19mm; @bottom-center { content: counter(page) " / " counter(pages); font: 8pt Georgia, serif; color: #5d5a54; } }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 9.6pt; orphans: 3; widows: 3; }
  h1, h2, h3, caption, .sum .what { break-after: avoid; }
  li, .sum, .word, tr, .plot, dl.head { break-inside: avoid; }
  table { break-inside: avoid; }
  thead { display: table-header-group; }
  .sum { background: none; }
  .bar, .plot { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; block-size: auto; opacity: 1; }
  summary { list-style: none; }
}
""".strip()
"""One sheet of style, written into the page."""
