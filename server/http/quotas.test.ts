/** Every limit that the contract names, under calls at the same moment. A new endpoint with a quota is walked too. */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { NO_CHANGES } from '#contract/meal-plan-ingredients.ts';
import { QUOTAS, type Quota, type QuotaName } from '#contract/quotas.ts';
import { storeConnection } from '#server/features/connections/store-connection.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { bodyFor, furnishCreator, type Params, urlFor } from '#server/testing/endpoint-walk.ts';
import { appLink, automationInput, mealPlan, sponsorPin } from '#server/testing/inputs.ts';
import { type Answer, createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

/** More than twice as many as there are connections to the database: beyond those they only wait. */
const AT_ONCE = 24;
const ROOM = 3;
const PATIENCE_MS = 120_000;
/** Their answer says nothing of success: Meta is asked first. The rule behind it is tested below. */
const NOT_WALKED = ['choosePages'];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type Fact = { table: string; where?: string; own?: (i: RawBuilder<unknown>) => RawBuilder<unknown> };
function ownPlan(i: RawBuilder<unknown>) {
  return sql`jsonb_build_object('name', 'plan ' || ${i}::text || random(), 'list_code', left(md5(random()::text), 12))`;
}
const named = (column: string) => (i: RawBuilder<unknown>) =>
  sql`jsonb_build_object(${column}::text, ${column}::text || ${i} || '@example.test')`;

/** The rows counted, and the columns a copied row needs of its own. */
const COUNTED: Partial<Record<QuotaName, Fact>> = {
  automations: { table: 'automations', where: 'archived_at is null' },
  deleted_automations: { table: 'automations', where: 'archived_at is not null' },
  keywords: { table: 'keywords', own: named('name') },
  replies: { table: 'replies', own: named('name') },
  recipes: { table: 'recipes', own: named('url_key') },
  tiers: { table: 'tiers', where: 'archived_at is null', own: named('name') },
  discount_codes: { table: 'discount_codes', where: 'closed_at is null', own: named('code') },
  sponsor_pins: {
    table: 'sponsor_pins',
    own: () => sql`jsonb_build_object('proof_code', left(md5(random()::text), 16))`,
  },
  ingredient_words: { table: 'ingredient_words', own: named('name') },
  app_links: { table: 'app_links', own: named('name') },
  meal_plans: { table: 'meal_plans', own: ownPlan },
  segments: { table: 'segments', own: named('name') },
  tags: { table: 'tags', own: named('name') },
  forms: {
    table: 'forms',
    where: 'archived_at is null',
    own: () => sql`jsonb_build_object('key', left(md5(random()::text), 22))`,
  },
  links: {
    table: 'links',
    where: 'automation_id is not null',
    own: () => sql`jsonb_build_object('code', left(md5(random()::text), 16))`,
  },
  team: {
    table: 'invites',
    where: 'accepted_at is null and declined_at is null and revoked_at is null',
    own: (i) => sql`jsonb_build_object('token_hash', gen_random_uuid()) || ${named('email')(i)}`,
  },
  webhooks: { table: 'outgoing_endpoints' },
  broadcasts: { table: 'broadcasts', where: "state = 'draft'" },
  welcome_mails: { table: 'welcome_mails' },
  link_domains: { table: 'link_domains', own: named('host') },
  sending_domains: { table: 'sending_domains', own: named('domain') },
  tokens: { table: 'api_tokens', own: () => sql`jsonb_build_object('token_hash', gen_random_uuid())` },
};

type World = { owner: Person; params: Params; ids: string[] };
const words = (i: number) => Array.from({ length: 50 }, (_, at) => `word ${i} ${at} `.padEnd(90, 'x'));
const big = ({ params }: World, i: number) => ({
  ...automationInput(params.connectionId),
  words: words(i),
  buttons: [{ title: 'Open', url: `https://example.test/${i}` }],
});

/** The body of the i-th of many calls, where the example of the walks is not enough. */
const BODIES: Record<string, (world: World, i: number) => object> = {
  createAutomation: big,
  updateAutomation: (world, i) => ({ ...big(world, i), version: 1 }),
  saveDraft: (world, i) => ({ ...big(world, i), version: 1, draftVersion: 1 }),
  publishDraft: () => ({ version: 1, draftVersion: 1 }),
  createStoryLink: ({ params }, i) => ({
    ...{ storyId: params.storyId, words: words(i), title: 'Open', url: `https://example.test/${i}` },
  }),
  changeStoryLink: (_, i) => ({ words: words(i), url: `https://example.test/${i}` }),
  createKeyword: (_, i) => ({ ...keyword, name: `New ${i}`, words: words(i) }),
  updateKeyword: (_, i) => ({ ...keyword, name: `New ${i}`, words: words(i), version: 1 }),
  createReply: (_, i) => ({ ...reply(i), name: `New ${i}` }),
  updateReply: (_, i) => ({ ...reply(i), name: `New ${i}`, version: 1 }),
  createRecipe: (_, i) => recipe(i),
  createSponsorPin: (_, i) => sponsorPin(`New ${i}`),
  createIngredientWord: (_, i) => ({ kind: 'brand', word: `New ${i}`, means: '' }),
  createAppLink: (_, i) => appLink(`New ${i}`),
  createDiscountCode: (_, i) => ({
    ...{ code: `NEW${i}`, percentOff: 20, amountOff: null, currency: null, duration: 'once', months: null },
    ...{ mostUses: null, lastDay: null, newOnly: false, tierId: null },
  }),
  createMealPlan: (_, i) => plan(i),
  changeMealPlan: (_, i) => ({ ...plan(i), version: 1 }),
  savePlanIngredients: (_, i) => ({
    ...NO_CHANGES,
    own: words(i).map((text) => ({ id: crypto.randomUUID(), text })),
    version: 1,
  }),
  createSegment: (_, i) => ({ name: `New ${i}`, segment: 'all;all,status:confirmed' }),
  writeSeasonDraft: () => ({ url: 'https://example.test/cookies' }),
  createTag: (_, i) => ({ name: `New ${i}` }),
  tagContacts: ({ params }, i) => ({ contactIds: [params.contactId], give: [`New ${i}`] }),
  createForm: (_, i) => ({ kind: 'save', name: `New ${i}`, design: MADE_FORMS[0]!.design }),
  addLinkDomain: (_, i) => ({ host: `go.new${i}.com` }),
  addSendingDomain: (_, i) => ({ domain: `new${i}.example` }),
  updateRecipe: (_, i) => ({ ...recipe(i), version: 1 }),
  saveIngredients: (_, i) => ({ ...ingredients(i), version: 0 }),
  sendInvite: (_, i) => ({ email: `new${i}@example.test`, role: 'collaborator' }),
  createCreator: (_, i) => ({ handle: `many.${crypto.randomUUID().slice(0, 8)}${i}` }),
};
const keyword = { mode: 'whole_word', excludedWords: [], typoTolerance: true };
const plan = (i: number) => mealPlan(`New ${i}`, { note: words(i).slice(0, 20).join(' ') });
const reply = (i: number) => ({ kind: 'message', texts: words(i).slice(0, 20), translations: [] });
const ingredients = (i: number) => ({
  ...{ servings: 4, minutes: 20, measures: 'us', language: 'en', lines: [], steps: words(i) },
});
const recipe = (i: number) => ({
  ...{
    name: `New ${i}`,
    url: `https://example.test/new/${i}`,
    pictureUrl: null,
    messageText: '',
    keywordIdeas: words(i),
  },
});

/** Where each of many calls needs a thing of its own: the parameter that names it, and its table. */
const TARGETS: Record<string, { param: string; table: string; own?: Fact['own'] }> = {
  updateAutomation: { param: 'automationId', table: 'automations' },
  deleteAutomation: { param: 'automationId', table: 'automations' },
  saveDraft: { param: 'automationId', table: 'automations', own: () => sql`jsonb_build_object('draft_version', 1)` },
  publishDraft: { param: 'automationId', table: 'automations' },
  changeStoryLink: { param: 'storyLinkId', table: 'automations' },
  deleteStoryLink: { param: 'storyLinkId', table: 'automations' },
  updateKeyword: { param: 'keywordId', table: 'keywords', own: named('name') },
  updateReply: { param: 'replyId', table: 'replies', own: named('name') },
  updateRecipe: { param: 'recipeId', table: 'recipes', own: named('url_key') },
  saveIngredients: { param: 'recipeId', table: 'recipes', own: named('url_key') },
  changeMealPlan: { param: 'mealPlanId', table: 'meal_plans', own: ownPlan },
  publishMealPlan: { param: 'mealPlanId', table: 'meal_plans', own: ownPlan },
  savePlanIngredients: { param: 'mealPlanId', table: 'meal_plans', own: ownPlan },
  reopenTier: { param: 'tierId', table: 'tiers', own: () => sql`jsonb_build_object('archived_at', now())` },
};

const walked = ENDPOINTS.filter(({ name }) => !NOT_WALKED.includes(name)).flatMap(({ name, endpoint }) =>
  (endpoint.quotas ?? []).map((quota) => ({ name, quota: quota as QuotaName, endpoint })),
);

describe('many calls at the same moment', () => {
  test.each(walked)('$name never passes $quota', { timeout: PATIENCE_MS }, async ({ name, quota, endpoint }) => {
    const world = await furnish(name);
    const call = (i: number): Promise<Answer> => {
      const target = TARGETS[name] === undefined ? {} : { [TARGETS[name].param]: world.ids[i]! };
      const body = BODIES[name]?.(world, i) ?? bodyFor(name, endpoint, world.params);
      return world.owner.send({
        method: endpoint.method,
        url: urlFor(endpoint, { ...world.params, ...target }),
        ...(body !== undefined && { body }),
      });
    };
    await leaveRoom(world, quota, () => call(AT_ONCE));
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => insist(() => call(i))));
    const refused = answers.filter(({ body }) => body?.code === 'quota_reached');
    expect(answers.filter(({ status }) => status >= 500).map(({ body }) => body.detail)).toEqual([]);
    // Others are refused by further limits, and where a rate is counted, some of those within it by the rule.
    if (isRate(quota)) expect(refused).toHaveLength(AT_ONCE - ROOM);
    else expect(answers.filter(({ status }) => status < 300)).toHaveLength(ROOM);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
    // Some by another quota of the same call, which is reached at the same moment.
    expect(refused.map(({ body }) => body.detail)).toContain(QUOTAS[quota].says);
    const counted = COUNTED[quota];
    if (counted !== undefined) {
      const members = quota === 'team' ? 2 : 0;
      expect(members + (await count(world, counted))).toBe(QUOTAS[quota].most);
    }
  });

  test('connect no more accounts than may be', async () => {
    const { owner, params } = await furnish('');
    await copy(
      params.creatorId,
      { table: 'connections', own: named('account_id') },
      QUOTAS.connections.most - ROOM - 1,
    );
    const results = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, i) =>
        app.db.withCreator(params.creatorId, (trx) =>
          storeConnection(
            app.deps,
            trx,
            params.creatorId,
            {
              ...{ platform: 'instagram', accountId: `new ${i}`, username: `new${i}`, name: null, avatarUrl: null },
              ...{ followersCount: null, missingPermissions: [] },
            },
            owner.id,
          ),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(ROOM);
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'quota_reached' });
  });
});

test('whoever is above a quota may still change what is there, and make it shorter', async () => {
  const world = await furnish('updateKeyword');
  await leaveRoom(world, 'saved_bytes', async () => ({}) as Answer, -1_000_000);
  const { endpoint } = ENDPOINTS.find(({ name }) => name === 'updateKeyword')!;
  const url = urlFor(endpoint, { ...world.params, keywordId: world.ids[0]! });
  const change = (words: string[]) =>
    world.owner.send({ method: 'PUT', url, body: { ...keyword, name: 'Shorter', words, version: 1 } });
  expect((await change(words(1))).body).toMatchObject({ code: 'quota_reached' });
  expect((await change(['a'])).body).toMatchObject({ name: 'Shorter', words: ['a'] });
});

/** Calls that only change, read or ask, and those limited by tries, an index or Meta instead. */
const WITHOUT_QUOTA = [
  // One page is open at a time; Stripe keeps it.
  'startCheckout',
  ...[
    'blockMember',
    'unblockMember',
    'cancelMember',
    'giveBackPayment',
    'endGivenPass',
    'endPassedRecipes',
    'movePayers',
    'moveTier',
    'replaceSiteKey',
    'signMemberOut',
    'whyNotIn',
  ],
  // Of Stripe, which makes one account.
  ...['checkStripeAccount', 'connectStripeAccount', 'linkStripeAccount'],
  ...['cancelPlan', 'keepPlan', 'refundPlan', 'previewPlanChange', 'changePlan', 'payDue', 'openPortal', 'refreshPlan'],
  'checkFormPage',
  'endSponsorProof',
  'leaveFailed',
  'takeBackSuppression',
  ...['changePassword', 'confirmSecondFactor', 'forgotPassword', 'login', 'loginDemo', 'loginSecondFactor'],
  ...['removeSecondFactor', 'resetPassword', 'sendVerification', 'signUp', 'startSecondFactor', 'verifyEmail'],
  ...[
    'acceptInvite',
    'accessMembership',
    'lookUpInvite',
    'resendInvite',
    'endOtherSessions',
    'registerPlugin',
    'makeSiteLive',
    'keepSiteAsCopy',
    'previewForm',
    'previewEmail',
    'publishEmailDraft',
    'discardEmailDraft',
    'resetEmailTemplate',
    'submitForms',
    'suggestMealPlan',
    'unpublishMealPlan',
    'syncGoneBlogPosts',
    'syncBlogPosts',
    'checkGatePasses',
    'exchangeMemberGrant',
    'renewMemberPass',
    'openForFree',
    'passRecipe',
    'openPassedRecipe',
    'checkSendingDomain',
    'connectKit',
    'connectPlugin',
    'connectMailchimp',
    'backFill',
    'retryFailed',
    'runImport',
    ...['runMemberMove', 'undoMemberMove', 'endMemberships'],
    'cancelImport',
    'undoImport',
    'pauseRecipeImport',
    'continueRecipeImport',
    'retryRecipeImport',
    'undoRecipeImport',
    'undoSync',
    'sendBroadcast',
    'cancelBroadcast',
    'pauseBroadcast',
    'resumeBroadcast',
    'declineSeason',
  ],
  ...['checkConnection', 'syncPosts', 'readStories', 'attachPreparedPost', 'detachPreparedPost', 'dismissWakingPost'],
  ...['replayAutomation', 'cancelCatchUp', 'switchAutomation', 'testComment', 'discardDraft', 'resolveClash'],
  ...[
    'checkLinkAgain',
    'checkLinkDomain',
    'applyConversions',
    'compareAgain',
    'redeliver',
    'seeFirstLink',
    'changeSecret',
    'evaluateFlags',
  ],
];

test('every endpoint that makes something names its quotas', () => {
  const without = ENDPOINTS.filter(
    ({ endpoint }) => endpoint.method === 'POST' && endpoint.access !== 'admin' && endpoint.quotas === undefined,
  );
  expect(without.map(({ name }) => name).toSorted()).toEqual(WITHOUT_QUOTA.toSorted());
});

const isRate = (quota: QuotaName) => 'perHours' in QUOTAS[quota];

/** Until it was looked at: on a busy machine the last of many find no connection to the database in time. */
async function insist(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.body?.code !== 'unavailable') return answer;
  }
}

async function furnish(name: string): Promise<World> {
  const owner = await app.signUpAndIn();
  // One for each: nobody may join so many teams in a day.
  const params = await furnishCreator(app, owner, await app.signUpAndIn());
  const target = TARGETS[name];
  const draft = JSON.stringify({ base: 1, savedAt: new Date().toISOString(), savedBy: 'Anna' });
  const ids =
    target === undefined ? [] : await copy(params.creatorId, target, AT_ONCE + 1, sql`id = ${params[target.param]}`);
  if (name === 'publishDraft') {
    for (const [i, id] of ids.entries()) {
      await sql`
        update automations set draft_version = 1,
          draft = ${draft}::jsonb || jsonb_build_object('input', ${JSON.stringify(big({ owner, params, ids }, i))}::jsonb)
        where id = ${id}
      `.execute(app.db.engine);
    }
  }
  if (name === 'writeSeasonDraft') {
    await sql`
      with saver as (
        insert into contacts (creator_id, id, first_seen_at, last_seen_at, source)
        values (${params.creatorId}, gen_random_uuid(), now(), now(), 'blog') returning id
      )
      insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, first_saved_at, last_saved_at)
      select ${params.creatorId}, gen_random_uuid(), id, 'example.test/cookies', 'https://example.test/cookies', 'Cookies', now(), now()
      from saver
    `.execute(app.db.engine);
  }
  return { owner, params, ids };
}

async function count({ params }: World, { table, where = 'true' }: Fact): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where creator_id = ${params.creatorId} and ${sql.raw(where)}
  `.execute(app.db.engine);
  return rows[0]!.count;
}

/** @returns the ids of the copies */
async function copy(
  creatorId: string,
  { table, own = () => sql`'{}'::jsonb`, where = 'true' }: Fact,
  copies: number,
  of: RawBuilder<unknown> = sql.raw(where),
): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'
  `.execute(app.db.engine);
  const given = sql.join(columns.map(({ name }) => sql.ref(name)));
  const { rows } = await sql<{ id: string }>`
    insert into ${sql.table(table)} (${given})
    select ${sql.join(columns.map(({ name }) => sql`(c).${sql.ref(name)}`))} from (
      select jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()) || ${own(sql.ref('i'))}) as c
      from ${sql.table(table)} t, generate_series(1, ${copies}::int) i
      where t.ctid = (select ctid from ${sql.table(table)} where creator_id = ${creatorId} and ${of} limit 1)
      offset 0
    ) as copies
    returning id
  `.execute(app.db.engine);
  return rows.map(({ id }) => id);
}

/** Fills up, so that so many more of what `call` makes fit. */
async function leaveRoom(world: World, name: QuotaName, call: () => Promise<Answer>, bytes?: number): Promise<void> {
  const quota: Quota = QUOTAS[name];
  const { creatorId } = world.params;
  if (quota.perHours !== undefined) {
    await call();
    await sql`update tries set count = ${quota.most - ROOM} where key like ${`quota_${name}:%`}`.execute(app.db.engine);
  } else if (name === 'creators') {
    await sql`
      with made as (
        insert into creators (id, handle) select gen_random_uuid(), 'full' || left(md5(random()::text), 12)
        from generate_series(1, ${quota.most - ROOM - 1}::int) returning id
      )
      insert into memberships (creator_id, id, user_id, role, created_at)
      select id, gen_random_uuid(), ${world.owner.id}, 'owner', now() from made
    `.execute(app.db.engine);
  } else if (name === 'saved_bytes') {
    const before = await sumOfBytes(creatorId, SAVED_TABLES);
    await call();
    const after = await sumOfBytes(creatorId, SAVED_TABLES);
    const room = bytes ?? Math.round((after - before) * (ROOM + 0.5));
    await sql`
      update recipes set message_text = repeat('x', ${quota.most - after - room}::int + length(message_text))
      where creator_id = ${creatorId} and id = ${world.params.recipeId}
    `.execute(app.db.engine);
  } else if (name === 'plan_bytes') {
    const [full] = await copy(creatorId, { table: 'meal_plans', own: ownPlan }, 1);
    const before = await sumOfBytes(creatorId, PLAN_TABLES);
    await call();
    const after = await sumOfBytes(creatorId, PLAN_TABLES);
    const room = Math.round((after - before) * (ROOM + 0.5));
    await sql`
      update meal_plans set note = repeat('x', ${quota.most - after - room}::int + length(note)) where id = ${full}
    `.execute(app.db.engine);
  } else if (name === 'ingredient_bytes') {
    await call();
    const { rows } = await sql<{ bytes: number }>`
      select sum(bytes)::int as bytes from recipe_ingredients where creator_id = ${creatorId}
    `.execute(app.db.engine);
    const room = bytes ?? Math.round(rows[0]!.bytes * (ROOM + 0.5));
    await sql`
      update recipe_ingredients set steps = steps || repeat('x', ${quota.most - rows[0]!.bytes - room}::int)
      where creator_id = ${creatorId}
    `.execute(app.db.engine);
  } else {
    const counted = COUNTED[name]!;
    if (name === 'deleted_automations') {
      await copy(creatorId, { table: 'automations', own: () => sql`jsonb_build_object('archived_at', now())` }, 1);
    }
    const members = name === 'team' ? 2 : 0;
    await copy(creatorId, counted, quota.most - ROOM - members - (await count(world, counted)));
  }
}

const SAVED_TABLES = ['automations', 'keywords', 'replies', 'recipes'];
const PLAN_TABLES = ['meal_plans', 'published_meal_plans'];

async function sumOfBytes(creatorId: string, tables: string[]): Promise<number> {
  let bytes = 0;
  for (const table of tables) {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::int as bytes from ${sql.table(table)} where creator_id = ${creatorId}
    `.execute(app.db.engine);
    bytes += rows[0]!.bytes;
  }
  return bytes;
}
