#include "alcedo/report/html_parts.h"

namespace alcedo::internal {

// Quiet on purpose: one accent, rules only where they separate, figures of equal width.
const std::string_view kPageStyle = R"(
:root{color-scheme:light dark;--ink:#1c1c1a;--soft:#5f5f5a;--rule:#d9d8d2;--page:#fdfdfb;
--accent:#00598c;--best:#e8f1f7;--warn:#a33c00}
@media (prefers-color-scheme:dark){:root{--ink:#e5e4de;--soft:#a3a29b;--rule:#3a3a38;
--page:#161615;--accent:#7cc0ee;--best:#1d2f3b;--warn:#ff9d66}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:auto}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--ink);
font:1.0625rem/1.55 Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif}
h1{font-size:1.9rem;line-height:1.2;font-weight:600;margin:.5rem 0 .75rem;text-wrap:balance}
h2{font-size:1.35rem;line-height:1.3;font-weight:600;margin:3rem 0 .5rem;padding-top:.75rem;
border-top:1px solid var(--rule)}
h3{font-size:1.1rem;font-weight:600;margin:2rem 0 .25rem}
p,ul{max-width:44rem;margin:.5rem 0}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.15em}
.lead{font-size:1.15rem}
.soft,.note{color:var(--soft)}
.note{font-size:.95rem}
.warn{color:var(--warn)}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;max-width:none}
.box{overflow-x:auto;margin:1.25rem 0}
.box:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;font:.9rem/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums}
caption{text-align:left;font:600 1rem/1.4 Charter,"Bitstream Charter",Georgia,serif;
padding-bottom:.4rem;min-width:18rem}
caption span{display:block;max-width:min(44rem,calc(100vw - 2.5rem))}
caption .soft{font-weight:400}
th,td{padding:.3rem .8rem;text-align:left;vertical-align:baseline;font-weight:400}
thead th{border-bottom:1px solid var(--ink);font-weight:600;white-space:nowrap}
tbody tr+tr>*{border-top:1px solid var(--rule)}
tbody th{white-space:nowrap}
tbody th[scope=rowgroup]{font-weight:600;padding-top:.9rem;border-top:1px solid var(--ink)}
thead+tbody th[scope=rowgroup]{border-top:0}
table.results td,table.results thead th+th{text-align:right;min-width:7.25rem}
table.results th{min-width:5rem}
tbody th[scope=row]{position:sticky;left:0;background:var(--page)}
td{white-space:nowrap}
td.n,th.n{text-align:right}
td.choices{white-space:normal;min-width:5rem}
td.text{white-space:normal;min-width:14rem;max-width:34rem;overflow-wrap:anywhere}
td.best{background:var(--best)}
.ours{font-size:1.15rem}
td.best .ours{font-weight:650}
.pm,.paper,.others{color:var(--soft);font-size:.8rem;white-space:nowrap}
.paper,.others{display:block}
.below{color:var(--warn)}
figure{margin:1.5rem 0;min-width:0}
figure svg{display:block}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr));gap:1.75rem 2.5rem;
align-items:start;margin:1.25rem 0}
.figures figure{margin:0}
.wide{min-width:44rem;max-width:54rem}
.middling{min-width:36rem}
.alcedo-plot.alcedo-plot{background:none;color:inherit}
pre{overflow-x:auto;font:.8rem/1.5 ui-monospace,Menlo,Consolas,monospace;padding:.75rem 1rem;
border:1px solid var(--rule);max-width:100%}
summary{cursor:pointer}
@media (max-width:40rem){body{padding-top:.5rem}h1{font-size:1.6rem}.lead{font-size:1.0625rem}
th,td{padding:.3rem .45rem}
table{font-size:.8rem}table.results th,table.results td{padding:.3rem .22rem}
table.results th,table.results thead th+th{min-width:0}table.results td{min-width:4.1rem}
table.results .ours{font-size:1rem}table.results .pm{display:block}
table.results .pm,table.results .paper,table.results .others{font-size:.7rem;white-space:normal}}
@media print{body{max-width:none}nav{display:none}.box{overflow:visible}}
)";

}  // namespace alcedo::internal
