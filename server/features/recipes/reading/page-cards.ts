/** Recipe cards of a page, as three plugins print them [C]. */
import { durationOf, servingsIn } from './json-ld.ts';
import { addTo, BlockReader, type PageList } from './page-lists.ts';
import { type Element, type PartReader, Piece } from './page-parts.ts';

export type PageCard = {
  plugin: keyof typeof PLUGINS;
  /** The plugin's own. */
  id: string | null;
  name: string | null;
  servings: number | null;
  minutes: number | null;
  ingredients: PageList;
};

const MOST_CARDS = 50;

type Marks = {
  card: string;
  id(element: Element): string | undefined;
  ingredients: string[];
  name: string;
  servings: string;
  minutes: string;
};
const PLUGINS = {
  wprm: {
    card: 'wprm-recipe-container',
    id: ({ attributes }) => attributes['data-recipe-id'],
    ingredients: ['wprm-recipe-ingredients-container', 'wprm-recipe-ingredient-group'],
    name: 'wprm-recipe-name',
    servings: 'wprm-recipe-servings',
    minutes: 'wprm-recipe-total-time-container',
  },
  tasty: {
    card: 'tasty-recipes',
    id: ({ attributes }) => /^tasty-recipes-(\d{1,15})$/.exec(attributes.id ?? '')?.[1],
    ingredients: ['tasty-recipes-ingredients-body', 'tasty-recipes-ingredients', 'tasty-recipe-ingredients'],
    name: 'tasty-recipes-title',
    servings: 'tasty-recipes-yield',
    minutes: 'tasty-recipes-total-time',
  },
  create: {
    card: 'mv-create-card',
    id: ({ attributes, classes }) =>
      /^mv-creation-(\d{1,15})$/.exec(attributes.id ?? '')?.[1] ??
      [...classes].map((name) => /^mv-create-card-(\d{1,15})$/.exec(name)?.[1]).find((id) => id !== undefined),
    ingredients: ['mv-create-ingredients'],
    name: 'mv-create-title-primary',
    servings: 'mv-create-yield',
    minutes: 'mv-create-time-total',
  },
} as const satisfies Record<string, Marks>;

type Field = { piece: Piece; keep(text: string | null): void };

export class CardReader implements PartReader {
  private readonly cards: PageCard[];
  private card: { depth: number; card: PageCard; marks: Marks } | null = null;
  /** The depth of its ingredients. */
  private area: number | null = null;
  private field: Field | null = null;
  private readonly blocks = new BlockReader((block) => {
    if (this.area !== null && this.card !== null) addTo(this.card.card.ingredients, block, true);
  });

  constructor(cards: PageCard[]) {
    this.cards = cards;
  }

  get isInside(): boolean {
    return this.card !== null;
  }

  open(element: Element): void {
    if (this.card === null) this.begin(element);
    if (this.card === null) return;
    const { marks } = this.card;
    if (this.area !== null) this.blocks.open(element);
    else if (marks.ingredients.some((name) => element.classes.has(name))) this.area = element.depth;
    else this.field ??= this.fieldAt(element, this.card);
  }

  text(text: string): void {
    if (this.area !== null) this.blocks.text(text);
    this.field?.piece.add(text);
  }

  close(depth: number): void {
    if (this.area !== null) this.blocks.close(depth);
    if (this.area === depth) this.area = null;
    if (this.field?.piece.depth === depth) {
      this.field.keep(this.field.piece.tidied);
      this.field = null;
    }
    if (this.card?.depth === depth) this.card = null;
  }

  private begin(element: Element): void {
    if (this.cards.length >= MOST_CARDS) return;
    for (const plugin of Object.keys(PLUGINS) as (keyof typeof PLUGINS)[]) {
      const marks: Marks = PLUGINS[plugin];
      if (!element.classes.has(marks.card)) continue;
      const servings = servingsIn(element.attributes['data-servings']);
      const id = marks.id(element) ?? null;
      const card: PageCard = { plugin, id, name: null, servings, minutes: null, ingredients: [] };
      this.cards.push(card);
      this.card = { depth: element.depth, card, marks };
      return;
    }
  }

  private fieldAt({ classes, depth }: Element, { card, marks }: { card: PageCard; marks: Marks }): Field | null {
    const piece = new Piece(depth);
    if (classes.has(marks.name)) return { piece, keep: (text) => (card.name ??= text) };
    if (classes.has(marks.servings)) return { piece, keep: (text) => (card.servings ??= servingsIn(text)) };
    if (classes.has(marks.minutes)) return { piece, keep: (text) => (card.minutes ??= durationOf(text)) };
    return null;
  }
}
