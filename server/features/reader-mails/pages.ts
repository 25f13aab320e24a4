/** Pages behind the links of a mail: in the creator's name, without a login, on any phone, without script too. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '#server/platforms/email/letter.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import { COME_BACK } from './confirmations.ts';
import type { Cookbook, Done, Entry } from './cookbook.ts';

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
export function confirmPage(creatorName: string, { asks }: { asks: boolean }): string {
  const name = nameHtml(creatorName);
  return page(creatorName, {
    title: asks ? 'One more tap' : 'Get new recipes by email?',
    says: asks
      ? `Press the button to get new recipes from ${name}.`
      : `You’ll get new recipes from ${name}. You can unsubscribe at any time.`,
    form: `<input type="hidden" name="how" value="pressed"><button type="submit">Yes, send me new recipes</button>`,
    script: asks ? '' : `<script>${SCRIPT}</script>`,
  });
}

export function confirmedPage(creatorName: string): string {
  return page(creatorName, {
    title: 'You’re signed up',
    says: `New recipes from ${nameHtml(creatorName)} will come to your inbox. You can unsubscribe at any time.`,
  });
}

export function oldLinkPage(creatorName: string): string {
  return page(creatorName, {
    title: 'This link has expired',
    says: 'It worked for 30 days. To get new recipes, sign up again on the blog.',
  });
}

/** @param mayReturn they unsubscribed themselves, and may take that back */
export function leftPage(creatorName: string, { mayReturn }: { mayReturn: boolean }): string {
  const name = nameHtml(creatorName);
  return page(creatorName, {
    title: mayReturn ? 'You unsubscribed' : 'You won’t get new recipes',
    says: mayReturn ? `Do you want new recipes from ${name} again?` : `${name} won’t send you newsletters.`,
    ...(mayReturn && {
      form: `<input type="hidden" name="how" value="pressed"><button type="submit">${COME_BACK}</button>`,
    }),
  });
}

export function unsubscribePage(creatorName: string): string {
  return page(creatorName, {
    title: 'Unsubscribe?',
    says: `You won’t get new recipes from ${nameHtml(creatorName)} anymore. Recipes you save yourself will still be sent to you.`,
    form: '<button type="submit">Unsubscribe</button>',
  });
}

export function unsubscribedPage(creatorName: string): string {
  return page(creatorName, {
    title: 'You’re unsubscribed',
    says: `You won’t get new recipes from ${nameHtml(creatorName)} anymore.`,
  });
}

export function notMePage(creatorName: string): string {
  return page(creatorName, {
    title: 'Stop all emails?',
    says: `Someone entered your email address on the blog of ${nameHtml(creatorName)}. If it wasn’t you, stop all emails to it.`,
    form: '<button type="submit">Stop all emails</button>',
  });
}

export function notMeDonePage(creatorName: string): string {
  return page(creatorName, {
    title: 'All emails stopped',
    says: `${nameHtml(creatorName)} won’t write to this address again.`,
  });
}

const DONE: Record<NonNullable<Done>['what'], (title: string) => string> = {
  sent: (title) => `${title} is on its way. Look in your inbox, and in spam.`,
  already_sent: (title) => `We sent ${title} a minute ago. Look in your inbox, and in spam.`,
  later: () => 'Many emails went to your address already. This one comes with the next, within an hour.',
  taken_out: (title) => `${title} is out of your cookbook. Save it on the blog to have it back.`,
};

export function cookbookPage(creatorName: string, { entries, sends }: Cookbook, done: Done): string {
  const name = nameHtml(creatorName);
  const note = done === null ? '' : `<p class="note" role="status">${DONE[done.what](titleHtml(done.title))}</p>`;
  const isEmpty = entries.length === 0;
  return page(creatorName, {
    kind: 'list',
    title: 'Your cookbook',
    says: isEmpty
      ? `Your cookbook is empty. Recipes from ${name} that you save on the blog, or ask for in a DM, are kept here.`
      : `Recipes from ${name} that you saved on the blog or asked for in a DM.`,
    rest: `${note}${isEmpty ? '' : `<ul>${entries.map((entry) => entryHtml(entry, sends)).join('')}</ul>`}`,
  });
}

function entryHtml({ id, page: { title, pictureUrl, recipe }, url }: Entry, sends: boolean): string {
  const picture = pictureUrl?.startsWith('https:')
    ? `<img src="${escapeHtml(pictureUrl)}" alt="" width="72" height="72" loading="lazy">`
    : '';
  const heading = `<h2 dir="auto"><a href="${escapeHtml(url)}" rel="noreferrer">${titleHtml(recipe?.name || title)}</a></h2>`;
  const again = sends ? '<button name="act" value="again">Send it again</button>' : '';
  const out = '<button name="act" value="out" class="quiet">Take out</button>';
  return `<li>${picture}<div>${heading}<form method="post"><input type="hidden" name="entry" value="${id}">${again}${out}</form></div></li>`;
}

export function unknownPage(): string {
  return page(null, {
    title: 'This link doesn’t work',
    says: 'It may be incomplete. Open it from the email again.',
  });
}

/** Of the tripwire, for a person who got there all the same. */
export function nothingPage(): string {
  return page(null, { title: 'Nothing to do here', says: 'You can close this page.' });
}

/** Of mails that were sent or shown to try them. */
export function samplePage(): string {
  return page(null, { title: 'This was a test', says: 'In a real email, this link works.' });
}

function nameHtml(creatorName: string): string {
  return `<bdi>${escapeHtml(oneLine(creatorName, 80))}</bdi>`;
}

function titleHtml(title: string): string {
  return `<bdi>${escapeHtml(oneLine(title, LONGEST_TITLE))}</bdi>`;
}

type Content = { kind?: 'list'; title: string; says: string; rest?: string; form?: string; script?: string };

function page(creatorName: string | null, { kind, title, says, rest = '', form, script = '' }: Content): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><main${kind === undefined ? '' : ` class="${kind}"`}>${creatorName === null ? '' : `<p class="creator">${nameHtml(creatorName)}</p>`}<h1>${title}</h1><p>${says}</p>${form === undefined ? '' : `<form method="post">${form}</form>`}${rest}</main>${script}</body>
</html>
`;
}
