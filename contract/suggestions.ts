/**
 * Other ways followers write a word: the same word in their language, and slips of the finger. Only ever suggested;
 * the creator approves each with a tap. The table holds what food creators ask people to comment; a word that is not in
 * it gets no translation rather than a guessed one.
 */
import { normaliseText } from '#contract/matching/index.ts';
import { RECIPE_MISSPELLINGS } from '#contract/matching/typos.ts';

/** Codes as ISO 639 has them, with their English names. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'English',
  es: 'Spanish',
  pt: 'Portuguese',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  nl: 'Dutch',
  pl: 'Polish',
  tr: 'Turkish',
  ru: 'Russian',
  id: 'Indonesian',
};

const ORDER = ['en', 'es', 'pt', 'fr', 'de', 'it', 'nl', 'pl', 'tr', 'ru', 'id'] as const;

/** One meaning a line, languages in the order above; several words for it stand with a slash. */
const TABLE = `
recipe|receta|receita|recette|Rezept|ricetta|recept|przepis|tarif|рецепт|resep
recipes|recetas|receitas|recettes|Rezepte|ricette|recepten|przepisy|tarifler|рецепты|resep
link|enlace/link|link|lien|Link|link|link|link|link/bağlantı|ссылка|tautan/link
ingredients|ingredientes|ingredientes|ingrédients|Zutaten|ingredienti|ingrediënten|składniki|malzemeler|ингредиенты|bahan
sauce|salsa|molho|sauce|Soße/Sauce|salsa|saus|sos|sos|соус|saus
pasta|pasta|massa/macarrão|pâtes|Pasta/Nudeln|pasta|pasta|makaron|makarna|паста|pasta
pizza|pizza|pizza|pizza|Pizza|pizza|pizza|pizza|pizza|пицца|pizza
bread|pan|pão|pain|Brot|pane|brood|chleb|ekmek|хлеб|roti
sourdough|masa madre|fermentação natural|levain|Sauerteig|lievito madre|zuurdesem|zakwas|ekşi maya|закваска|sourdough
dough|masa|massa|pâte|Teig|impasto|deeg|ciasto|hamur|тесто|adonan
cake|pastel/tarta/torta|bolo|gâteau|Kuchen|torta|taart/cake|ciasto|kek/pasta|торт|kue
cheesecake|cheesecake/tarta de queso|cheesecake|cheesecake|Käsekuchen|cheesecake|cheesecake|sernik|cheesecake|чизкейк|cheesecake
cookies|galletas|biscoitos/cookies|cookies/biscuits|Kekse/Cookies|biscotti|koekjes|ciasteczka|kurabiye|печенье|kue kering
brownies|brownies|brownies|brownies|Brownies|brownies|brownies|brownie|brownie|брауни|brownies
pancakes|tortitas/panqueques|panquecas|pancakes/crêpes|Pfannkuchen|pancakes|pannenkoeken|naleśniki|pankek|блины|pancake
soup|sopa|sopa|soupe|Suppe|zuppa|soep|zupa|çorba|суп|sup
salad|ensalada|salada|salade|Salat|insalata|salade|sałatka|salata|салат|salad
chicken|pollo|frango|poulet|Hähnchen|pollo|kip|kurczak|tavuk|курица|ayam
beef|carne/res|carne|bœuf|Rindfleisch|manzo|rundvlees|wołowina|dana eti|говядина|daging sapi
fish|pescado|peixe|poisson|Fisch|pesce|vis|ryba|balık|рыба|ikan
shrimp|camarones/gambas|camarão|crevettes|Garnelen|gamberi|garnalen|krewetki|karides|креветки|udang
rice|arroz|arroz|riz|Reis|riso|rijst|ryż|pilav|рис|nasi
noodles|fideos|macarrão|nouilles|Nudeln|noodles|noedels|makaron|erişte|лапша|mie
cheese|queso|queijo|fromage|Käse|formaggio|kaas|ser|peynir|сыр|keju
chocolate|chocolate|chocolate|chocolat|Schokolade|cioccolato|chocolade|czekolada|çikolata|шоколад|cokelat
lemon|limón|limão|citron|Zitrone|limone|citroen|cytryna|limon|лимон|lemon
garlic|ajo|alho|ail|Knoblauch|aglio|knoflook|czosnek|sarımsak|чеснок|bawang putih
tomato|tomate|tomate|tomate|Tomate|pomodoro|tomaat|pomidor|domates|помидор|tomat
potato|papa/patata|batata|pomme de terre|Kartoffel|patata|aardappel|ziemniak|patates|картошка|kentang
egg|huevo|ovo|œuf|Ei|uovo|ei|jajko|yumurta|яйцо|telur
dinner|cena|jantar|dîner|Abendessen|cena|avondeten|kolacja|akşam yemeği|ужин|makan malam
lunch|almuerzo|almoço|déjeuner|Mittagessen|pranzo|lunch|obiad|öğle yemeği|обед|makan siang
breakfast|desayuno|café da manhã|petit déjeuner|Frühstück|colazione|ontbijt|śniadanie|kahvaltı|завтрак|sarapan
snack|merienda/snack|lanche|goûter|Snack|merenda|snack|przekąska|atıştırmalık|перекус|camilan
dessert|postre|sobremesa|dessert|Nachtisch|dolce|toetje|deser|tatlı|десерт|pencuci mulut
drink|bebida|bebida|boisson|Getränk|bevanda|drankje|napój|içecek|напиток|minuman
coffee|café|café|café|Kaffee|caffè|koffie|kawa|kahve|кофе|kopi
vegan|vegano|vegano|végane/vegan|vegan|vegano|vegan|wegańskie|vegan|веган|vegan
protein|proteína|proteína|protéines|Protein|proteine|eiwit|białko|protein|протеин|protein
meal plan|plan de comidas/menú|cardápio|menu|Essensplan|menù|weekmenu|jadłospis|yemek planı|меню|menu
book|libro|livro|livre|Buch|libro|boek|książka|kitap|книга|buku
ebook|ebook|ebook|ebook|E-Book|ebook|e-book|ebook|e-kitap|электронная книга|ebook
guide|guía|guia|guide|Anleitung|guida|gids|poradnik|rehber|гид|panduan
list|lista|lista|liste|Liste|lista|lijst|lista|liste|список|daftar
discount|descuento|desconto|réduction|Rabatt|sconto|korting|zniżka|indirim|скидка|diskon
code|código|código|code|Code|codice|code|kod|kod|код|kode
yes|sí|sim|oui|ja|sì|ja|tak|evet|да|ya
please|por favor|por favor|s'il te plaît|bitte|per favore|alsjeblieft|proszę|lütfen|пожалуйста|tolong
want|quiero|quero|je veux|will ich|voglio|ik wil|chcę|istiyorum|хочу|mau
`;

/** Slips that are seen again and again and that no rule makes. */
const KNOWN_SLIPS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    recipe: RECIPE_MISSPELLINGS,
    recipes: RECIPE_MISSPELLINGS.map((written) => `${written}s`),
    ingredients: ['ingrediants', 'ingridients', 'ingredents', 'ingrediences'],
    sourdough: ['sourdo', 'sour dough', 'sordough', 'sourdoug'],
    cheesecake: ['chesecake', 'cheese cake', 'cheescake'],
    chocolate: ['choclate', 'chocolat', 'chocolote'],
    cookies: ['cookys', 'cookes', 'coockies'],
    chicken: ['chiken', 'chickin', 'chickn'],
    dessert: ['desert', 'desserts', 'dessart'],
    discount: ['discound', 'dicount'],
    protein: ['protien', 'protine'],
    spaghetti: ['spagetti', 'spagheti', 'spageti'],
    vegetables: ['vegtables', 'vegetabels'],
    guide: ['giude', 'gide'],
  }),
);

const SLIPS_AT_MOST = 8;
/** Shorter words become other words with one letter changed. */
const SHORTEST_WITH_SLIPS = 4;
const LONGEST_WITH_SLIPS = 24;
const VOWEL = /[aeiouy]/;

export type Suggestions = {
  /** By language, in the table's order; empty for a word that the table lacks. */
  translations: { language: string; words: string[] }[];
  /** The likeliest first, at most eight, in the case in which the word is written. */
  misspellings: string[];
};

/** Deterministic: the same word always gets the same suggestions. */
export function suggestionsFor(word: string): Suggestions {
  const typed = word.trim();
  const written = typed === typed.toUpperCase() ? (text: string) => text.toUpperCase() : (text: string) => text;
  const key = keyOf(typed);
  const meaning = meanings.get(key);
  const translations = (meaning ?? [])
    .map(({ language, words }) => ({
      language,
      words: words.filter((other) => keyOf(other) !== key).map(written),
    }))
    .filter(({ words }) => words.length > 0);
  return { translations, misspellings: slipsOf(key).map(written) };
}

/** The one language of the table that has this word; null for a word of none or of several ("pasta"). */
export function languageOf(word: string): string | null {
  return languages.get(keyOf(word.trim())) ?? null;
}

type Meaning = { language: string; words: string[] }[];

/** From each word of the table, in whatever language, to its line. The first line that has it wins. */
const meanings = readTable();

function readTable(): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const line of TABLE.trim().split('\n')) {
    const meaning = line.split('|').map((cell, at) => ({ language: ORDER[at]!, words: cell.split('/') }));
    for (const { words } of meaning) {
      for (const word of words) if (!found.has(keyOf(word))) found.set(keyOf(word), meaning);
    }
  }
  return found;
}

/** Null for words of several languages. */
const languages = readLanguages();

function readLanguages(): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const line of TABLE.trim().split('\n')) {
    for (const [at, cell] of line.split('|').entries()) {
      for (const key of cell.split('/').map(keyOf)) {
        const known = found.get(key);
        found.set(key, known === undefined || known === ORDER[at] ? ORDER[at]! : null);
      }
    }
  }
  return found;
}

function keyOf(word: string): string {
  return normaliseText(word).key;
}

function slipsOf(word: string): string[] {
  const made = [...(KNOWN_SLIPS.get(word) ?? []), ...(isPlainWord(word) ? changesOf(word) : [])];
  return [...new Set(made)].filter((slip) => slip !== word && !meanings.has(slip)).slice(0, SLIPS_AT_MOST);
}

function isPlainWord(word: string): boolean {
  return /^[a-z]+$/.test(word) && word.length >= SHORTEST_WITH_SLIPS && word.length <= LONGEST_WITH_SLIPS;
}

/** First what the ear confuses, then fingers: doubled letters, neighbours swapped, a letter dropped. The first stays. */
function changesOf(word: string): string[] {
  const letters = [...word];
  const places = letters.map((_, at) => at).slice(1);
  const swapped = (at: number) => word.slice(0, at - 1) + letters[at]! + letters[at - 1]! + word.slice(at + 1);
  const dropped = (at: number) => word.slice(0, at) + word.slice(at + 1);
  const doubled = (at: number) => word.slice(0, at) + letters[at]! + word.slice(at);
  const isVowel = (at: number) => VOWEL.test(letters[at] ?? '');
  return [
    ...places.filter((at) => /^(ie|ei)$/.test(word.slice(at - 1, at + 1))).map(swapped),
    ...places.filter((at) => letters[at] === letters[at - 1]).map(dropped),
    ...places
      .filter((at) => !isVowel(at) && isVowel(at - 1) && isVowel(at + 1) && letters[at] !== letters[at - 1])
      .map(doubled),
    ...places.filter((at) => at > 1 && letters[at] !== letters[at - 1]).map(swapped),
    ...places.filter((at) => isVowel(at) && at < letters.length - 1).map(dropped),
    ...places.filter((at) => !isVowel(at) && at < letters.length - 1).map(dropped),
  ];
}
