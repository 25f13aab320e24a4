/** Recipes told by `itemprop`: https://html.spec.whatwg.org/multipage/microdata.html, schema.org/Recipe and its old names. */
import { asEntry, lineOf } from './json-ld.ts';
import { MOST_ENTRIES, type PageList } from './page-lists.ts';
import { type Element, type PartReader, Piece } from './page-parts.ts';

export type MicrodataRecipe = {
  /** As schema.org names them; the first of each. */
  properties: Record<string, string>;
  ingredients: PageList;
};

const MOST_RECIPES = 50;
const PROPERTIES = new Set([
  'name',
  'recipeYield',
  'yield',
  'totalTime',
  'prepTime',
  'cookTime',
  'image',
  'inLanguage',
]);

type Scope = { depth: number; recipe: MicrodataRecipe | null; around: Scope | null };
type Property = { piece: Piece; names: string[]; recipe: MicrodataRecipe };

export class MicrodataReader implements PartReader {
  private readonly recipes: MicrodataRecipe[];
  private scope: Scope | null = null;
  private property: Property | null = null;

  constructor(recipes: MicrodataRecipe[]) {
    this.recipes = recipes;
  }

  open(element: Element): void {
    const { name, attributes, depth } = element;
    const names = attributes.itemprop?.split(/\s+/) ?? [];
    const recipe = this.scope?.recipe ?? null;
    if (attributes.itemscope !== undefined) this.scope = { depth, recipe: this.begin(attributes), around: this.scope };
    if (name === 'br' || name === 'li') this.property?.piece.add('\n');
    if (recipe === null || names.length === 0 || this.property !== null) return;
    const said =
      attributes.content ?? attributes.datetime ?? attributes.src ?? (name === 'link' ? attributes.href : null);
    if (said != null) keep(recipe, names, said);
    else if (attributes.itemscope === undefined) this.property = { piece: new Piece(depth), names, recipe };
  }

  text(text: string): void {
    this.property?.piece.add(text);
  }

  close(depth: number): void {
    if (this.property?.piece.depth === depth) {
      const { recipe, names, piece } = this.property;
      keep(recipe, names, piece.text);
      this.property = null;
    }
    if (this.scope?.depth === depth) this.scope = this.scope.around;
  }

  private begin({ itemtype = '' }: Element['attributes']): MicrodataRecipe | null {
    if (!/schema\.org\/Recipe\b/i.test(itemtype) || this.recipes.length >= MOST_RECIPES) return null;
    const recipe: MicrodataRecipe = { properties: {}, ingredients: [] };
    this.recipes.push(recipe);
    return recipe;
  }
}

function keep({ properties, ingredients }: MicrodataRecipe, names: string[], said: string): void {
  for (const name of names) if (PROPERTIES.has(name)) properties[name] ??= said;
  if (!names.includes('recipeIngredient') && !names.includes('ingredients')) return;
  for (const raw of said.split('\n')) {
    const line = lineOf(raw);
    if (line === '' || ingredients.length >= MOST_ENTRIES) continue;
    const entry = asEntry(line);
    ingredients.push('heading' in entry ? entry : { line: { text: line, uid: null } });
  }
}
