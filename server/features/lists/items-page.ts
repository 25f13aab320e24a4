/** A shop in which each item is looked for by itself: one link for each of them. */
import { type Html, html } from '#server/http/html.ts';
import type { ShopLine } from '#server/platforms/shops/shop.ts';
import { type Page, pageOf, pinnedProduct } from './list-page.ts';
import type { List, WorkedOut } from './lists.ts';
import { pageLanguage } from './words/page-language.ts';

/** @param back the list as the shopper left it */
export function itemsPage(
  list: List,
  { entries }: WorkedOut,
  { shop, lines }: { shop: { name: string }; lines: readonly ShopLine[] },
  back: string,
): Page {
  const { words } = pageLanguage(list.language);
  const stateOf = new Map(lines.map((line) => [line.key, line]));
  const rows = entries.flatMap(({ item, need, pin }): Html[] => {
    const line = stateOf.get(item.key);
    if (line === undefined) return [];
    const label = html`${need !== '' && html`<b>${need}</b> `}<bdi>${item.food.name}</bdi>${pin !== null && pinnedProduct(pin)}`;
    if (line.state === 'left_out' || line.url === null) {
      return [html`<li><span class="row">${label} <i>${words.notAt(shop.name)}</i></span></li>`];
    }
    return [html`<li><a class="row" href="${line.url}" target="_blank" rel="noopener">${label}</a></li>`];
  });
  const content = html`<main>
<p class="by"><a href="${back}">${words.backToTheList}</a></p>
<h1>${words.shopAt(shop.name)}</h1>
<p class="small">${words.oneByOne(shop.name)}</p>
<ul>${rows}</ul>
</main>`;
  return pageOf(list.name, list.language, null, content, null);
}

/** The shop has a page of the list as it starts, and could make none of what was selected: nobody buys that unasked. */
export function usualPage(list: List, shop: { name: string }, url: string, back: string): Page {
  const { words } = pageLanguage(list.language);
  const content = html`<main>
<h1>${words.noSelection(shop.name)}</h1>
<p>${words.usualList(String(list.servings ?? ''))}</p>
<p class="by"><a href="${url}">${words.openUsual(shop.name)}</a></p>
<p class="by"><a href="${back}">${words.backToTheList}</a></p>
</main>`;
  return pageOf(list.name, list.language, null, content, null);
}
