import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeRetention, getRetention } from '#contract/settings.ts';
import { systemIds } from '#server/clock.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { KEEP_HISTORY_DAYS: '400' } });
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app?.close());

const params = () => ({ params: { creatorId } });
const most = { historyDays: 400, textsDays: 730, webhookLogDays: 30 };
const nothing = { historyDays: null, textsDays: null, webhookLogDays: null };

describe('how long data is kept', () => {
  test('is as long as the installation keeps it, until an owner chooses', async () => {
    expect((await anna.call(getRetention, params())).body).toEqual({ ...nothing, most });
    const chosen = { historyDays: 180, textsDays: 90, webhookLogDays: null };
    expect((await anna.call(changeRetention, { ...params(), body: chosen })).body).toEqual({ ...chosen, most });
    expect((await anna.call(getRetention, params())).body).toEqual({ ...chosen, most });
    await anna.call(changeRetention, { ...params(), body: nothing });
    expect((await anna.call(getRetention, params())).body).toEqual({ ...nothing, most });
  });

  test('is seen by everybody who works there and chosen by owners', async () => {
    const bert = await app.signUpAndIn();
    await app.db.engine
      .insertInto('memberships')
      .values({
        creator_id: creatorId,
        id: systemIds.uuid(new Date()),
        user_id: bert.id,
        role: 'collaborator',
        created_at: app.clock.now(),
      })
      .execute();
    expect((await bert.call(getRetention, params())).status).toBe(200);
    expect((await bert.call(changeRetention, { ...params(), body: nothing })).status).toBe(403);
  });

  test.each([
    { ...nothing, historyDays: 89 },
    { ...nothing, historyDays: 3651 },
    { ...nothing, textsDays: 29 },
    { ...nothing, webhookLogDays: 0 },
    { ...nothing, textsDays: 90.5 },
    { historyDays: 100 },
  ])('is not %j', async (body) => {
    const answer = await anna.call(changeRetention, { ...params(), body: body as never });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  });
});
