/**
 * How much one creator account may hold: every kind of thing that people make without end has an entry. An endpoint names
 * its quotas; `server/http/quotas.ts` counts. The answer to one thing too many is `quota_reached` with `says`.
 */
export type Quota = {
  most: number;
  /** Counts what is made in that time instead of what is there. */
  perHours?: number;
  says: string;
};

function held(most: number, what: string, then: string) {
  return { most, says: `You have ${most.toLocaleString('en-US')} ${what}, the limit. ${then}` };
}

function made(most: number, perHours: number, what: string) {
  const period = perHours === 1 ? 'an hour' : 'a day';
  return {
    most,
    perHours,
    says: `That’s ${most.toLocaleString('en-US')} ${what} within ${period}, the limit.`,
  };
}

const MB = 1_000_000;

export const QUOTAS = {
  automations: held(1000, 'automations', 'Delete one you no longer need.'),
  /** Kept for the names in the activity, for as long as there is activity. */
  deleted_automations: held(5000, 'deleted automations', 'Change one instead of adding another.'),
  keywords: held(500, 'sets of Custom Keywords', 'Delete one you no longer need.'),
  replies: held(500, 'sets of Custom Replies', 'Delete one you no longer need.'),
  forms: held(100, 'forms', 'Archive one you no longer need.'),
  segments: held(200, 'segments', 'Delete one you no longer need.'),
  tags: held(500, 'tags', 'Delete one you no longer need.'),
  broadcasts: held(200, 'newsletter drafts', 'Delete one you no longer need.'),
  welcome_mails: held(10, 'emails in the welcome series', 'Delete one first.'),
  sending_domains: held(10, 'sending domains', 'Remove one first.'),
  sponsor_pins: held(200, 'sponsor pins', 'Delete one you no longer need.'),
  recipes: held(20_000, 'recipes', 'Delete one you no longer need.'),
  /** Lines and steps, also of deleted recipes whose lists stay. */
  ingredient_bytes: {
    most: 100 * MB,
    says: 'Your recipes have 100 MB of ingredients and steps, the limit. Shorten some.',
  },
  meal_plans: held(500, 'meal plans', 'Delete one you no longer need.'),
  /** With what is published of them. */
  plan_bytes: {
    most: 100 * MB,
    says: 'Your meal plans have 100 MB of meals and ingredients, the limit. Delete one you no longer need.',
  },
  ingredient_words: held(2_000, 'ingredient words of your own', 'Delete one you no longer need.'),
  /** Of automations with their drafts, Custom Keywords, Custom Replies and recipes. */
  saved_bytes: {
    most: 20 * MB,
    says: 'Your automations, keywords, replies and recipes have 20 MB of text, the limit. Shorten or delete some.',
  },
  /** Deleted automations keep theirs: messages that were sent lead there. */
  links: held(5000, 'links in automations', 'Use an existing one, or a recipe.'),
  link_domains: held(10, 'hosts for links', 'Remove one first.'),
  app_links: held(50_000, 'app links', 'Change one instead of making another.'),
  /** With those that were disconnected: their history is here. */
  connections: { most: 100, says: 'You have connected 100 accounts, the limit.' },
  /** Members and invites that wait for an answer. */
  team: held(100, 'people and pending invites on the team', 'Remove one first.'),
  webhooks: held(10, 'webhooks', 'Remove one first.'),
  tiers: held(5, 'tiers', 'Close one you no longer need.'),
  discount_codes: held(100, 'discount codes', 'Close one you no longer need.'),
  /** Of one person in one account. */
  tokens: held(50, 'API tokens', 'Revoke one you no longer use.'),
  /** Of one person. */
  creators: held(50, 'creator accounts', 'Delete one you no longer need.'),

  tokens_made: made(50, 24, 'new API tokens'),
  keys_made: made(20, 24, 'new API keys'),
  app_links_made: made(500, 1, 'new app links'),
  recipe_imports: made(20, 24, 'blogs brought in'),
  recipe_readings: made(60, 1, 'recipes read'),
  word_previews: made(600, 1, 'previews of ingredient words'),
  test_events: made(60, 1, 'test events'),
  catch_ups: made(100, 1, 'catch-ups'),
  link_readings: made(600, 1, 'readings of links'),
  shop_tests: made(60, 1, 'tests of shops'),
  test_emails: made(10, 1, 'test emails'),
  sending_asked: made(20, 24, 'emails that ask owners to send'),
  answers: made(1000, 1, 'messages you wrote yourself'),
  contact_changes: made(1000, 1, 'changes to contacts'),
  resent: made(1000, 1, 'messages sent again'),
  deletions: made(10, 24, 'requests to delete the account'),
  erased: made(1000, 1, 'erased contacts'),
  imports: made(50, 24, 'imported files'),
} as const satisfies Record<string, Quota>;
export type QuotaName = keyof typeof QUOTAS;
