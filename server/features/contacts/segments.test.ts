import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listContacts } from '#contract/contacts.ts';
import {
  type Condition,
  changeSegment,
  countSegment,
  createSegment,
  deleteSegment,
  listSegments,
  readSegment,
  type Segment,
  type SegmentField,
  writeSegment,
} from '#contract/segments.ts';
import { systemIds } from '#server/clock.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { strictest } from './newsletter-status.ts';
import { contactsInSegment } from './segments.ts';
import { fillContacts, readBySegment, usualSegments, vacuum } from './testing/many-contacts.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
let anna: Person;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app.close());

const idAt = (kind: string, at: number) =>
  `${kind.charCodeAt(0).toString(16).padStart(8, '0')}-0000-7000-8000-${String(at).padStart(12, '0')}`;
const TAGS = [idAt('t', 0), idAt('t', 1)];
const FORMS = [idAt('f', 0), idAt('f', 1)];
const SITES = [idAt('s', 0), idAt('s', 1)];
const PAGES = ['https://blog.test/soup', 'https://blog.test/cake#card-2'];
const STATUSES = ['none', 'unconfirmed', 'confirmed', 'unsubscribed'] as const;
const SOURCES = ['blog', 'dm', 'file'] as const;
const LANGUAGES = [null, 'en', 'en-GB', 'fr'] as const;

/** One address, and the contact it is joined to. */
const Row = fc.record({
  joinedTo: fc.option(fc.nat(7), { freq: 3 }),
  newsletter: fc.constantFrom(...STATUSES),
  source: fc.constantFrom(...SOURCES),
  language: fc.constantFrom(...LANGUAGES),
  confirmedDaysAgo: fc.option(fc.integer({ min: 1, max: 30 })),
  savedDaysAgo: fc.option(fc.integer({ min: 1, max: 30 })),
  seenDaysAgo: fc.integer({ min: 1, max: 30 }),
  clickedDaysAgo: fc.option(fc.integer({ min: 1, max: 30 })),
  tags: fc.subarray([0, 1]),
  pages: fc.subarray([0, 1]),
  form: fc.option(fc.nat(1)),
  site: fc.option(fc.nat(1)),
  follows: fc.option(fc.constantFrom('yes', 'no', 'unknown')),
});
type Row = typeof Row extends fc.Arbitrary<infer T> ? T : never;

const DAYS = fc.integer({ min: 1, max: 31 }).map((days) => String(days));
const VALUES: Record<SegmentField, fc.Arbitrary<string>> = {
  status: fc.constantFrom(...STATUSES),
  tag: fc.constantFrom(...TAGS),
  saved_page: fc.constantFrom(...PAGES, 'https://blog.test/cake', 'https://blog.test/soup#card-1'),
  saves: fc.constantFrom('1', '2'),
  saved_within: DAYS,
  source: fc.constantFrom(...SOURCES),
  form: fc.constantFrom(...FORMS),
  site: fc.constantFrom(...SITES),
  confirmed_within: DAYS,
  seen_within: DAYS,
  clicked_within: DAYS,
  follows: fc.constantFrom('yes', 'no'),
  language: fc.constantFrom('en', 'fr', 'de'),
};
const OneCondition = fc
  .constantFrom(...(Object.keys(VALUES) as SegmentField[]))
  .chain((field) => fc.record({ field: fc.constant(field), negated: fc.boolean(), value: VALUES[field] }));
const AnySegment: fc.Arbitrary<Segment> = fc.record({
  match: fc.constantFrom('all', 'any'),
  groups: fc.array(
    fc.record({
      match: fc.constantFrom('all', 'any'),
      negated: fc.boolean(),
      conditions: fc.array(OneCondition, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** The same, said once more without SQL. */
function isIn({ match, groups }: Segment, rows: Row[]): boolean {
  const status = strictest(rows.map(({ newsletter }) => newsletter));
  const speaksOfSavers = groups
    .flatMap(({ conditions }) => conditions)
    .some(
      ({ field, value }) =>
        ['saved_page', 'saves', 'saved_within'].includes(field) || (field === 'status' && value === 'none'),
    );
  if (!speaksOfSavers && status === 'none' && rows.some(({ pages }) => pages.length > 0)) return false;
  const within = (days: number | null, value: string) => days !== null && days <= Number(value);
  const answers = ({ field, negated, value }: Condition) =>
    negated !==
    (field === 'status'
      ? status === value
      : rows.some((row) => {
          if (field === 'tag') return row.tags.includes(TAGS.indexOf(value));
          if (field === 'saved_page')
            return row.pages.some((page) => [PAGES[page], PAGES[page]!.split('#')[0]].includes(value));
          if (field === 'saves') return row.pages.length >= Number(value);
          if (field === 'saved_within') return within(row.savedDaysAgo, value);
          if (field === 'source') return row.source === value;
          if (field === 'form') return row.form === FORMS.indexOf(value);
          if (field === 'site') return row.form !== null && row.site === SITES.indexOf(value);
          if (field === 'confirmed_within') return within(row.confirmedDaysAgo, value);
          if (field === 'seen_within') return within(row.seenDaysAgo, value);
          if (field === 'clicked_within') return within(row.clickedDaysAgo, value);
          if (field === 'follows') return row.follows === value;
          return row.language?.split('-')[0] === value;
        }));
  const holds = <T>(match: 'all' | 'any', parts: T[], does: (part: T) => boolean) =>
    match === 'all' ? parts.every(does) : parts.some(does);
  return holds(match, groups, (group) => group.negated !== holds(group.match, group.conditions, answers));
}

async function insert(creatorId: string, connectionId: string, rows: Row[], now: Date): Promise<Map<string, Row[]>> {
  const wholes = new Map<string, Row[]>();
  const ago = (days: number | null) => (days === null ? null : new Date(now.getTime() - days * DAY_MS + 60_000));
  const lasting = rows.map((row, at) => ({
    ...row,
    to: row.joinedTo !== null && row.joinedTo < at && rows[row.joinedTo]!.joinedTo === null ? row.joinedTo : null,
  }));
  for (const [at, row] of lasting.entries()) {
    const id = idAt('c', at);
    const together = lasting.filter((one, other) => other === at || one.to === at);
    if (row.to === null) wholes.set(id, together);
    await sql`
      insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, confirmed_at, saved_count, last_saved_at,
        first_seen_at, last_seen_at, source, joined_to, has_joined, language)
      values (${creatorId}, ${id}, ${`c${at}@example.com`}, ${`c${at}@example.com`}, ${row.newsletter},
        ${strictest(together.map(({ newsletter }) => newsletter))}, ${ago(row.confirmedDaysAgo)}, ${row.pages.length}, ${ago(row.savedDaysAgo)},
        ${now}, ${ago(row.seenDaysAgo)}, ${row.source}, ${row.to === null ? null : idAt('c', row.to)}, ${together.length > 1}, ${row.language})
    `.execute(app.db.engine);
    for (const tag of row.tags) {
      await sql`insert into contact_tags values (${creatorId}, ${TAGS[tag]!}, ${id}, 'team', ${now})`.execute(
        app.db.engine,
      );
    }
    for (const page of row.pages) {
      const key = PAGES[page]!.replace('https://', '');
      await sql`
        insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, first_saved_at, last_saved_at)
        values (${creatorId}, gen_random_uuid(), ${id}, ${key}, ${PAGES[page]!}, 'Soup', ${now}, ${now})`.execute(
        app.db.engine,
      );
    }
    if (row.form !== null) {
      await sql`
        insert into submissions (creator_id, id, attempt, form_id, form_version, site_id, contact_id, result, is_test, wants_newsletter,
          page_url, submitted_at, received_at)
        values (${creatorId}, gen_random_uuid(), gen_random_uuid(), ${FORMS[row.form]!}, 1, ${row.site === null ? null : SITES[row.site]!},
          ${id}, 'on_its_way', false, false, '', ${now}, ${now})`.execute(app.db.engine);
    }
    if (row.clickedDaysAgo !== null) {
      await sql`
        insert into reader_mails (creator_id, id, contact_id, kind, part_of, recipient_domain, state, created_at, due_at, clicked_at)
        values (${creatorId}, gen_random_uuid(), ${id}, 'broadcast', gen_random_uuid(), '', 'accepted', ${now}, ${now},
          ${ago(row.clickedDaysAgo)})`.execute(app.db.engine);
    }
    if (row.follows !== null) {
      await sql`
        insert into people (creator_id, connection_id, id, follows, contact_id, first_seen_at)
        values (${creatorId}, ${connectionId}, ${`p${at}`}, ${row.follows === 'unknown' ? null : row.follows === 'yes'}, ${id}, ${now})
      `.execute(app.db.engine);
    }
  }
  return wholes;
}

async function furnish(): Promise<{ creatorId: string; connectionId: string }> {
  const creatorId = systemIds.uuid(new Date());
  const handle = creatorId.slice(-12);
  await sql`insert into creators (id, handle) values (${creatorId}, ${handle})`.execute(app.db.engine);
  const connectionId = systemIds.uuid(new Date());
  await sql`
    insert into connections (creator_id, id, platform, account_id, username, connected_at)
    values (${creatorId}, ${connectionId}, 'instagram', ${handle}, ${handle}, now())`.execute(app.db.engine);
  for (const [at, id] of TAGS.entries()) {
    await sql`insert into tags values (${creatorId}, ${id}, ${`tag ${at}`}, now())`.execute(app.db.engine);
  }
  for (const id of FORMS) {
    await sql`
      insert into forms (creator_id, id, key, kind, name, design, wordings, version, created_at, updated_at)
      values (${creatorId}, ${id}, left(md5(random()::text), 22), 'save', '', '{}', '{}', 1, now(), now())`.execute(
      app.db.engine,
    );
  }
  for (const id of SITES) {
    await sql`
      insert into sites (creator_id, id, place, url, is_live, first_heard_at, last_heard_at)
      values (${creatorId}, ${id}, ${id}, '', false, now(), now())`.execute(app.db.engine);
  }
  return { creatorId, connectionId };
}

test('a segment has whom a filter in memory has, over contacts of every kind', async () => {
  const now = new Date();
  let someIn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(Row, { minLength: 1, maxLength: 8 }),
      fc.array(AnySegment, { minLength: 12, maxLength: 12 }),
      async (rows, segments) => {
        const { creatorId, connectionId } = await furnish();
        const wholes = await insert(creatorId, connectionId, rows, now);
        for (const segment of segments) {
          const text = writeSegment(segment);
          expect(readSegment(text)).toEqual(segment);
          const { rows: found } = await app.db.withCreator(creatorId, (trx) =>
            sql<{ id: string }>`${contactsInSegment(creatorId, text, now)}`.execute(trx),
          );
          const expected = [...wholes].filter(([, its]) => isIn(segment, its)).map(([id]) => id);
          expect(found.map(({ id }) => id).toSorted(), text).toEqual(expected.toSorted());
          someIn += expected.length;
        }
      },
    ),
    { numRuns: 12, seed: 20261121 },
  );
  expect(someIn).toBeGreaterThan(100);
}, 120_000);

describe('a saved segment', () => {
  const input = { name: 'Quiet ones', segment: 'all;all,status:confirmed,!seen_within:365' };

  test('has a name of its own and is listed, changed and deleted', async () => {
    const creatorId = (await anna.createCreator()).id;
    const made = (await anna.call(createSegment, { params: { creatorId }, body: input })).body;
    expect(made).toMatchObject(input);
    const again = await anna.call(createSegment, { params: { creatorId }, body: { ...input, name: 'QUIET ones' } });
    expect(again.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'name' }] });
    const params = { creatorId, segmentId: made.id };
    const changed = { name: 'Quiet', segment: 'any;any,status:none' };
    expect((await anna.call(changeSegment, { params, body: changed })).body).toEqual({ id: made.id, ...changed });
    expect((await anna.call(listSegments, { params: { creatorId } })).body.items).toEqual([
      { id: made.id, ...changed },
    ]);
    expect((await anna.call(deleteSegment, { params })).status).toBe(200);
    expect((await anna.call(deleteSegment, { params })).status).toBe(404);
  });

  test.each([
    ['an unknown field', 'all;all,secret:1'],
    ['a value it cannot have', 'all;all,status:happy'],
    ['more than 20 conditions', `all;any${',saves:1'.repeat(21)}`],
  ])('with %s is refused, saved, counted or listed', async (_, segment) => {
    const creatorId = (await anna.createCreator()).id;
    for (const answer of [
      await anna.call(createSegment, { params: { creatorId }, body: { name: 'Bad', segment } }),
      await anna.call(countSegment, { params: { creatorId }, query: { segment } }),
      await anna.call(listContacts, { params: { creatorId }, query: { segment } }),
    ]) {
      expect(answer.body).toMatchObject({ code: 'invalid_input' });
    }
  });

  test('counts and lists who is in it, the latest first', async () => {
    const { creatorId, connectionId } = await furnish();
    await sql`insert into memberships (creator_id, id, user_id, role, created_at)
      values (${creatorId}, gen_random_uuid(), ${anna.id}, 'owner', now())`.execute(app.db.engine);
    const one = {
      joinedTo: null,
      source: 'blog',
      language: 'en',
      confirmedDaysAgo: 3,
      savedDaysAgo: 2,
      clickedDaysAgo: null,
      tags: [],
      form: null,
      site: null,
      follows: null,
    } as const;
    await insert(
      creatorId,
      connectionId,
      [
        { ...one, newsletter: 'confirmed', seenDaysAgo: 4, pages: [0], tags: [0] },
        { ...one, newsletter: 'confirmed', seenDaysAgo: 2, pages: [], tags: [] },
        { ...one, newsletter: 'none', seenDaysAgo: 1, pages: [0], tags: [] },
      ],
      app.clock.now(),
    );
    const of = async (segment: string) => {
      const { count } = (await anna.call(countSegment, { params: { creatorId }, query: { segment } })).body;
      const { items } = (await anna.call(listContacts, { params: { creatorId }, query: { segment } })).body;
      expect(count).toBe(items.length);
      return items.map(({ id }: { id: string }) => id);
    };
    expect(await of('all;all,language:en')).toEqual([idAt('c', 1), idAt('c', 0)]);
    expect(await of('all;all,saves:1')).toEqual([idAt('c', 2), idAt('c', 0)]);
    expect(await of(`all;all,language:en,!tag:${TAGS[0]}`)).toEqual([idAt('c', 1)]);
  });
});

/** A tenth of the blocks that 100,000 contacts with 300,000 tags and 300,000 saves may take. */
const SOME = 10_000;
const MOST_BLOCKS = 1000;

test('twelve usual segments read few blocks each, and of one creator alone', async () => {
  const { creatorId } = await furnish();
  const owner = new pg.Client({ connectionString: app.db.connectionString });
  await owner.connect();
  await owner.query('set session_replication_role = replica');
  const site = SITES[0]!;
  await fillContacts(owner, { creatorId, count: SOME, forms: FORMS, site });
  // Whoever has a transaction open keeps it from telling that all see these rows.
  await expect.poll(() => vacuum(owner), { timeout: 60_000 }).toBe(true);
  const usual = await usualSegments(owner, { creatorId, form: FORMS[0]!, site });
  await owner.end();
  const read: Record<string, number> = {};
  for (const text of usual) read[text] = (await readBySegment(app.db, creatorId, text)).blocks;
  expect(Object.entries(read).filter(([, blocks]) => blocks > MOST_BLOCKS)).toEqual([]);
  expect(Math.max(...Object.values(read))).toBeGreaterThan(10);
}, 120_000);
