/** What an answer of Instacart's that is none means: a list of troubles for all shops. */
import * as z from 'zod/mini';
import type { Trouble } from '../shop.ts';
import { Refusal } from './types.ts';

/** Where a refusal names an item of the list [R]: "ingredients[2].name", "line_items.2". */
const NAMED_ITEM = /\b(?:ingredients|line_items)[[.](\d{1,4})/g;
const LONGEST = 200;

/** @param text the body of an answer from 400 on */
export function troubleOf(status: number, text: string): Trouble {
  if (status === 401 || status === 403) {
    return { kind: 'our_key', says: `Instacart doesn’t accept the API key (${status}).` };
  }
  if (status === 429) return { kind: 'try_later', says: 'Instacart asks us to slow down.', isBusy: true };
  if (status === 408 || status >= 500) return { kind: 'try_later', says: `Instacart has a problem (${status}).` };
  const said = wordsOf(text);
  return { kind: 'refused', says: `Instacart didn’t take this list (${status})${said === '' ? '.' : `: ${said}`}` };
}

/** Places of items that a refusal names. */
export function itemsNamedIn(text: string): Set<number> {
  return new Set([...text.matchAll(NAMED_ITEM)].map(([, place]) => Number(place)));
}

function wordsOf(text: string): string {
  const read = z.safeParse(Refusal, readJson(text));
  if (!read.success) return '';
  const refusal = read.data;
  const said = 'error' in refusal ? refusal.error.message : refusal.errors.map(messageOf).join(' ');
  return said.replace(/\s+/g, ' ').trim().slice(0, LONGEST);
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const read = z.safeParse(z.object({ message: z.string() }), error);
  return read.success ? read.data.message : '';
}

/** @returns null for what is no JSON */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
