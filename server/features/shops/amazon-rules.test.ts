import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AmazonRule, changeAmazonRules, getAmazonRules } from '#contract/amazon-rules.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { amazonRulesOf } from './settings.ts';

let app: TestApp;
let anna: Person;
let params: { creatorId: string };
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  params = { creatorId: (await anna.createCreator()).id };
});
afterAll(() => app.close());

const inAll = (rule: AmazonRule) =>
  Object.fromEntries(LINK_CHANNELS.map((channel) => [channel, rule])) as Record<
    (typeof LINK_CHANNELS)[number],
    AmazonRule
  >;

test('nothing is decided for a creator, and the country has no say', async () => {
  const { body } = await anna.call(getAmazonRules, { params });
  expect(body).toEqual({ channels: null, byCountry: false });
});

test('a decision stays beside the other settings, and can be taken back', async () => {
  const body = { channels: { ...inAll('with_tag'), mail: 'not_at_all' as const }, byCountry: true };
  expect(await anna.call(changeAmazonRules, { params, body })).toMatchObject({ status: 200, body });
  const { instacart, ...shopping } = (await anna.call(getShopping, { params })).body;
  await anna.call(changeShopping, {
    params,
    body: { ...shopping, amazonTags: [{ marketplace: 'amazon.com', tag: 'anna-20' }] },
  });
  expect(instacart).toBeDefined();
  expect((await anna.call(getAmazonRules, { params })).body).toEqual(body);
  expect(await amazonRulesOf(app.db.engine, params.creatorId)).toEqual({
    ...{ ...body, tags: { 'amazon.com': 'anna-20' }, moreTags: [], disclosure: '' },
  });
  await anna.call(changeAmazonRules, { params, body: { channels: null, byCountry: false } });
  expect((await anna.call(getAmazonRules, { params })).body.channels).toBeNull();
});

test.each([
  ['a channel is missing', { channels: { dm: 'with_tag' }, byCountry: false }],
  ['a rule is unknown', { channels: inAll('sometimes' as never), byCountry: false }],
  ['it is a list', { channels: [], byCountry: false }],
  ['the country is unsaid', { channels: inAll('with_tag') }],
])('refused when %s', async (_what, body) => {
  expect((await anna.call(changeAmazonRules, { params, body: body as never })).status).toBe(422);
});
