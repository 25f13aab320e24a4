/**
 * Where somebody in an app's own browser lands first: it tries to open the right app, once, and always has the address itself as a
 * link. One answer of at most 8,000 bytes with nothing from elsewhere; without a script it is two links and a picture.
 */
import { APP_NAMES, type InAppBrowser } from '#contract/agents.ts';
import type { Opening } from '#contract/opening-rules.ts';
import { type Html, hashOf, html } from '#server/http/html.ts';

export type OpeningPage = {
  app: InAppBrowser;
  opening: Opening;
  /** An https one. */
  address: URL;
  /** What it leads to, in the creator's words. */
  title: string | null;
  /** Where to tell what became of it; null: nowhere. */
  tellAt: string | null;
  /** One attempt by itself in a tab for each of these. */
  key: string;
  /** What must be said of the link; null: nothing. */
  disclosure: string | null;
  /** Asks whether the app came up, for whoever tries it. */
  isTest?: boolean;
};

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1f1c19,#f3f0ec);--muted:light-dark(#5e5851,#b9b2a9);--edge:light-dark(#8f887e,#7f786f);--bg:light-dark(#faf9f7,#141311);--card:light-dark(#fff,#1c1a18);--accent:light-dark(#1e6b4a,#5cc596);--on:light-dark(#fff,#0a2419)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1.0625rem/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:1.5rem 1rem 2rem;display:flex;flex-direction:column;gap:.75rem}
h1{font-size:1.375rem;line-height:1.25;margin:0}
p{margin:0}.small{color:var(--muted);font-size:.9375rem}
a,button{font:inherit;display:grid;place-items:center;text-align:center;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:var(--ink);text-decoration:none;cursor:pointer}
.main{min-height:3.25rem;background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}
[hidden]{display:none}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.menu{display:flex;gap:1rem;align-items:center;padding:1rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--card)}
.stayed .menu{border:2px solid var(--accent)}
.menu svg{flex:none;width:4.5rem;height:auto}
`.trim();

/** A tab that cannot remember tries nothing by itself: it might do so for ever. */
const SCRIPT = `
(function(){var m=document.querySelector('main'),all=JSON.parse(m.dataset.attempts),open=document.getElementById('open'),copy=document.getElementById('copy'),says=document.querySelector('[role=status]');
var taps=all.filter(function(a){return a.start==='tap'}),next=0,told=false,trying=false,first=false;
function tell(w){if(told||!m.dataset.tell)return;told=true;try{navigator.sendBeacon(m.dataset.tell+w)}catch(e){}}
function gone(){if(trying){trying=false;tell('opened')}}
addEventListener('pagehide',gone);
document.addEventListener('visibilitychange',function(){if(document.visibilityState==='hidden')gone()});
function stayed(){document.body.className='stayed';m.append(m.querySelector('.small'));open&&open.after(m.querySelector('.menu'))}
function go(a){trying=true;setTimeout(function(){if(!trying)return;trying=false;tell('stayed');stayed();says.textContent=m.dataset.stayed},2500);
if(a.by==='window')window.open(a.href);else location.href=a.href}
if(open&&taps.length)open.addEventListener('click',function(e){e.preventDefault();go(taps[next++%taps.length])});
document.getElementById('here').addEventListener('click',function(){trying=false;tell('stayed')});
if(navigator.clipboard){copy.hidden=false;copy.addEventListener('click',function(){navigator.clipboard.writeText(document.getElementById('here').href).then(function(){says.textContent='Link copied'},function(){says.textContent='Copying didn’t work here'})})}
try{first=!sessionStorage.getItem(m.dataset.key);sessionStorage.setItem(m.dataset.key,'1')}catch(e){}
if(all[0]&&all[0].start==='auto'&&first)go(all[0]);else stayed()})();
`.trim();

/** What somebody who tries it saw; another attempt after an answer is another test. */
const TEST_SCRIPT = `
(function(){var m=document.querySelector('main'),says=document.querySelector('[role=status]');
document.querySelectorAll('[data-answer]').forEach(function(b){b.addEventListener('click',function(){
says.textContent=navigator.sendBeacon(m.dataset.tell+b.dataset.answer)?'Saved. You can close this page.':'That could not be saved. Try again.'})})})();
`.trim();

const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)} ${hashOf(TEST_SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function openingPage(page: OpeningPage): { html: string; policy: string } {
  const { opening, address, title, disclosure, isTest = false } = page;
  const { attempts, target } = opening;
  const where = target === null ? 'your browser' : `the ${target.name} app`;
  // Without a script each tap is the first attempt that needs one.
  const open = attempts.find(({ start }) => start === 'tap') ?? attempts[0];
  const says = open === undefined ? `Opens best in ${where}` : `Opens ${target === null ? 'in ' : ''}${where}`;
  const told = attempts.map(({ href, by, start }) => ({ href, by, start }));
  const content = html`
<main data-attempts="${JSON.stringify(told)}" data-key="opened ${page.key}" data-tell="${page.tellAt ?? ''}" data-stayed="Still here? Use the app’s own menu.">
<h1>${title === null ? says : html`<bdi>${title}</bdi>`}</h1>
${title !== null && html`<p>${says}</p>`}
${open !== undefined && html`<a id="open" class="main" href="${open.href}" rel="noreferrer">Open ${target === null ? 'in ' : ''}${where}</a>`}
<a id="here"${open === undefined && html` class="main"`} href="${address.href}">Continue here</a>
<button id="copy" hidden>Copy link</button>
${isTest && html`<p><b>Did ${target === null ? 'your browser' : `the ${target.name} app`} open?</b></p><button data-answer="worked">Yes</button><button data-answer="failed">No</button>`}
<p role="status"></p>
${menuOf(page)}
${disclosure !== null && html`<p>${disclosure}</p>`}
<p class="small">This link leads to <b>${address.hostname}</b>.</p>
</main>`;
  return {
    policy: POLICY,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${html`<title>${title ?? says}</title>`.text}
<style>${STYLE}</style>
</head>
<body>${content.text}
<script>${SCRIPT}</script>${isTest ? `\n<script>${TEST_SCRIPT}</script>` : ''}
</body>
</html>
`,
  };
}

const SIGNS: Record<Opening['menu']['sign'], { name: string; drawn: Html }> = {
  dots: { name: 'the three dots', drawn: html`<path d="M-4 0h0M0 0h0M4 0h0"/>` },
  dots_below_each_other: { name: 'the three dots', drawn: html`<path d="M0-4v0M0 0v0M0 4v0"/>` },
  arrow: { name: 'the arrow', drawn: html`<path d="M-3 3 3-3M-2-3h5v5" stroke-width="1.5"/>` },
};

/** A phone with the place to tap. */
function menuOf({ app, opening: { menu } }: OpeningPage): Html {
  const { name, drawn } = SIGNS[menu.sign];
  const isTop = menu.corner === 'top';
  return html`<div class="menu"><svg viewBox="0 0 72 120" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><rect x="2" y="2" width="68" height="116" rx="10"/><path d="M10 ${isTop ? 28 : 92}h52" opacity=".4"/><g transform="translate(55 ${isTop ? 15 : 105})"><circle r="9" stroke="var(--accent)"/>${drawn}</g></svg><p>To leave ${APP_NAMES[app]}, tap ${name} at the ${menu.corner} right, then <b>“${menu.entry}”</b>.</p></div>`;
}
