/** Each figure from one list of comments, made around midnight on the day the clocks change, in every place that shows it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { markClicked } from '#server/engine/outcomes/results-log.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import * as automations from '#server/features/automations/automations.ts';
import { interactionsTable } from '#server/features/export/tables.ts';
import { getHome, readFigures } from '#server/features/home/home.ts';
import * as interactions from '#server/features/interactions/interactions.ts';
import * as posts from '#server/features/posts/posts.ts';
import { changeTimeZone } from '#server/features/settings/time-zone.ts';
import { insertPost } from '#server/testing/rows.ts';
import { figuresByDay } from './figures.ts';

type Written = {
  at: string;
  /** The creator's day, as a calendar there says it. */
  day: string;
  by: number | 'owner';
  text: string;
  /** Its outcome: sent, or the reason why not. */
  reason: 'sent' | 'no_match' | 'already_answered' | 'own_comment';
  /** Minutes until the webhook comes. */
  late?: number;
};

/** @param days the day before the clocks change, that day, the day after; @param midnights when the last two begin */
function around(days: [string, string, string], midnights: [string, string]): Written[] {
  const at = (midnight: 0 | 1, seconds: number) =>
    new Date(Date.parse(midnights[midnight]) + seconds * 1000).toISOString();
  const [before, changing, after] = days;
  return [
    { at: at(0, -90), day: before, by: 0, text: 'Lovely!', reason: 'no_match' },
    // Known to us only when it is tomorrow.
    { at: at(0, -30), day: before, by: 1, text: 'recipe please', reason: 'sent', late: 20 },
    { at: at(0, 30), day: changing, by: 2, text: 'Recipe', reason: 'sent' },
    {
      at: at(0, 60),
      day: changing,
      by: 'owner',
      text: 'Thank you all, the recipe is in your DMs',
      reason: 'own_comment',
    },
    { at: at(1, -60), day: changing, by: 2, text: 'recipe recipe', reason: 'already_answered' },
    { at: at(1, -30), day: changing, by: 3, text: 'So good', reason: 'no_match' },
    { at: at(1, 30), day: after, by: 4, text: 'recipe?', reason: 'sent' },
    { at: at(1, 60), day: after, by: 'owner', text: 'Sure!', reason: 'own_comment' },
  ];
}

/** In the order in which the clocks change, in 2026. */
const ZONES: [string, Written[]][] = [
  // An hour less: the day has 23.
  ['Pacific/Auckland', around(['2026-09-26', '2026-09-27', '2026-09-28'], ['2026-09-26T12:00Z', '2026-09-27T11:00Z'])],
  // An hour more.
  ['Europe/Berlin', around(['2026-10-24', '2026-10-25', '2026-10-26'], ['2026-10-24T22:00Z', '2026-10-25T23:00Z'])],
  ['America/New_York', around(['2026-10-31', '2026-11-01', '2026-11-02'], ['2026-11-01T04:00Z', '2026-11-02T05:00Z'])],
];

/** Each part of the panel and the filter that lists it. */
const PARTS = [
  ['replied', 'sent'],
  ['waiting', 'waiting'],
  ['no_keyword', 'noKeyword'],
  ['not_sent', 'notSent'],
  ['missed', 'missed'],
  ['failed', 'failed'],
  ['expired', 'expired'],
] as const;

let world: EngineWorld;
let engine: Engine;
const creators = new Map<string, { creator: WorldCreator; automationId: string }>();

beforeAll(async () => {
  world = await createEngineWorld({ start: new Date('2026-09-25T12:00:00Z') });
  engine = await world.startEngine();
  for (const [zone] of ZONES) {
    const creator = await world.addCreator({ webhooks: true });
    await world.db.withCreator(creator.creatorId, (trx) =>
      changeTimeZone(trx, creator.creatorId, { timeZone: zone, first: true }),
    );
    const automationId = await world.addAutomation(creator, {
      publicReplies: ['Just sent it!'],
      repeatAfterMinutes: 60 * 24 * 3,
    });
    creators.set(zone, { creator, automationId });
  }
});
afterAll(() => world?.close());

test.each(ZONES)(
  'every figure is the same in every place, in %s',
  async (zone, list) => {
    const { creator, automationId } = creators.get(zone)!;
    const { creatorId } = creator;
    const postId = creator.posts[0]!.mediaId;
    await write(creator, list);

    const people = list.filter(({ by }) => by !== 'owner');
    const ownOnes = list.filter(({ by }) => by === 'owner').length;
    const sentOnes = list.filter(({ reason }) => reason === 'sent').length;
    const expectedOf = (some: Written[]) => ({
      comments: some.length,
      matched: some.filter(({ text }) => /recipe/i.test(text)).length,
      sent: some.filter(({ reason }) => reason === 'sent').length,
      opened: 0,
      clicked: some.filter(({ by }) => by === 1).length,
    });
    const whole = expectedOf(people);
    const today = list.at(-1)!.day;
    const byDay = [...Map.groupBy(people, ({ day }) => day)].map(([day, some]) => ({ day, ...expectedOf(some) }));
    // Each message went out with a public reply, which came back to us as a comment of the account's own.
    const instagramCounts = list.length + sentOnes;
    await insertPost(world.db, creatorId, creator.connectionId, { id: postId, comments_count: instagramCounts });

    for (const rolledUp of [false, true]) {
      if (rolledUp) await rollUpCounts(world.db);
      await world.db.withCreator(creatorId, async (trx) => {
        const home = await getHome(world, trx, creatorId, { days: 7 });
        expect(home).toMatchObject({ to: today, figures: whole, before: expectedOf([]) });
        expect(home.days.slice(-3)).toEqual(byDay);
        expect(home.topPosts).toEqual([expect.objectContaining({ id: postId, ...whole })]);
        const reasons = Map.groupBy(people, ({ reason }) => reason);
        expect(new Map(home.outcomes.map(({ reason, count }) => [reason as string, count]))).toEqual(
          new Map([...reasons].map(([reason, some]) => [reason as string, some.length])),
        );
        expect(
          await readFigures(
            trx,
            creatorId,
            home.days.map(({ day }) => day),
          ),
        ).toEqual(whole);

        const card = (await posts.list(trx, creatorId, {})).items.find(({ id }) => id === postId)!;
        expect(card).toMatchObject({
          comments: whole.comments,
          matched: whole.matched,
          sent: whole.sent,
          instagramCounts,
        });
        const { reconciliation } = await posts.get(trx, creatorId, postId);
        expect(reconciliation).toMatchObject({ ...whole, own: ownOnes + sentOnes, instagramCounts });
        const { comments, own, since, deleted, hidden, earlier } = reconciliation;
        expect(comments + own - since - deleted + (hidden ?? 0) + earlier).toBe(instagramCounts);
        expect({ earlier, since }).toEqual({ earlier: 0, since: 0 });

        for (const of of [{}, { postId }, { automationId }]) {
          const figures = await figuresByDay(world, trx, creatorId, { ...of, from: byDay[0]!.day, to: today });
          // Interactions that matched no automation are none of its own.
          const ofAutomation = 'automationId' in of;
          const asked = ofAutomation ? people.filter(({ text }) => /recipe/i.test(text)) : people;
          expect(figures.total).toMatchObject(expectedOf(asked));
          for (const [at, { day }] of byDay.entries()) {
            expect(figures.days[at]).toMatchObject({ day, ...expectedOf(asked.filter((one) => one.day === day)) });
          }
          expect(figures.usual).toEqual(whole);
        }
        const [listed] = (await automations.list(trx, creatorId, {})).items;
        expect(listed!.figures).toMatchObject({ matched: whole.matched, sent: whole.sent, clicked: whole.clicked });

        const { items } = await interactions.list(world, trx, creatorId, { limit: 50 });
        expect(items.map(({ occurredAt, text }) => [occurredAt, text])).toEqual(
          people.map(({ at, text }) => [at, text]).toReversed(),
        );
        expect(items.filter((row) => row.automationId !== null)).toHaveLength(whole.matched);
        for (const [outcome, part] of PARTS) {
          const rows = await interactions.list(world, trx, creatorId, { postId, outcome, limit: 50 });
          expect(rows.items).toHaveLength(reconciliation[part]);
        }
      });
      expect(await rowsByDay(creatorId)).toEqual(byDay.map(({ day, comments }) => [day, comments]).toReversed());
    }
  },
  60_000,
);

test('another time zone leaves the days that were counted as they are', async () => {
  const { creator } = creators.get('Europe/Berlin')!;
  const read = () =>
    world.db.withCreator(creator.creatorId, (trx) =>
      figuresByDay(world, trx, creator.creatorId, { from: '2026-10-24', to: '2026-10-26' }),
    );
  const before = await read();
  await world.db.withCreator(creator.creatorId, (trx) =>
    changeTimeZone(trx, creator.creatorId, { timeZone: 'Pacific/Honolulu' }),
  );
  expect(await read()).toEqual(before);
  const unknown = world.db.withCreator(creator.creatorId, (trx) =>
    changeTimeZone(trx, creator.creatorId, { timeZone: 'Mars/Olympus' }),
  );
  await expect(unknown).rejects.toMatchObject({ code: 'invalid_input' });
});

/** Comments one after the other, each when it is its time; who is answered taps the link of the first message. */
async function write(creator: WorldCreator, list: Written[]): Promise<void> {
  const waiting: { at: number; webhook: Awaited<ReturnType<EngineWorld['comment']>> }[] = [];
  const deliverUntil = async (moment: number) => {
    for (const { at, webhook } of waiting.filter((one) => one.at <= moment)) {
      await goTo(at);
      await world.deliver(webhook);
    }
    waiting.splice(0, waiting.length, ...waiting.filter((one) => one.at > moment));
  };
  for (const { at, by, text, late = 0 } of list) {
    await deliverUntil(Date.parse(at));
    await goTo(Date.parse(at));
    const webhook = await world.comment(creator, { text, ...(by === 'owner' ? { by } : { person: by }) });
    if (late > 0) waiting.push({ at: Date.parse(at) + late * 60_000, webhook });
    else await world.deliver(webhook);
    await world.settle(engine, 0);
  }
  await deliverUntil(Number.POSITIVE_INFINITY);
  await world.settle(engine, 60_000);
  await world.webhooksArrived();
  await world.settle(engine, 60_000);
  const { rows } = await world.db.enginePool.query<{ id: string }>(
    `select d.id from deliveries d join interactions i on i.id = d.interaction_id
     where d.creator_id = $1 and d.kind = 'private_reply' and i.text = 'recipe please'`,
    [creator.creatorId],
  );
  const [{ id }] = rows as [{ id: string }];
  await markClicked(world.db.engine, [{ creator_id: creator.creatorId, delivery_id: id, at: world.clock.now() }]);
}

async function goTo(moment: number): Promise<void> {
  await world.advance(Math.max(0, moment - world.clock.now().getTime()));
}

/** How many rows of the downloaded table are of each day, in its order. */
async function rowsByDay(creatorId: string): Promise<[string, number][]> {
  let text = '';
  for await (const part of interactionsTable(world.db, creatorId, {}, world.clock.now())) text += part;
  const days = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.slice(0, 10));
  return [...Map.groupBy(days, (day) => day)].map(([day, rows]) => [day, rows.length]);
}
