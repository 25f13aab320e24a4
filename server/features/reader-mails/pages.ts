/** Pages behind the links of a mail: in the creator's name, without a login, on any phone, without script too. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '#server/platforms/email/letter.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import type { Cookbook, Done, Entry } from './cookbook.ts';
import type { CookbookWords, SpokenWords } from './page-words.ts';

const LONGEST_TITLE = 150;

const STYLE = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { box-sizing: border-box; width: 100%; max-width: 28rem; padding: 2rem 1.25rem; text-align: center; overflow-wrap: anywhere; }
.creator { font-weight: 600; margin: 0 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
button { min-height: 48px; padding: 0.5rem 1.5rem; border: 0; border-radius: 8px; background: #1e6b4a; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid currentcolor; outline-offset: 3px; }
.list { max-width: 36rem; align-self: start; text-align: start; }
.list ul { list-style: none; margin: 1.5rem 0 0; padding: 0; }
.list li { display: flex; gap: 1rem; padding: 1rem 0; border-top: 1px solid #8886; }
.list li > div { flex: 1; min-width: 0; }
.list img { width: 4.5rem; height: 4.5rem; flex: none; object-fit: cover; border-radius: 8px; }
.list h2 { font-size: 1.1rem; line-height: 1.3; margin: 0 0 0.5rem; }
.list a { color: inherit; }
.list form { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.list button { padding: 0.25rem 0.6rem; font-size: 1rem; }
.list .quiet { background: none; color: inherit; box-shadow: inset 0 0 0 1px #888; }
.note { padding: 0.75rem 1rem; border-radius: 8px; background: #1e6b4a22; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } }
`;

/** Says that somebody looks at the page, once it is visible and has the focus for 0.7 s. Programs that say so say nothing. */
const SCRIPT = `
(() => {
  const form = document.forms[0];
  if (navigator.webdriver) return;
  let looks = 0;
  const timer = setInterval(() => {
    looks = document.visibilityState === 'visible' && document.hasFocus() ? looks + 1 : 0;
    if (looks < 7) return;
    clearInterval(timer);
    form.elements.how.value = 'opened';
    form.submit();
  }, 100);
  form.addEventListener('submit', () => clearInterval(timer));
})();
`;

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing from elsewhere, nothing inline but these two. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${sha256(STYLE)}`,
  `script-src ${sha256(SCRIPT)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** With pictures of the blog. */
export const COOKBOOK_POLICY = `${PAGE_POLICY}; img-src https:`;

/** @param asks the press; else a look will do */
export function confirmPage(words: SpokenWords, creatorName: string, { asks }: { asks: boolean }): string {
  return page(words, creatorName, {
    ...(asks ? words.press : words.confirm),
    form: pressed(words.confirm.button),
    script: asks ? '' : `<script>${SCRIPT}</script>`,
  });
}

export function confirmedPage(words: SpokenWords, creatorName: string): string {
  return page(words, creatorName, words.confirmed);
}

export function oldLinkPage(words: SpokenWords, creatorName: string): string {
  return page(words, creatorName, words.oldLink);
}

/** @param mayReturn they unsubscribed themselves, and may take that back */
export function leftPage(words: SpokenWords, creatorName: string, { mayReturn }: { mayReturn: boolean }): string {
  if (!mayReturn) return page(words, creatorName, words.left);
  return page(words, creatorName, { ...words.mayReturn, form: pressed(words.mayReturn.button) });
}

export function unsubscribePage(words: SpokenWords, creatorName: string): string {
  return page(words, creatorName, { ...words.unsubscribe, form: button(words.unsubscribe.button) });
}

export function unsubscribedPage(words: SpokenWords, creatorName: string): string {
  return page(words, creatorName, words.unsubscribed);
}

export function notMePage(words: SpokenWords, creatorName: string): string {
  return page(words, creatorName, { ...words.notMe, form: button(words.notMe.button) });
}

export function notMeDonePage(words: SpokenWords, creatorName: string): string {
  return page(words, creatorName, words.notMeDone);
}

export function cookbookPage(
  words: SpokenWords,
  creatorName: string,
  { entries, sends }: Cookbook,
  done: Done,
): string {
  const { title, says, empty, done: doneWords } = words.cookbook;
  const note = done === null ? '' : `<p class="note" role="status">${doneWords[done.what](titleHtml(done.title))}</p>`;
  const isEmpty = entries.length === 0;
  const list = isEmpty ? '' : `<ul>${entries.map((entry) => entryHtml(words.cookbook, entry, sends)).join('')}</ul>`;
  return page(words, creatorName, { kind: 'list', title, says: isEmpty ? empty : says, rest: `${note}${list}` });
}

function entryHtml(
  words: CookbookWords,
  { id, page: { title, pictureUrl, recipe }, url }: Entry,
  sends: boolean,
): string {
  const picture = pictureUrl?.startsWith('https:')
    ? `<img src="${escapeHtml(pictureUrl)}" alt="" width="72" height="72" loading="lazy">`
    : '';
  const heading = `<h2 dir="auto"><a href="${escapeHtml(url)}" rel="noreferrer">${titleHtml(recipe?.name || title)}</a></h2>`;
  const again = sends ? `<button name="act" value="again">${words.again}</button>` : '';
  const out = `<button name="act" value="out" class="quiet">${words.takeOut}</button>`;
  return `<li>${picture}<div>${heading}<form method="post"><input type="hidden" name="entry" value="${id}">${again}${out}</form></div></li>`;
}

export function unknownPage(words: SpokenWords): string {
  return page(words, null, words.unknown);
}

/** Of the tripwire, for a person who got there all the same. */
export function nothingPage(words: SpokenWords): string {
  return page(words, null, words.nothing);
}

/** Of mails that were sent or shown to try them. */
export function samplePage(words: SpokenWords): string {
  return page(words, null, words.sample);
}

function button(label: string): string {
  return `<button type="submit">${label}</button>`;
}

function pressed(label: string): string {
  return `<input type="hidden" name="how" value="pressed">${button(label)}`;
}

function nameHtml(creatorName: string): string {
  return `<bdi>${escapeHtml(oneLine(creatorName, 80))}</bdi>`;
}

function titleHtml(title: string): string {
  return `<bdi>${escapeHtml(oneLine(title, LONGEST_TITLE))}</bdi>`;
}

type Content = {
  kind?: 'list';
  title: string;
  says: (name: string) => string;
  rest?: string;
  form?: string;
  script?: string;
};

function page(
  { language }: SpokenWords,
  creatorName: string | null,
  { kind, title, says, rest = '', form, script = '' }: Content,
): string {
  const name = creatorName === null ? '' : nameHtml(creatorName);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><main${kind === undefined ? '' : ` class="${kind}"`}>${creatorName === null ? '' : `<p class="creator">${name}</p>`}<h1>${title}</h1><p>${says(name)}</p>${form === undefined ? '' : `<form method="post">${form}</form>`}${rest}</main>${script}</body>
</html>
`;
}
