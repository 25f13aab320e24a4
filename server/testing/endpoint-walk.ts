/**
 * Requests for every endpoint there is, made from the contract, and a creator with a row of everything for them to find:
 * the tenancy walk and the role walk go by it, so a new endpoint is walked without anybody remembering.
 */

import { startCatchUp } from '#contract/catch-up.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { listForms } from '#contract/forms.ts';
import { resend } from '#contract/interactions.ts';
import { addLinkDomain } from '#contract/link-domains.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { NO_CHANGES } from '#contract/meal-plan-ingredients.ts';
import { createMealPlan } from '#contract/meal-plans.ts';
import { createBroadcast } from '#contract/newsletters.ts';
import { createSegment } from '#contract/segments.ts';
import { addSendingDomain } from '#contract/sending.ts';
import { makeApiKey } from '#contract/settings.ts';
import { addSuppression } from '#contract/suppressions.ts';
import { createTag } from '#contract/tags.ts';
import { acceptInvite, sendInvite } from '#contract/team.ts';
import { addWelcomeMail } from '#contract/welcome-series.ts';
import { systemIds } from '#server/clock.ts';
import { givePass } from '#server/features/fans/passes.ts';
import { makeTier } from '#server/features/fans/tiers.ts';
import { exampleOf } from '#server/http/examples.ts';
import { seal } from '#server/secrets.ts';
import { appLink, automationInput, FRIENDS, mealPlan, sponsorPin } from '#server/testing/inputs.ts';
import {
  insertConnection,
  insertInteraction,
  insertPost,
  insertStory,
  insertWatchedLink,
} from '#server/testing/rows.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';

/** By the names of path parameters. */
export type Params = { creatorId: string; connectionId: string; [param: string]: string };

/** For what no schema tells. Keys are names of endpoints, values are bodies for a creator with this connection. */
export const EXAMPLES: Record<string, (own: { connectionId: string }) => unknown> = {
  createAutomation: (own) => automationInput(own.connectionId),
  updateAutomation: (own) => ({ ...automationInput(own.connectionId), version: 1 }),
  saveDraft: (own) => ({ ...automationInput(own.connectionId), version: 1, draftVersion: 0 }),
  addSuppression: () => ({ address: 'another@example.test' }),
  takeBackSuppression: () => ({ note: '' }),
  createIngredientWord: () => ({ kind: 'food', word: 'zorblat', means: '' }),
  updateIngredientWord: () => ({ kind: 'food', word: 'zorblat', means: '', version: 1 }),
  previewIngredientWord: () => ({ wordId: null, becomes: { kind: 'food', word: 'zorblat', means: '' } }),
  createForm: () => ({ kind: 'save', name: 'New', design: MADE_FORMS[0]!.design }),
  updateForm: () => ({ name: 'Changed', design: MADE_FORMS[0]!.design, version: 1 }),
  previewForm: () => ({ kind: 'save', design: MADE_FORMS[0]!.design }),
  changeSender: () => ({ name: 'Anna', address: 'anna@anna.example', replyTo: '', postalAddress: '' }),
  addSendingDomain: () => ({ domain: `${crypto.randomUUID()}.example` }),
  readRecipe: () => ({ text: 'Soup\n2 carrots' }),
  replayAutomation: (own) => ({ draft: { ...automationInput(own.connectionId), id: null }, days: 7 }),
  tagContacts: (own) => ({ contactIds: [`${own.connectionId}.somebody`], give: ['Bakers'], take: [] }),
  changeImportColumns: () => ({ uses: ['email'] }),
  changeShopping: () => ({
    version: 0,
    shops: [
      { kind: 'search', on: true, id: null, name: 'Shop', address: 'https://shop.example/?q={words}', countries: [] },
    ],
    amazonTags: [],
    disclosure: '',
    measures: 'us',
    country: null,
    pantry: [],
  }),
  createSponsorPin: () => sponsorPin('butter'),
  changeSponsorPin: () => ({ ...sponsorPin('cream'), version: 1 }),
  createAppLink: () => appLink('Pan'),
  changeAppLink: () => ({ ...appLink('Pot'), version: 1 }),
  addLinkDomain: () => ({ host: `go.${crypto.randomUUID()}.com` }),
  switchConversions: () => ({ id: null, on: true }),
  createMealPlan: () => mealPlan('Pasta week'),
  changeMealPlan: () => ({ ...mealPlan('Soup week'), version: 1 }),
  savePlanIngredients: () => ({ ...NO_CHANGES, version: 1 }),
  publishMealPlan: () => ({ version: 1 }),
  testComment: (own) => ({ connectionId: own.connectionId, postId: null, text: 'pasta' }),
};

const keywords = { name: 'Words', words: ['pasta'], mode: 'whole_word', excludedWords: [], typoTolerance: true };
const replies = { name: 'Replies', kind: 'public_reply', texts: ['Sent!'], translations: [] };

/** A new API key of theirs, with which a blog registered. */
export async function registerBlog(app: TestApp, owner: Person, creatorId: string) {
  const { key } = (await owner.call(makeApiKey, { params: { creatorId } })).body as { key: string };
  const answer = await app.visitor().send({
    method: 'POST',
    url: '/api/v1/plugin/register',
    headers: { authorization: `Bearer ${key}` },
    body: { pluginVersion: '1.0', siteUrl: `https://blog-of-${creatorId}.example.test` },
  });
  return { key, siteId: answer.body.site.id as string };
}

/** A creator of the owner's with a collaborator and a row of everything that a path can name. */
export async function furnishCreator(app: TestApp, owner: Person, collaborator: Person): Promise<Params> {
  const creatorId = (await owner.createCreator()).id;
  const connectionId = await insertConnection(app.db, creatorId);
  const postId = await insertPost(app.db, creatorId, connectionId, { id: `1790000000000${connectionId.slice(-4)}` });
  const made = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/automations`,
    body: { ...automationInput(connectionId), postId },
  });
  const keyword = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/keywords`,
    body: keywords,
  });
  const reply = await owner.send({ method: 'POST', url: `/api/v1/creators/${creatorId}/replies`, body: replies });
  const recipe = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/recipes`,
    body: { name: 'Soup', url: 'https://example.test/soup', pictureUrl: null, keywordIdeas: [], messageText: '' },
  });
  const pin = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/sponsor-pins`,
    body: sponsorPin('pasta'),
  });
  const link = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/app-links`,
    body: appLink('Cake tin'),
  });
  const word = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/ingredient-words`,
    body: { kind: 'food', word: 'zazzle', means: '' },
  });
  const plan = await owner.call(createMealPlan, { params: { creatorId }, body: mealPlan('Week of soup') });
  const linkCheckId = await insertWatchedLink(app.db, creatorId, made.body.id);
  const personId = `person-of-${creatorId}`;
  const interactionId = await insertInteraction(app.db, creatorId, connectionId, {
    person_id: personId,
    post_id: postId,
    outcome: 'failed',
    reason: 'gave_up',
    automation_id: made.body.id,
  });
  const again = await insertInteraction(app.db, creatorId, connectionId, {
    person_id: personId,
    post_id: postId,
    outcome: 'failed',
    reason: 'gave_up',
    automation_id: made.body.id,
  });
  await owner.call(resend, { params: { creatorId, interactionId: again } });

  await app.db.engine
    .insertInto('post_pictures')
    .values({
      creator_id: creatorId,
      post_id: postId,
      source: '/picture.jpg',
      content_type: 'image/png',
      bytes: Buffer.from('picture'),
      kept_at: new Date(),
    })
    .execute();

  const liveId = await insertStory(app.db, creatorId, connectionId, { kind: 'live' });
  const storyId = await insertStory(app.db, creatorId, connectionId);
  await app.db.engine
    .insertInto('story_pictures')
    .values({ creator_id: creatorId, story_id: storyId, content_type: 'image/png', bytes: Buffer.from('picture') })
    .execute();
  const storyLink = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/automations`,
    body: { ...automationInput(connectionId), trigger: 'story_reply', scope: 'one', postId: storyId },
  });

  const webhook = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/outgoing-webhooks`,
    body: { url: 'https://tool.example.test/', types: ['click'] },
  });
  const token = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/api-tokens`,
    body: { name: 'Tool', scopes: ['read:figures'], days: null },
  });
  const endpointId: string = webhook.body.id;
  const eventId = systemIds.uuid(new Date());
  await app.db.engine
    .insertInto('outgoing_events')
    .values({
      creator_id: creatorId,
      id: eventId,
      endpoint_id: endpointId,
      type: 'test',
      data: '{}',
      happened_at: new Date(),
      due_at: new Date(),
      expires_at: new Date(),
    })
    .execute();

  const integrationId = systemIds.uuid(new Date());
  await app.db.engine
    .insertInto('data_integrations')
    .values({
      creator_id: creatorId,
      id: integrationId,
      tool: 'kit',
      secret: seal(app.deps.keys.encryptionKeys, 'a key'),
      account_name: 'Kitchen',
      state: 'on',
      hook_token: systemIds.code(40),
      asked_at: new Date(),
      connected_at: new Date(),
    })
    .execute();

  const { siteId } = await registerBlog(app, owner, creatorId);
  const { items: forms } = (await owner.call(listForms, { params: { creatorId } })).body;

  const { id: tagId } = (await owner.call(createTag, { params: { creatorId }, body: { name: 'Bakers' } })).body;

  const saved = { name: 'Readers', segment: 'all;all,status:confirmed' };
  const { id: segmentId } = (await owner.call(createSegment, { params: { creatorId }, body: saved })).body;
  const { domains } = (await owner.call(addSendingDomain, { params: { creatorId }, body: { domain: 'anna.example' } }))
    .body;
  const linkDomain = await owner.call(addLinkDomain, { params: { creatorId }, body: { host: `go.${creatorId}.com` } });
  const { id: broadcastId } = (await owner.call(createBroadcast, { params: { creatorId } })).body;
  const blocked = { params: { creatorId }, body: { address: 'blocked@example.test' } };
  const { id: suppressionId } = (await owner.call(addSuppression, blocked)).body;
  const { mails } = (await owner.call(addWelcomeMail, { params: { creatorId } })).body;
  const moved = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/member-moves`,
    body: Buffer.from('email,expiry\nmoved@example.test,2099-01-01\n'),
    headers: { 'content-type': 'text/csv' },
  });
  const imported = await owner.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/contact-imports`,
    body: Buffer.from('email\nreader@example.test\n'),
    headers: { 'content-type': 'text/csv' },
  });

  const recipeImportId = systemIds.uuid(new Date());
  await app.db.engine
    .insertInto('recipe_imports')
    .values({
      creator_id: creatorId,
      id: recipeImportId,
      site: 'https://blog.example.test',
      state: 'done',
      way: 'sitemap',
      made_at: new Date(),
    })
    .execute();

  const invite = async (email: string): Promise<string> => {
    const body = { email, role: 'collaborator' as const };
    return (await owner.call(sendInvite, { params: { creatorId }, body })).body.inviteId;
  };
  const accepted = await invite(collaborator.email);
  await collaborator.call(acceptInvite, { params: { userId: collaborator.id, inviteId: accepted } });
  const idIn = async (table: 'memberships' | 'sessions', userId: string) => {
    const row = await app.db.engine
      .selectFrom(table)
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const invited = `invited.${creatorId}@example.test`;
  const inviteId = await invite(invited);
  const mail = await app.db.engine
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', invited)
    .executeTakeFirstOrThrow();
  const stripeSessionId = `cs_test_${creatorId}`;
  const begun = { creator_id: creatorId, id: crypto.randomUUID(), plan_id: 'creator-plan', begun_at: new Date() };
  await app.db.engine
    .insertInto('stripe_customers')
    .values({ creator_id: creatorId, customer_id: `cus_${creatorId}` })
    .execute();
  await app.db.engine
    .insertInto('checkouts')
    .values({ ...begun, billing_interval: 'month', session_id: stripeSessionId })
    .execute();
  const { tierId, memberId } = await app.db.withCreator(creatorId, async (trx) => {
    const tier = await makeTier(app.deps, trx, { creatorId, ...FRIENDS });
    const given = { creatorId, email: `member.${creatorId}@example.test`, tierId: tier, endsAt: null, note: null };
    return { tierId: tier, memberId: await givePass(app.deps, trx, given) };
  });
  const paymentId = `txn_${creatorId}`;
  await app.db.engine
    .insertInto('money_lines')
    .values({
      ...{ creator_id: creatorId, id: paymentId, at: app.clock.now(), category: 'charge', amount: 400, stripe_fee: 0 },
      ...{ our_fee: 0, net: 400, currency: 'usd', is_ours: true, charge: `ch_${creatorId}`, contact_id: memberId },
    })
    .execute();
  const codeId = app.deps.ids.uuid(app.clock.now());
  await app.db.engine
    .insertInto('discount_codes')
    .values({
      ...{ creator_id: creatorId, id: codeId, code: 'SPRING', percent_off: 20, duration: 'once', new_only: false },
      made_at: app.clock.now(),
    })
    .execute();
  return {
    creatorId,
    codeId,
    tierId,
    memberId,
    paymentId,
    moveId: moved.body.id,
    adminCreatorId: creatorId,
    connectionId,
    postId,
    automationId: made.body.id,
    keywordId: keyword.body.id,
    recipeId: recipe.body.id,
    wordId: word.body.id,
    recipeImportId,
    integrationId,
    siteId,
    formId: forms[0].id,
    tagId,
    pinId: pin.body.id,
    appLinkId: link.body.id,
    linkDomainId: linkDomain.body.id,
    linkCode: link.body.shortUrl.split('/').at(-1),
    mealPlanId: plan.body.id,
    segmentId,
    broadcastId,
    welcomeMailId: mails[0].id,
    suppressionId,
    domainId: domains[0].id,
    importId: imported.body.id,
    linkCheckId,
    replyId: reply.body.id,
    interactionId,
    endpointId,
    eventId,
    tokenId: token.body.id,
    storyId,
    liveId,
    storyLinkId: storyLink.body.id,
    contactId: `${connectionId}.${personId}`,
    inviteId,
    mailId: mail.id,
    membershipId: await idIn('memberships', collaborator.id),
    batchId: await catchUpOf(owner, creatorId),
    userId: owner.id,
    sessionId: await idIn('sessions', owner.id),
    stripeSessionId,
    planId: 'creator-plan',
  };
}

async function catchUpOf(owner: Person, creatorId: string): Promise<string> {
  const batchId = crypto.randomUUID();
  await owner.call(startCatchUp, { params: { creatorId }, body: { batchId } });
  return batchId;
}

/** Everything that belongs to the creator, in every table there is: by the table's name, a hash of its rows. */
export async function everythingOf(app: TestApp, creatorId: string): Promise<Record<string, string>> {
  // Asked before and after every call of a walk: in one statement, which each connection prepares once.
  const { rows } = await app.db.enginePool.query<{ name: string; hash: string }>({
    name: 'everything of a creator',
    text: await statementFor(app),
    values: [creatorId],
  });
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

const statements = new WeakMap<TestApp, string>();

async function statementFor(app: TestApp): Promise<string> {
  const known = statements.get(app);
  if (known !== undefined) return known;
  const { rows } = await app.db.enginePool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
     join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
     where c.table_schema = 'public' and c.column_name = 'creator_id' and t.table_type = 'BASE TABLE'`,
  );
  const statement = rows
    .map(
      ({ name }) =>
        `select '${name}' as name, md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as hash
         from "${name}" as row where creator_id = $1`,
    )
    .join(' union all ');
  statements.set(app, statement);
  return statement;
}

export function paramsOf(endpoint: Endpoint): string[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** Of a closed list, the same in every creator. */
const LISTED: Record<string, string> = { type: 'save-to-email' };

/** Those that name a row. */
export function rowParamsOf(endpoint: Endpoint): string[] {
  return paramsOf(endpoint).filter((name) => !(name in LISTED));
}

/** @throws when a body cannot be made: the endpoint needs an entry in EXAMPLES */
export function bodyFor(name: string, endpoint: Endpoint, own: { connectionId: string }): unknown {
  if (endpoint.body === undefined) return undefined;
  return (
    EXAMPLES[name]?.(own) ?? exampleOf(endpoint.body, `${name}: add an example body to EXAMPLES in endpoint-walk.ts`)
  );
}

export function urlFor(endpoint: Endpoint, params: Record<string, string>): string {
  return `/api/v1${endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? LISTED[name];
    if (value === undefined) throw new Error(`The creator of this walk has no ${name}: add one to furnishCreator.`);
    return encodeURIComponent(value);
  })}`;
}
