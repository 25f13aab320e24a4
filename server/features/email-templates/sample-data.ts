/** What fills a preview: an everyday recipe and hard cases. The links lead to a page that says so. */
import type { EmailDesign, EmailSample } from '#contract/email-templates.ts';
import type { ListedRecipe, MailData, SavedPage } from './rendering/facts.ts';

/** Where links of tests and previews lead that would change something in a real mail. */
export const SAMPLE_PATH = '/e/sample';

const PAGE: SavedPage = {
  url: 'https://example.com/lemon-pasta',
  title: 'Creamy Lemon Pasta',
  pictureUrl: null,
  recipe: {
    name: 'Creamy Lemon Pasta',
    anchor: null,
    ingredients: [
      '350 g spaghetti',
      '2 lemons, zest and juice',
      '200 ml cream',
      '60 g parmesan, grated',
      '2 cloves of garlic',
      'Salt and pepper',
    ],
    totalMinutes: 25,
    yield: '4 servings',
  },
};
const RECIPE = PAGE.recipe!;

const PAGES: Record<EmailSample, SavedPage> = {
  everyday: PAGE,
  no_picture: { ...PAGE, pictureUrl: null },
  no_ingredients: { ...PAGE, recipe: { ...RECIPE, ingredients: [] } },
  long_title: {
    ...PAGE,
    recipe: { ...RECIPE, name: 'Grandma’s Creamy Lemon Pasta with Parmesan and '.repeat(3).slice(0, 120) },
  },
  arabic: {
    ...PAGE,
    recipe: {
      ...RECIPE,
      name: 'معكرونة بالليمون والكريمة',
      ingredients: ['٣٥٠ غ سباغيتي', '٢ ليمون', '٢٠٠ مل كريمة', 'ملح وفلفل'],
      yield: '٤ حصص',
    },
  },
  many_ingredients: {
    ...PAGE,
    recipe: {
      ...RECIPE,
      ingredients: Array.from({ length: 60 }, (_, at) => `${at + 1} g of ingredient number ${at + 1}`),
    },
  },
};

const LISTED: ListedRecipe[] = ['Banana Bread', 'Tomato Soup', 'Apple Crumble'].map((title) => ({
  ...{ title, url: `https://example.com/${title.toLowerCase().replace(' ', '-')}`, pictureUrl: null },
}));

export function sampleData(
  sample: EmailSample,
  design: EmailDesign,
  { baseUrl, creatorName }: { baseUrl: string; creatorName: string },
): MailData {
  const nowhere = baseUrl + SAMPLE_PATH;
  const page = PAGES[sample];
  const picture = sample === 'no_picture' ? null : `${baseUrl}/sample-recipe.jpg`;
  return {
    creatorName,
    postalAddress: null,
    name: 'Maria Lopez',
    about: { ...page, pictureUrl: picture },
    listed: new Map(
      design.blocks.flatMap((block) => (block.kind === 'recipes' ? [[block.id, LISTED.slice(0, block.count)]] : [])),
    ),
    question: {
      wording: 'Yes, send me new recipes too',
      confirmUrl: nowhere,
      tripwireUrl: nowhere,
    },
    isConfirmed: false,
    cookbookUrl: null,
    notMeUrl: nowhere,
    unsubscribeUrl: nowhere,
  };
}
