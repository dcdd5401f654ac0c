"""How the page looks: light, dark and on paper, without anything fetched."""

from typing import Final

CSS: Final = """
:root { color-scheme: light dark; --paper: #fff; --around: #f3f5f8; --ink: #1b2430; --muted: #566272; --hair: #dfe4ea;
  --accent: #2459c9; --best: #1f6fd1; --middle: #8a6500; --worst: #c03a4a; --set3: #7a45b8; --soft: #aab4c0; }
@media (prefers-color-scheme: dark) { :root { --paper: #171c23; --around: #0f1318; --ink: #e4e9ef; --muted: #9aa7b5;
  --hair: #2c343e; --accent: #84aefc; --best: #6aa9ff; --middle: #dcae4a; --worst: #f08090; --set3: #c39af0;
  --soft: #55616f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--around); color: var(--ink);
  font: 15px/1.55 Inter, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 40px 56px 72px; background: var(--paper); }
h1 { font-size: 27px; line-height: 1.25; margin: 0 0 6px; }
h2 { font-size: 20px; margin: 44px 0 8px; padding-top: 18px; border-top: 1px solid var(--hair); break-after: avoid; }
h3 { font-size: 15px; margin: 28px 0 6px; break-after: avoid; overflow-wrap: anywhere; }
p { max-width: 48em; margin: 8px 0; }
.meta, figcaption, caption, .note { color: var(--muted); font-size: 13px; }
nav a { color: var(--accent); margin-right: 16px; }
figure { margin: 18px 0 24px; break-inside: avoid; }
figure svg { width: 100%; height: auto; display: block; }
.wide { overflow-x: auto; margin: 14px 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; width: 100%; }
caption { text-align: left; padding-bottom: 6px; }
th, td { padding: 5px 12px 5px 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--hair); }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; white-space: nowrap; }
th:first-child, .text { text-align: left; }
td { white-space: nowrap; } td.text { white-space: normal; overflow-wrap: anywhere; min-width: 13em; }
thead { display: table-header-group; } tr { break-inside: avoid; }
details { margin: 12px 0; } summary { cursor: pointer; color: var(--accent); }
svg text { font: 12px Inter, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .tick, svg .label { fill: var(--muted); } svg .tick { font-size: 11px; } svg .end { font-weight: 600; }
svg .grid { stroke: var(--hair); } svg .axis { stroke: var(--muted); }
svg .chance { stroke: var(--muted); stroke-dasharray: 5 4; }
svg .faint { fill: none; stroke: var(--soft); stroke-width: 1; opacity: .55; }
svg .strong { fill: none; stroke-width: 2.2; stroke-linejoin: round; } svg .band { opacity: .18; }
svg .range { stroke: var(--soft); stroke-width: 2.5; } svg .point { fill: var(--best); }
svg .whisker { stroke-width: 2; } svg .mixed { fill: var(--soft); } svg .apart { fill: var(--best); }
svg .strong.best, svg .strong.set0, svg .whisker.rule { stroke: var(--best); }
svg .strong.middle, svg .strong.set1, svg .whisker.seen { stroke: var(--middle); }
svg .strong.worst, svg .strong.set2, svg .whisker.tree { stroke: var(--worst); }
svg .strong.set3 { stroke: var(--set3); }
svg .band.best, svg .band.set0, svg .end.best, svg .end.set0, svg .mark.rule { fill: var(--best); }
svg .band.middle, svg .band.set1, svg .end.middle, svg .end.set1, svg .mark.seen { fill: var(--middle); }
svg .band.worst, svg .band.set2, svg .end.worst, svg .end.set2, svg .mark.tree { fill: var(--worst); }
svg .band.set3, svg .end.set3 { fill: var(--set3); }
@media (max-width: 760px) { main { padding: 24px 18px 60px; } figure { overflow-x: auto; }
  figure svg { min-width: 560px; } }
@media print { :root { color-scheme: light; --paper: #fff; --around: #fff; --ink: #1b2430; --muted: #566272;
  --hair: #dfe4ea; --best: #1f6fd1; --middle: #8a6500; --worst: #c03a4a; --set3: #7a45b8; --soft: #aab4c0; }
  main { padding: 0; max-width: none; } nav { display: none; } table { font-size: 10px; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  h2[id^="set-"] { break-before: page; border: 0; }
  @page { margin: 16mm; } }
"""
