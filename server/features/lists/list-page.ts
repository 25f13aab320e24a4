/** The page of a list: one answer, without script, on any phone; on paper it is a list to tick. */
import { createHash } from 'node:crypto';
import { byAisle } from '#contract/ingredients/aisles.ts';
import { compare, type Fraction, fraction, writeFraction } from '#contract/ingredients/fractions.ts';
import type { Pin } from '#server/features/pins/current-pins.ts';
import { LIST_PATH, MESSAGE_OF_LIST } from '#server/features/recipes/ingredients.ts';
import { type Html, html } from '#server/http/html.ts';
import { type Entry, type List, MOST_SERVINGS, MULTIPLES, type WorkedOut } from './lists.ts';
import { SCRIPT, STYLE } from './page-parts.ts';

export type Page = { html: string; policy: string };

/** `ticked`: ids; null: as the list begins. `says`: what went wrong with the last tap. */
export type Shown = {
  list: List;
  worked: WorkedOut;
  wanted: Fraction;
  ticked: ReadonlySet<string> | null;
  shops: readonly { id: string; name: string }[];
  /** Where shops deliver to, and the shopper's; null: nobody knows. */
  countries: readonly string[];
  country: string | null;
  disclosure: string | null;
  says: string | null;
  url: string;
  /** That led here. */
  message: string | null;
};

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export function listPage(shown: Shown): Page {
  const { list, worked, shops } = shown;
  const isEmpty = worked.entries.length === 0 && worked.unread.length === 0;
  const content = html`
<main>
<header>
${list.pictureUrl !== null && html`<img class="picture" src="${list.pictureUrl}" alt="" width="96" height="96" loading="lazy" referrerpolicy="no-referrer">`}
<div><h1><bdi>${list.name}</bdi></h1>
<p class="by">${list.pageUrl === null ? html`<bdi>${list.creatorName}</bdi>` : html`<a href="${list.pageUrl}">See the recipe</a> by <bdi>${list.creatorName}</bdi>`}</p></div>
</header>
${shown.says !== null && html`<p class="says" role="status">${shown.says}</p>`}
${isEmpty ? html`<p class="empty">This list has no ingredients yet.</p>` : formOf(shown)}
${list.steps.length > 0 && html`<section aria-labelledby="steps"><h2 id="steps">How to make it</h2><ol class="steps">${list.steps.map((step) => html`<li><bdi>${step}</bdi></li>`)}</ol></section>`}
${shown.disclosure !== null && shops.length > 0 && html`<p class="small">${shown.disclosure}</p>`}
<p class="paper">${shown.url}</p>
</main>`;
  return pageOf(list.name, list.language, list.pageUrl ?? shown.url, content, list.pictureUrl);
}

function formOf({ list, worked, wanted, ticked, shops, countries, country, message }: Shown): Html {
  const isTicked = (id: string, begins: boolean) => ticked?.has(id) ?? begins;
  const needed = worked.entries.filter(({ item }) => item.starts === 'ticked');
  const others = [
    { title: 'You may have these', of: 'pantry' },
    { title: 'Optional', of: 'optional' },
  ] as const;
  const ids = [...worked.entries, ...worked.unread].map(({ id }) => id);
  const entry = (one: Entry) => entryOf(one, isTicked(one.id, one.item.starts === 'ticked'));
  return html`
<form action="${LIST_PATH}/${list.code}">
<input type="hidden" name="k" value="${ids.join('.')}">
<input type="hidden" name="n" value="${writeFraction(wanted)}">
${message !== null && html`<input type="hidden" name="${MESSAGE_OF_LIST}" value="${message}">`}
${servingsOf(list, wanted)}
${byAisle(needed).map(({ name, entries }) => html`<section class="need"><h2>${name}</h2><ul>${entries.map(entry)}</ul></section>`)}
${
  worked.unread.length > 0 &&
  html`<section><h2>Please read</h2><p class="small">As the recipe says it${compare(wanted, fraction(list.servings ?? 1)) !== 0 && ', for its own servings'}.</p>
<ul>${worked.unread.map(({ id, text }) => row(id, isTicked(id, true), html`<bdi>${text}</bdi>`))}</ul></section>`
}
${others.map(({ title, of }) => {
  const entries = worked.entries.filter(({ item }) => item.starts === of);
  return entries.length > 0 && html`<section><h2>${title}</h2><ul>${entries.map(entry)}</ul></section>`;
})}
${countries.length > 0 && countryOf(countries, country)}
${shops.length > 0 && shopsOf(list, shops)}
<p class="tools" hidden><button type="button" data-do="print">Print</button><button type="button" data-do="share">Share</button><button type="button" data-do="copy">Copy list</button><span role="status"></span></p>
</form>`;
}

function servingsOf({ servings }: List, wanted: Fraction): Html {
  if (servings === null) {
    const names: Record<string, string> = { '1/2': '½×', '1': '1×', '2': '2×', '3': '3×' };
    return html`<fieldset class="servings"><legend>How much</legend>${MULTIPLES.map(
      (one) =>
        html`<button name="n" value="${one}" aria-pressed="${String(one === writeFraction(wanted))}">${names[one]!}</button>`,
    )}</fieldset>`;
  }
  const count = wanted.n;
  return html`<fieldset class="servings"><legend>Servings</legend>
<button name="n" value="${count - 1}" aria-label="One serving less" ${count <= 1 && 'disabled'}>−</button>
<output>${count}</output>
<button name="n" value="${count + 1}" aria-label="One serving more" ${count >= MOST_SERVINGS && 'disabled'}>+</button>
</fieldset>`;
}

function entryOf({ id, item, need, buy, pin }: Entry, isTicked: boolean): Html {
  const { food, parts, unmeasured, alternatives } = item;
  const sources = [...new Set([...parts.flatMap((part) => part.sources), ...unmeasured].map(({ text }) => text))];
  const unscaled = parts.some((part) => part.sources.some(({ hasOwnNumber }) => hasOwnNumber));
  return row(
    id,
    isTicked,
    html`${need !== '' && html`<b>${need}</b> `}<bdi>${food.name}</bdi>${buy !== null && html` <i>buy ${buy}</i>`}${pin !== null && pinnedProduct(pin)}`,
    html`<details><summary aria-label="What the recipe says of ${food.name}">i</summary><p>${sources.map((text) => html`<bdi>“${text}”</bdi> `)}${
      alternatives.length > 0 && `Or ${alternatives.map(({ name }) => name).join(', or ')}. `
    }${unscaled && 'Numbers in notes are for the recipe’s own servings.'}</p></details>`,
  );
}

/** A sponsor's product never stands without its word. */
export function pinnedProduct({ product, disclosure }: Pin): Html {
  return html`<small class="pin"><b>${disclosure}</b> <bdi>${product}</bdi></small>`;
}

function row(id: string, isTicked: boolean, label: Html, more: Html | null = null): Html {
  return html`<li><label><input type="checkbox" name="i" value="${id}"${isTicked && ' checked'}><span>${label}</span></label>${more}</li>`;
}

function countryOf(countries: readonly string[], country: string | null): Html {
  const named = new Intl.DisplayNames('en', { type: 'region' });
  const all = [...new Set([...countries, ...(country === null ? [] : [country])])]
    .map((code) => ({ code, name: named.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return html`<p class="country"><label for="c">Shopping in</label><select id="c" name="c">${country === null && html`<option value="" selected>Any country</option>`}${all.map(
    ({ code, name }) => html`<option value="${code}"${code === country && ' selected'}>${name}</option>`,
  )}</select><button>Change</button></p>`;
}

function shopsOf({ code }: List, [first, ...others]: Shown['shops']): Html {
  const button = (shop: { id: string; name: string }, tag: string) =>
    html`<button class="${tag}" formaction="${LIST_PATH}/${code}/go/${shop.id}">Shop at ${shop.name}</button>`;
  return html`<div class="shops">${button(first!, 'main')}${others.length > 0 && html`<details><summary>Other shops</summary>${others.map((shop) => button(shop, 'other'))}</details>`}</div>`;
}

/** @param says what it is, and what to do */
export function plainPage(title: string, says: string): Page {
  return pageOf(title, 'en', null, html`<main class="plain"><h1>${title}</h1><p>${says}</p></main>`, null);
}

export function pageOf(
  title: string,
  language: string,
  canonical: string | null,
  content: Html,
  picture: string | null,
  what = 'shopping list',
): Page {
  const page = html`
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta property="og:title" content="${title}: ${what}">
${picture !== null && html`<meta property="og:image" content="${picture}">`}
${canonical !== null && html`<link rel="canonical" href="${canonical}">`}`;
  return {
    policy: [
      "default-src 'none'",
      `style-src ${sha256(STYLE)}`,
      `script-src ${sha256(SCRIPT)}`,
      'img-src https: http:',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    html: `<!doctype html>
<html lang="${language}">
<head>${page.text}
<style>${STYLE}</style>
</head>
<body>${content.text}
<script>${SCRIPT}</script>
</body>
</html>
`,
  };
}
