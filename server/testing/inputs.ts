/** Bodies of requests as a creator fills them in. */

/** An automation that answers the word pasta under every post of a connection, with one link. */
export function automationInput<Over extends object>(connectionId: string, over = {} as Over) {
  return {
    connectionId,
    name: 'Pasta',
    postId: null as string | null,
    words: ['pasta'],
    mode: 'whole_word' as const,
    excludedWords: [] as string[],
    typoTolerance: true,
    priority: 0,
    messageText: 'Here',
    buttons: [{ title: 'Open', url: 'https://example.test/' }],
    publicReplies: [] as string[],
    repeatAfterMinutes: null as number | null,
    ...over,
  };
}

/** A sponsor's product for one food, on all lists, for a year that is long over. */
export function sponsorPin(food: string, over: object = {}) {
  return {
    ...{ foods: [food], recipeIds: null, product: 'Barilla Spaghetti', upcs: ['076808280739'], brand: 'Barilla' },
    ...{ asins: [], disclosure: 'Ad', from: '2024-01-01', to: '2024-12-30', timeZone: 'America/New_York' },
    ...over,
  };
}

/** As the API takes an app link. */
export function appLink(name: string, over: object = {}) {
  return {
    ...{ name, address: 'https://www.amazon.com/dp/B08N5WRWNW', campaign: '', opensApp: true },
    ...{ beginsAt: null, endsAt: null, elsewhere: null, slug: null, ...over },
  };
}

export function mealPlan(name: string, over: object = {}) {
  return {
    ...{ name, note: '', pictureUrl: null, kind: 'week' as const, startsOn: null, sections: [] as string[] },
    meals: [{ id: crypto.randomUUID(), section: 0, slot: 'dinner', recipeId: null, text: 'Leftovers', servings: null }],
    ...over,
  };
}

/** A tier with both prices. */
export const FRIENDS = {
  ...{
    name: 'Friends',
    description: 'All recipes, no ads.',
    pictureUrl: null,
    currency: 'usd' as const,
    month: 400,
    year: 4000,
    trialDays: 0,
  },
};
