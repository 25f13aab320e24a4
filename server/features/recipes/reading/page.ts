/**
 * All that tells of recipes in a page, collected in one pass without a tree: a hostile page costs no more than its length. What the
 * cards of WP Recipe Maker, Tasty Recipes and Mediavine Create print is [C], seen in their public sources.
 */
import { Parser } from 'htmlparser2';
import { CardReader, type PageCard } from './page-cards.ts';
import { ListReader, type PageList } from './page-lists.ts';
import { MicrodataReader, type MicrodataRecipe } from './page-microdata.ts';
import { type Element, type PartReader, Piece } from './page-parts.ts';

export type Page = {
  /** Texts of its JSON-LD. */
  scripts: string[];
  cards: PageCard[];
  microdata: MicrodataRecipe[];
  /** Under headings that say "Ingredients". */
  lists: PageList[];
  /** Its first main heading, else what it calls itself. */
  title: string | null;
  picture: string | null;
  language: string | null;
  /** Where its WordPress answers programs. */
  restRoot: string | null;
};

/** Real pages nest a tenth of that; the parser's work grows with each. */
const DEEPEST = 400;
const MOST_ELEMENTS = 150_000;
const MOST_ATTRIBUTES = 200;
const CHUNK = 16 * 1024;
const MOST_SCRIPTS = 50;

/** What browsers do not show, or what is not of the text. */
const UNSEEN_ELEMENTS = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'button',
  'select',
  'nav',
  'footer',
]);
const UNSEEN_CLASSES = /(?:^|\s)(?:sr-only|visually-hidden|wprm-checkbox-container|screen-reader-text)(?:\s|$)/;

/** @param html may end anywhere */
export function readPage(html: string): Page {
  const found = { scripts: [] as string[], cards: [], microdata: [], lists: [] };
  const head = new HeadReader();
  const cards = new CardReader(found.cards);
  const lists = new ListReader(found.lists, () => cards.isInside);
  const readers: PartReader[] = [cards, lists, new MicrodataReader(found.microdata), head];
  let depth = 0;
  let isTooMuch = false;
  let elements = 0;
  let attributes = 0;
  /** The depth of what is not shown; null outside of it. */
  let unseen: number | null = null;
  let script: string | null = null;
  const parser = new Parser({
    onopentagname: () => {
      attributes = 0;
    },
    onattribute: () => {
      isTooMuch ||= ++attributes > MOST_ATTRIBUTES;
    },
    onopentag: (name, given) => {
      depth += 1;
      isTooMuch ||= depth > DEEPEST || ++elements > MOST_ELEMENTS;
      if (unseen !== null) return;
      if (name === 'script' && /ld\+json/i.test(given.type ?? '')) script = '';
      if (UNSEEN_ELEMENTS.has(name) || UNSEEN_CLASSES.test(given.class ?? '')) unseen = depth;
      else {
        const classes = new Set((given.class ?? '').split(/\s+/));
        for (const reader of readers) reader.open({ name, classes, attributes: given, depth });
      }
    },
    ontext: (text) => {
      if (script !== null) script += text;
      else if (unseen === null) for (const reader of readers) reader.text(text);
    },
    onclosetag: () => {
      if (unseen === null) for (const reader of readers) reader.close(depth);
      else if (unseen === depth) {
        if (script !== null && found.scripts.length < MOST_SCRIPTS) found.scripts.push(script);
        unseen = script = null;
      }
      depth -= 1;
    },
  });
  for (let at = 0; at < html.length && !isTooMuch; at += CHUNK) parser.write(html.slice(at, at + CHUNK));
  if (!isTooMuch) parser.end();
  return { ...found, ...head.facts };
}

/** What the page says of itself. */
class HeadReader implements PartReader {
  private piece: Piece | null = null;
  private isHeading = false;
  private heading: string | null = null;
  private shared: string | null = null;
  private title: string | null = null;
  private picture: string | null = null;
  private language: string | null = null;
  private restRoot: string | null = null;

  get facts(): Pick<Page, 'title' | 'picture' | 'language' | 'restRoot'> {
    const { heading, shared, title, picture, language, restRoot } = this;
    return { title: heading ?? shared ?? title, picture, language, restRoot };
  }

  open({ name, attributes, depth }: Element): void {
    const { lang, rel, href, property, content } = attributes;
    if (name === 'html') this.language ??= lang ?? null;
    else if (name === 'link' && rel === 'https://api.w.org/') this.restRoot ??= href ?? null;
    else if (name === 'meta') {
      if ((property ?? attributes.name) === 'og:image') this.picture ??= content ?? null;
      if ((property ?? attributes.name) === 'og:title') this.shared ??= content ?? null;
    } else if ((name === 'h1' || name === 'title') && this.piece === null) {
      this.piece = new Piece(depth);
      this.isHeading = name === 'h1';
    }
  }

  text(text: string): void {
    this.piece?.add(text);
  }

  close(depth: number): void {
    if (this.piece?.depth !== depth) return;
    if (this.isHeading) this.heading ??= this.piece.tidied;
    else this.title ??= this.piece.tidied;
    this.piece = null;
  }
}
