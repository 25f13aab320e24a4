/** The page of a list: one answer, without script, on any phone; on paper it is a list to tick. */
import { type Fraction, writeFraction } from '#contract/ingredients/fractions.ts';
import type { Pin } from '#server/features/pins/current-pins.ts';
import { LIST_PATH, MESSAGE_OF_LIST } from '#server/features/recipes/ingredients.ts';
import { onlyFor } from '#server/features/recipes/locks.ts';
import { type Html, hashOf, html } from '#server/http/html.ts';
import { type Row, sectionsOf, type Wanted } from './list-sections.ts';
import { type Entry, type List, MOST_SERVINGS, MULTIPLES } from './lists.ts';
import { SCRIPT, STYLE } from './page-parts.ts';
import { daysOf } from './plan-days.ts';
import type { ListWords } from './words/list-words.ts';
import { pageLanguage } from './words/page-language.ts';

/** Behind a list's address. */
export const LIST_PDF = 'list.pdf';

export type Page = { html: string; policy: string };

/** `says`: what went wrong with the last tap. */
export type Shown = Wanted & {
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

export function listPage(shown: Shown): Page {
  const { list, worked, shops } = shown;
  const { words } = pageLanguage(list.language);
  const isEmpty = worked.entries.length === 0 && worked.unread.length === 0;
  const content = html`
<main>
<header>
${list.pictureUrl !== null && html`<img class="picture" src="${list.pictureUrl}" alt="" width="96" height="96" loading="lazy" referrerpolicy="no-referrer">`}
<div><h1><bdi>${list.name}</bdi></h1>
<p class="by">${list.pageUrl === null ? html`<bdi>${list.creatorName}</bdi>` : html`<a href="${list.pageUrl}">${words.seeTheRecipe}</a> ${words.by} <bdi>${list.creatorName}</bdi>`}</p></div>
</header>
${shown.says !== null && html`<p class="says" role="status">${shown.says}</p>`}
${list.kind === 'plan' && daysOf(list.plan, list.language)}
${isEmpty ? html`<p class="empty">${list.lockedFor === null ? words.nothingYet : lockedWords(list, words)}</p>` : formOf(shown)}
${list.steps.length > 0 && html`<section aria-labelledby="steps"><h2 id="steps">${words.howToMake}</h2><ol class="steps">${list.steps.map((step) => html`<li><bdi>${step}</bdi></li>`)}</ol></section>`}
${shown.disclosure !== null && shops.length > 0 && html`<p class="small">${shown.disclosure}</p>`}
<p class="paper">${shown.url}</p>
</main>`;
  return pageOf(
    list.name,
    list.language,
    list.pageUrl ?? shown.url,
    content,
    list.pictureUrl,
    list.kind === 'plan' ? words.mealPlan : null,
  );
}

function lockedWords({ lockedFor, pageUrl }: List, words: ListWords): Html {
  const read = words.readItOnTheBlog;
  return html`${onlyFor(lockedFor!, words)} ${pageUrl === null ? read : html`<a href="${pageUrl}">${read}</a>`}`;
}

function formOf(shown: Shown): Html {
  const { list, worked, wanted, shops, countries, country, message } = shown;
  const { words } = pageLanguage(list.language);
  const ids = [...worked.entries, ...worked.unread].map(({ id }) => id);
  return html`
<form action="${LIST_PATH}/${list.code}">
<input type="hidden" name="k" value="${ids.join('.')}">
<input type="hidden" name="n" value="${writeFraction(wanted)}">
${message !== null && html`<input type="hidden" name="${MESSAGE_OF_LIST}" value="${message}">`}
${servingsOf(words, list, wanted)}
${sectionsOf(shown).map(({ title, note, isNeeded, rows }) => html`<section${isNeeded && html` class="need"`}><h2>${title}</h2>${note !== null && html`<p class="small">${note}</p>`}<ul>${rows.map((one) => rowOf(words, one))}</ul></section>`)}
${countries.length > 0 && countryOf(list, countries, country)}
${shops.length > 0 && shopsOf(words, list, shops)}
<p class="tools"><button formaction="${LIST_PATH}/${list.code}/${LIST_PDF}">PDF</button><span class="scripted" hidden><button type="button" data-do="print">${words.print}</button><button type="button" data-do="share">${words.share}</button><button type="button" data-do="copy">${words.copy}</button><span role="status" data-copied="${words.copied}" data-failed="${words.notCopied}"></span></span></p>
</form>`;
}

function servingsOf(words: ListWords, { kind, servings }: List, wanted: Fraction): Html {
  if (servings === null) {
    const names: Record<string, string> = { '1/2': '½×', '1': '1×', '2': '2×', '3': '3×', '4': '4×' };
    return html`<fieldset class="servings"><legend>${words.howMuch}</legend>${MULTIPLES[kind].map(
      (one) =>
        html`<button name="n" value="${one}" aria-pressed="${String(one === writeFraction(wanted))}">${names[one]!}</button>`,
    )}</fieldset>`;
  }
  const count = wanted.n;
  return html`<fieldset class="servings"><legend>${words.servings}</legend>
<button name="n" value="${count - 1}" aria-label="${words.oneLess}" ${count <= 1 && 'disabled'}>−</button>
<output>${count}</output>
<button name="n" value="${count + 1}" aria-label="${words.oneMore}" ${count >= MOST_SERVINGS && 'disabled'}>+</button>
</fieldset>`;
}

function rowOf(words: ListWords, { id, isTicked, text, entry }: Row): Html {
  const label = entry === null ? html`<bdi>${text}</bdi>` : labelOf(words, entry);
  return html`<li><label><input type="checkbox" name="i" value="${id}"${isTicked && ' checked'}><span>${label}</span></label>${entry !== null && sourcesOf(words, entry)}</li>`;
}

function labelOf(words: ListWords, { item, need, buy, pin, note }: Entry): Html {
  return html`${need !== '' && html`<b>${need}</b> `}<bdi>${item.food.name}</bdi>${buy !== null && html` <i>${words.buy(buy)}</i>`}${pin !== null && pinnedProduct(pin)}${productOf(item)}${note !== '' && html`<small><bdi>${note}</bdi></small>`}`;
}

function sourcesOf(words: ListWords, { item: { food, parts, unmeasured, alternatives } }: Entry): Html {
  const sources = [...new Set([...parts.flatMap((part) => part.sources), ...unmeasured].map(({ text }) => text))];
  const unscaled = parts.some((part) => part.sources.some(({ hasOwnNumber }) => hasOwnNumber));
  return html`<details><summary aria-label="${words.whatTheRecipeSaysOf(food.name)}">i</summary><p>${sources.map((text) => html`<bdi>“${text}”</bdi> `)}${
    alternatives.length > 0 && `${capital(words.or)} ${alternatives.map(({ name }) => name).join(`, ${words.or} `)}. `
  }${unscaled && words.notScaled}</p></details>`;
}

/** What the creator chose for a plan. */
function productOf({ words }: Entry['item']): Html | false {
  return words !== undefined && html`<small><bdi>${words}</bdi></small>`;
}

/** A sponsor's product never stands without its word. */
export function pinnedProduct({ product, disclosure }: Pin): Html {
  return html`<small class="pin"><b>${disclosure}</b> <bdi>${product}</bdi></small>`;
}

function countryOf({ language }: List, countries: readonly string[], country: string | null): Html {
  const { words, tag } = pageLanguage(language);
  const named = new Intl.DisplayNames(tag, { type: 'region' });
  const all = [...new Set([...countries, ...(country === null ? [] : [country])])]
    .map((code) => ({ code, name: named.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return html`<p class="country"><label for="c">${words.shoppingIn}</label><select id="c" name="c">${country === null && html`<option value="" selected>${words.anyCountry}</option>`}${all.map(
    ({ code, name }) => html`<option value="${code}"${code === country && ' selected'}>${name}</option>`,
  )}</select><button>${words.change}</button></p>`;
}

function shopsOf(words: ListWords, { code }: List, [first, ...others]: Shown['shops']): Html {
  const button = (shop: { id: string; name: string }, tag: string) =>
    html`<button class="${tag}" formaction="${LIST_PATH}/${code}/go/${shop.id}">${words.shopAt(shop.name)}</button>`;
  return html`<div class="shops">${button(first!, 'main')}${others.length > 0 && html`<details><summary>${words.otherShops}</summary>${others.map((shop) => button(shop, 'other'))}</details>`}</div>`;
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
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
  what: string | null = null,
): Page {
  const { words, tag } = pageLanguage(language);
  const page = html`
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta property="og:title" content="${title}: ${what ?? words.shoppingList}">
${picture !== null && html`<meta property="og:image" content="${picture}">`}
${canonical !== null && html`<link rel="canonical" href="${canonical}">`}`;
  return {
    policy: [
      "default-src 'none'",
      `style-src ${hashOf(STYLE)}`,
      `script-src ${hashOf(SCRIPT)}`,
      'img-src https: http:',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    html: `<!doctype html>
<html lang="${tag}">
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
