/** What the page of a list looks like, and the little that a script adds. */

export const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1f1c19,#f3f0ec);--muted:light-dark(#5e5851,#b9b2a9);--line:light-dark(#e5e1db,#37332e);--edge:light-dark(#8f887e,#7f786f);--bg:light-dark(#faf9f7,#141311);--card:light-dark(#fff,#1c1a18);--accent:light-dark(#1e6b4a,#5cc596);--on:light-dark(#fff,#0a2419)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1.0625rem/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:40rem;margin:0 auto;padding:1rem 1rem 2rem}
header{display:flex;gap:1rem;align-items:center}
.picture{width:6rem;height:6rem;flex:none;object-fit:cover;border-radius:.75rem;background:var(--line)}
h1{font-size:1.5rem;line-height:1.2;margin:0}
.by,.small{color:var(--muted);font-size:.9375rem;margin:.25rem 0 0}
a{color:var(--accent)}.by a{display:inline-block;padding:.6rem 0}
h2{font-size:1rem;margin:1.5rem 0 .5rem}
ul{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
li{display:flex;align-items:flex-start;border-bottom:1px solid var(--line)}ul>li:last-child{border-bottom:0}
label{display:flex;gap:.75rem;flex:1;padding:.65rem .75rem;min-height:2.75rem;cursor:pointer}
input[type=checkbox]{width:1.375rem;height:1.375rem;margin:.05rem 0 0;flex:none;accent-color:var(--accent)}
label:has(input:not(:checked)) span{color:var(--muted)}.need label:has(input:not(:checked)) span{text-decoration:line-through}
i{font-style:normal;color:var(--muted);white-space:nowrap}i:before{content:"· "}
small{display:block;color:var(--muted);font-size:.9375rem}.pin b{border:1px solid var(--edge);border-radius:.25rem;padding:0 .3rem;font-weight:600;font-size:.8125rem}
summary{cursor:pointer;list-style:none;min-width:2.75rem;min-height:2.75rem;display:grid;place-items:center;color:var(--muted)}
summary::-webkit-details-marker{display:none}
li summary{font:italic 1rem Georgia,serif}
li details[open]{flex-basis:100%}li:has(details[open]){flex-wrap:wrap}li details p{margin:0;padding:0 .75rem .75rem 2.9rem;color:var(--muted);font-size:.9375rem}
li details[open] summary{position:absolute;right:auto}li:has(details[open]) label{flex-basis:calc(100% - 3rem)}
.servings{display:flex;align-items:center;gap:.5rem;border:0;margin:1rem 0 0;padding:0}.servings button{padding:.25rem .75rem;white-space:nowrap}legend{float:left;margin-right:.75rem;padding:0}
.country{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:1.5rem 0 0}.country label{flex:1 0 100%;padding:0;min-height:0}.country select{flex:1 1 6rem;min-width:0;max-width:16rem}
button,select{font:inherit;min-height:2.75rem;min-width:2.75rem;padding:.25rem 1rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:var(--ink);cursor:pointer}
button[disabled]{opacity:.45;cursor:default}
button[aria-pressed=true],.main{background:var(--accent);color:var(--on);border-color:var(--accent);font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
output{min-width:2ch;text-align:center;font-weight:600}
.shops{position:sticky;bottom:0;margin:1.5rem -1rem 0;padding:.75rem 1rem;background:var(--bg);border-top:1px solid var(--line)}
.shops button{width:100%;margin-top:.5rem}.shops .main{margin:0;min-height:3.25rem}
.tools{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}.scripted{display:contents}.scripted[hidden]{display:none}
.says{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
section.days h2{margin-top:1rem}.days img{width:3rem;height:3rem;flex:none;object-fit:cover;border-radius:.5rem;margin:.5rem 0 .5rem .75rem;background:var(--line)}.days li{align-items:center}
.steps{padding-left:1.5rem}.steps li{display:list-item;border:0;padding:.35rem 0}
.row{flex:1;display:block;padding:.65rem .75rem;min-height:2.75rem}main>ul{margin-top:1rem}
dl.sums{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:1.5rem 0}dl.sums dd{margin:0;font-size:1.75rem;font-weight:600}
table{width:100%;border-collapse:collapse}th,td{padding:.5rem 0 .5rem .75rem;text-align:right;font-weight:400;border-bottom:1px solid var(--line)}tr :first-child{text-align:left;padding-left:0}
.plain{min-height:100vh;display:grid;place-content:center;text-align:center}
.paper{display:none}
@media print{body{background:#fff;color:#000;font-size:11pt}main{max-width:none;padding:0}.picture,.servings button,.shops,.country,.tools,.says,details{display:none}li:has(input:not(:checked)){display:none}ul,li{border:0}label{min-height:0;padding:.1rem 0}h2{margin:.6rem 0 .1rem}section{break-inside:avoid}.days{break-after:page}.days ul{columns:2}.days img{display:none}.paper{display:block;margin-top:1rem}form{columns:2;column-gap:2rem}}
`.trim();

/** Printing, sharing and copying need one; without it the page is whole. */
export const SCRIPT = `
(function(){var t=document.querySelector('.tools');if(!t)return;t.querySelector('.scripted').hidden=false;var s=t.querySelector('[role=status]');
var share=t.querySelector('[data-do=share]');if(!navigator.share)share.hidden=true;if(!navigator.clipboard)t.querySelector('[data-do=copy]').hidden=true;
t.addEventListener('click',function(e){var d=e.target.dataset.do;if(d==='print')print();
if(d==='share')navigator.share({title:document.title,url:document.querySelector('.paper').textContent}).catch(function(){});
if(d==='copy')navigator.clipboard.writeText([].map.call(document.querySelectorAll('li input:checked+span'),function(x){return x.textContent.trim()}).join('\\n')).then(function(){s.textContent=s.dataset.copied},function(){s.textContent=s.dataset.failed})})})();
`.trim();
