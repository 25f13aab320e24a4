/** Shops in which each item of a list is looked for by itself, at an address of its own. */
import { shopWords } from '#contract/ingredients/shop-words.ts';
import { chosenItems, type Selection, type ShopItem, type ShopLine, type ShopList, type ShopPage } from './shop.ts';

/** @param addressOf of one item, by the words to look for */
export function oneByOne(
  list: ShopList,
  selection: Selection,
  addressOf: (words: string, item: ShopItem) => string,
): ShopPage {
  const lines = chosenItems(list, selection).map((item): ShopLine => {
    const words = wordsOf(item);
    if (words === null) return { key: item.key, state: 'left_out', why: 'no_food' };
    return { key: item.key, state: 'sent', url: addressOf(words, item) };
  });
  return { kind: 'page', url: null, expiresAt: null, lines };
}

/** @returns null for a line that names no food: its words are none to look for */
export function wordsOf(item: ShopItem): string | null {
  const food = item.words === undefined ? item.food : { name: item.words };
  const words = item.key.startsWith('line ') ? '' : shopWords(food, item.words === undefined ? item.brand : undefined);
  return words === '' ? null : words;
}
