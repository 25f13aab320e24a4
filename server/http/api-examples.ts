/** Examples of API calls: bodies and answers for its description, and lines to type for those a token may make. */
import { scopeOf } from '#contract/api-tokens.ts';
import { API_BASE, type Endpoint } from '#contract/endpoint.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { exampleOf } from './examples.ts';

const AUTOMATION = {
  connectionId: '$CONNECTION_ID',
  name: 'Lemon pasta',
  postId: null,
  words: ['PASTA', 'lemon pasta'],
  mode: 'whole_word',
  excludedWords: [],
  typoTolerance: true,
  priority: 0,
  messageText: 'Hi {{username|there}}, here is the recipe.',
  buttons: [{ title: 'Open the recipe', url: 'https://example.com/lemon-pasta' }],
  publicReplies: ['Sent you a message!'],
  repeatAfterMinutes: 1440,
};

const PIN = {
  ...{
    foods: ['spaghetti'],
    recipeIds: null,
    product: 'Barilla Spaghetti No. 5',
    upcs: ['076808280739'],
    brand: 'Barilla',
  },
  asins: [{ marketplace: 'amazon.com', asin: 'B000EXAMPL' }],
  ...{ disclosure: 'Ad', from: '2026-12-01', to: '2026-12-14', timeZone: 'America/New_York' },
};

const APP_LINK = {
  ...{ name: 'Loaf pan', address: 'https://www.amazon.com/dp/B08N5WRWNW?tag=annacooks-20', opensApp: true },
  ...{
    campaign: 'utm_source=instagram&utm_medium={channel}',
    beginsAt: null,
    endsAt: null,
    elsewhere: null,
    slug: null,
  },
};

const MEAL_PLAN = {
  ...{ name: 'Week of pasta', note: '', pictureUrl: null, kind: 'week', startsOn: '2027-01-04', sections: [] },
  meals: [
    {
      id: '01890000-0000-7000-8000-000000000002',
      ...{ section: 0, slot: 'dinner', recipeId: null, text: 'Leftovers', servings: null },
    },
  ],
};

/** Where a schema tells too little; the rest is made from it. */
const RECIPE = {
  name: 'Lemon tart',
  url: 'https://annaskitchen.com/lemon-tart',
  pictureUrl: null,
  keywordIdeas: ['lemon'],
  messageText: '',
};

const BODIES: Record<string, object> = {
  createAutomation: AUTOMATION,
  updateAutomation: { ...AUTOMATION, version: 1 },
  saveDraft: { ...AUTOMATION, version: 1, draftVersion: 0 },
  replayAutomation: { draft: { ...AUTOMATION, id: null }, days: 7 },
  switchAutomation: { on: true },
  createRecipe: RECIPE,
  updateRecipe: { ...RECIPE, url: 'https://annaskitchen.com/best-lemon-tart', version: 1 },
  saveIngredients: {
    version: 0,
    ...{ servings: 8, minutes: 60, measures: 'us', language: 'en', steps: [] },
    lines: [
      {
        ...{ id: '01890000-0000-7000-8000-000000000002', group: '', text: '3 lemons', fixes: {}, checked: true },
        ...{ sourceText: null, sourceUid: null },
      },
    ],
  },
  readRecipe: { url: 'https://annaskitchen.com/lemon-tart' },
  createForm: MADE_FORMS[0]!,
  updateForm: { name: 'Save this recipe', design: MADE_FORMS[0]!.design, version: 1 },
  previewForm: { kind: 'save', design: MADE_FORMS[0]!.design },
  changeShopping: {
    version: 0,
    shops: [
      { kind: 'instacart', on: true },
      {
        kind: 'search',
        on: true,
        id: null,
        name: 'A shop in Spain',
        address: 'https://shop.example/buscar?q={words}',
        countries: ['ES'],
      },
    ],
    amazonTags: [{ marketplace: 'amazon.es', tag: 'annacooks-21' }],
    disclosure: 'I earn from purchases.',
    measures: 'metric',
    country: 'ES',
    pantry: ['olive oil'],
  },
  createSponsorPin: PIN,
  changeSponsorPin: { ...PIN, version: 1 },
  createAppLink: APP_LINK,
  changeAppLink: { ...APP_LINK, name: 'Cake tin', version: 1 },
  switchConversions: { id: null, on: false },
  addLinkDomain: { host: 'go.annaskitchen.com' },
  createMealPlan: MEAL_PLAN,
  changeMealPlan: { ...MEAL_PLAN, version: 1 },
  savePlanIngredients: { lines: [], items: [], own: [], together: [], apart: [], version: 1 },
  testComment: { connectionId: '$CONNECTION_ID', postId: null, text: 'pasta please' },
};

const QUERIES: Record<string, string> = {
  getFigures: '?automationId=$AUTOMATION_ID',
  listInteractions: '?outcome=failed&limit=20',
  listContacts: '?filter=with_email',
  countSegment: '?segment=all;all,status:confirmed',
  listPosts: '?limit=20',
};

const SOME_ID = '01890000-0000-7000-8000-000000000001';

/** @throws for a body that needs a line in BODIES */
export function exampleBody(name: string, { body }: Endpoint): unknown {
  if (body === undefined) return undefined;
  const written = BODIES[name];
  if (written === undefined) return exampleOf(body, `${name}: add a body to BODIES in api-examples.ts`);
  return JSON.parse(JSON.stringify(written).replaceAll(/\$[A-Z_]+/g, SOME_ID));
}

export function exampleAnswer(name: string, { response }: Endpoint): unknown {
  return response && exampleOf(response, `${name}: no example of its answer can be made`, 'output');
}

/**
 * `curl` with what the reader puts in: `$CREATOR_HQ` is the address of the installation, `$TOKEN` the token, `$CREATOR_ID`
 * and the like are ids. Null where no token may call.
 */
export function exampleCall(name: string, endpoint: Endpoint): string | null {
  if (scopeOf(endpoint) === null) return null;
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, param: string) => variableOf(param));
  const body = BODIES[name];
  if ((body === undefined) !== (endpoint.body === undefined)) throw new Error(`${name} needs an example body.`);
  return [
    `curl -X ${endpoint.method} "$CREATOR_HQ${API_BASE}${path}${QUERIES[name] ?? ''}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d @- <<JSON\n${JSON.stringify(body, null, 2)}\nJSON`]),
  ].join(' \\\n  ');
}

/** `automationId` is typed `$AUTOMATION_ID`. */
function variableOf(param: string): string {
  return `$${param.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
