/** Pages about short links: what is the matter with one, and where one leads, for who looks before they leap. */
import { REPORT_REASONS } from '#contract/link-reports.ts';
import { type Html, html } from '#server/http/html.ts';
import type { Link } from './find-link.ts';

export type Words = { title: string; says: string };

export function wordsPage({ title, says }: Words): string {
  return pageOf(title, html`<p>${says}</p>`);
}

/** @param code as it stands in its address; @param by whose it is, as readers know them */
export function lookPage({ url, appLink }: Link, { code, by }: { code: string; by: string }): string {
  const { host } = new URL(url);
  return pageOf(
    'Where this link leads',
    html`<p class="host"><bdi>${host}</bdi></p>
<p class="address"><bdi>${url}</bdi></p>
<p>${appLink !== null && html`<bdi>${appLink.name}</bdi>, `}made by <bdi>${by}</bdi></p>
<p><a class="open" href="/l/${code}">Open the link</a></p>
<details><summary>Report this link</summary>
<form method="post" action="/l/${code}/report">
${Object.entries(REPORT_REASONS).map(([reason, says]) => html`<label><input type="radio" name="reason" value="${reason}" required> ${says}</label>`)}
<button>Send report</button>
</form></details>`,
  );
}

function pageOf(title: string, content: Html): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; overflow-wrap: anywhere; }
main { max-width: 26rem; padding: 2rem; text-align: center; }
h1 { font-size: 1.4rem; }
.host { font-size: 1.3rem; font-weight: 600; margin-bottom: 0; }
.address { margin-top: 0; opacity: .8; }
.open, button { display: inline-block; min-height: 2.75rem; padding: .5rem 1.25rem; border: 1px solid #1e6b4a; border-radius: .5rem; background: #1e6b4a; color: #fff; font: inherit; font-weight: 600; text-decoration: none; box-sizing: border-box; }
summary { min-height: 2.75rem; padding: .6rem 0; cursor: pointer; text-decoration: underline; list-style-position: inside; }
form { display: grid; gap: .25rem; text-align: left; }
label { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem; }
button { margin-top: .5rem; background: transparent; color: inherit; }
:focus-visible { outline: 3px solid #1e6b4a; outline-offset: 2px; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } :focus-visible { outline-color: #5cc596; } button { border-color: #5cc596; } }
</style>
</head>
<body><main><h1>${title}</h1>${content.text}</main></body>
</html>
`;
}
