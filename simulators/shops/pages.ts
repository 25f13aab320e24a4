/** What a shopper sees of a list. */
import type { ListedItem } from './checks.ts';

export type MadePage = {
  id: string;
  kind: 'recipe' | 'list';
  title: string;
  author: string | null;
  linkBack: string | null;
  items: ListedItem[];
  /** Milliseconds; null: it does not end. */
  endsAt: number | null;
};

export function shopperPage({ title, author, linkBack, items, kind }: MadePage): string {
  const back = linkBack !== null && /^https?:/.test(linkBack) ? `<p><a href="${escaped(linkBack)}">Back</a></p>` : '';
  return page(
    title,
    `<p>${kind === 'recipe' ? 'Recipe' : 'Shopping list'}${author === null ? '' : ` by ${escaped(author)}`}</p>
<ul>${items.map(itemRow).join('')}</ul><button>Add ${items.length} to cart</button>${back}`,
  );
}

export function endedPage(): string {
  return page('This page has ended', '<p>Ask for a new link.</p>');
}

function itemRow({ name, displayText, measured }: ListedItem): string {
  return `<li><b>${escaped(name)}</b> <span>${escaped(measured)}</span><br><small>${escaped(displayText)}</small></li>`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>body{font:16px system-ui;max-width:32rem;margin:2rem auto;padding:0 1rem}
li{margin:.5rem 0}button{font:inherit;padding:.75rem 1rem}aside{font-size:.8rem}</style>
<aside>Simulated Instacart</aside><h1>${escaped(title)}</h1>${body}</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
