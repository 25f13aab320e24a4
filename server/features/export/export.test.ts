import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTACTS_CSV_PATH, FIGURES_CSV_PATH, INTERACTIONS_CSV_PATH } from '#contract/figures.ts';
import { EXPORT_PATH, makeApiKey } from '#contract/settings.ts';
import { createTag, tagContacts } from '#contract/tags.ts';
import { systemIds } from '#server/clock.ts';
import { HELD } from '#server/features/registered.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { insertConnection, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { exportCreator } from './export.ts';
import { contactsTable } from './tables.ts';

const EXPORTED = HELD.flatMap(({ table, exported }) =>
  'as' in exported ? [{ name: exported.as, table, without: exported.without ?? [] }] : [],
);

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let followers: Followers;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator('goldenfork')).id;
  key = (await anna.call(makeApiKey, { params: { creatorId } })).body.key;
  followers = await createFollowers(app);
  const account = await followers.connect(creatorId);
  const { connectionId } = account;
  await followers.automation(anna, account, { words: ['recipe'] });
  await insertPost(app.db, creatorId, connectionId, { caption: 'Crème "brûlée"\n🍮 </script>' });
  // More than is read at a time.
  for (let i = 0; i < 3; i++) await followers.ask(account, { text: `recipe ${i}` });
  await sql`
    insert into people (creator_id, connection_id, id, first_seen_at)
    select ${creatorId}, ${connectionId}, 'somebody-' || n, now() from generate_series(1, 1200) as n
  `.execute(app.db.engine);
  await sql`
    insert into tokens (creator_id, id, kind, subject_id, secret, issued_at)
    values (${creatorId}, ${systemIds.uuid(new Date())}, 'INSTAGRAM_BUSINESS_USER', 'x', 'sealed-secret', now())
  `.execute(app.db.engine);
  const stranger = await app.signUpAndIn();
  await insertConnection(app.db, (await stranger.createCreator('strangerskitchen')).id);
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

const download = (who: Pick<Person, 'send'> = anna) => who.send({ method: 'GET', url: EXPORT_PATH(creatorId) });

describe('the download of everything', () => {
  test('asks to log in', async () => {
    expect(await download(app.visitor())).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });

  test('is nothing for strangers, and no address for a creator that does not exist', async () => {
    const stranger = await app.signUpAndIn();
    await stranger.createCreator();
    expect((await download(stranger)).status).toBe(404);
    for (const id of ['0', '00000000-0000-7000-8000-000000000000', "x' or true"]) {
      expect((await anna.send({ method: 'GET', url: EXPORT_PATH(encodeURIComponent(id)) })).status).toBe(404);
    }
  });

  test('is for owners only', async () => {
    const bert = await app.signUpAndIn();
    const row = { id: systemIds.uuid(new Date()), user_id: bert.id, role: 'collaborator' as const };
    await app.db.engine
      .insertInto('memberships')
      .values({ ...row, creator_id: creatorId, created_at: app.clock.now() })
      .execute();
    expect(await download(bert)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  test('has every row of the creator, no other one and no secret', async () => {
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="creator-hq-\d{4}-\d\d-\d\d\.json"$/),
      'cache-control': 'no-store',
    });
    const file = answer.body;
    expect(file).toMatchObject({
      format: 'creator-hq-export',
      creator: { id: creatorId, handle: 'goldenfork' },
      complete: true,
    });
    expect(file.teamPeople).toContainEqual({ id: anna.id, name: 'Anna', email: anna.email, role: 'owner' });
    expect(file.posts[0].caption).toBe('Crème "brûlée"\n🍮 </script>');
    for (const { name, table } of EXPORTED) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(table)} where creator_id = ${creatorId}`.execute(app.db.engine);
      expect(file[name], name).toHaveLength(rows[0]!.count);
    }
    expect(file.people).toHaveLength(1203);
    expect(answer.text).not.toMatch(/strangerskitchen|sealed-secret|_hash"/);
    expect(answer.text).not.toContain(key);
  });

  test('has no column that holds a secret', async () => {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    `.execute(app.db.engine);
    const shown = EXPORTED.flatMap(({ table, without }) =>
      columns.filter((one) => one.table === table && !without.includes(one.column)).map(({ column }) => column),
    );
    expect(shown.filter((column) => /hash|secret|token|password/.test(column))).toEqual([]);
  });

  test('is of one moment: what comes while it runs is not in it', async () => {
    const parts = exportCreator(app.deps, creatorId, app.clock.now());
    let text = (await parts.next()).value as string;
    text += (await parts.next()).value as string;
    const { id: connectionId } = await app.db.engine
      .selectFrom('connections')
      .select('id')
      .where('creator_id', '=', creatorId)
      .executeTakeFirstOrThrow();
    await insertInteraction(app.db, creatorId, connectionId);
    for await (const part of parts) text += part;
    expect(JSON.parse(text).interactions).toHaveLength(3);
  });

  test('gives its connection back when the reader leaves in the middle', async () => {
    for (let i = 0; i < 20; i++) {
      const parts = exportCreator(app.deps, creatorId, app.clock.now());
      await parts.next();
      await parts.next();
      await parts.return(undefined);
    }
    expect((await download()).status).toBe(200);
  });

  test('is not for every minute', async () => {
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await download());
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  });
});

describe('tables for spreadsheets', () => {
  const table = (path: string, who: Pick<Person, 'send'> = anna) => who.send({ method: 'GET', url: path });

  test('are for owners, except the figures', async () => {
    expect((await table(INTERACTIONS_CSV_PATH(creatorId), app.visitor())).status).toBe(401);
    const bert = await app.signUpAndIn();
    const row = { id: systemIds.uuid(new Date()), user_id: bert.id, role: 'collaborator' as const };
    await app.db.engine
      .insertInto('memberships')
      .values({ ...row, creator_id: creatorId, created_at: app.clock.now() })
      .execute();
    expect((await table(INTERACTIONS_CSV_PATH(creatorId), bert)).status).toBe(403);
    expect((await table(CONTACTS_CSV_PATH(creatorId), bert)).status).toBe(403);
    expect((await table(FIGURES_CSV_PATH(creatorId), bert)).status).toBe(200);
  });

  test('have the rows that the filter leaves, and no formula', async () => {
    const { id: connectionId } = await app.db.engine
      .selectFrom('connections')
      .select('id')
      .where('creator_id', '=', creatorId)
      .executeTakeFirstOrThrow();
    await insertInteraction(app.db, creatorId, connectionId, {
      username: '=hyperlink("http://x.test")',
      text: 'a, "b"',
      post_id: 'p1',
    });
    const all = await table(INTERACTIONS_CSV_PATH(creatorId));
    expect(all.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"$/),
    });
    expect(all.text.startsWith('\uFEFFday,written,kind,handle,')).toBe(true);
    const one = await table(`${INTERACTIONS_CSV_PATH(creatorId)}?postId=p1`);
    expect(one.text.split('\r\n')).toHaveLength(3);
    expect(one.text).toContain(`"'=hyperlink(""http://x.test"")"`);
    expect(one.text).toContain('"a, ""b"""');
    expect((await table(`${INTERACTIONS_CSV_PATH(creatorId)}?outcome=nonsense`)).status).toBe(422);
    const figures = await table(`${FIGURES_CSV_PATH(creatorId)}?from=2026-01-01&to=2026-01-02`);
    expect(figures.text).toBe(
      '\uFEFFday,comments,matched,sent,opened,clicked,addresses\r\n2026-01-01,0,0,0,0,0,0\r\n2026-01-02,0,0,0,0,0,0\r\n',
    );
  });

  test('of contacts hold one segment, or one tag', async () => {
    const who = ['in', 'out'].map((name) => ({ name, id: systemIds.uuid(new Date()) }));
    for (const { name, id } of who) {
      const email = `${name}@segment.test`;
      await sql`
        insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, source, first_seen_at, last_seen_at, language)
        values (${creatorId}, ${id}, ${email}, ${email}, 'none', 'none', 'file', now(), now(), ${name === 'in' ? 'fi' : 'sv'})
      `.execute(app.db.engine);
    }
    const made = await anna.call(createTag, { params: { creatorId }, body: { name: 'Export' } });
    const tagId = made.body.id;
    await anna.call(tagContacts, {
      params: { creatorId },
      body: { contactIds: [who[0]!.id], give: ['Export'], take: [] },
    });
    for (const query of ['segment=all;all,language:fi', `tagId=${tagId}`]) {
      const { text } = await table(`${CONTACTS_CSV_PATH(creatorId)}?${query}`);
      expect(text.split('\r\n')).toHaveLength(3);
      expect(text).toContain('in@segment.test');
    }
    const nonsense = await table(`${CONTACTS_CSV_PATH(creatorId)}?segment=all;all,saves:many`);
    expect(nonsense).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  });

  test('are read some rows at a time', async () => {
    await sql`update people set last_seen_at = first_seen_at where creator_id = ${creatorId}`.execute(app.db.engine);
    const parts: string[] = [];
    for await (const part of contactsTable(app.db, creatorId, {}, app.clock.now())) parts.push(part);
    expect(parts.map((part) => part.split('\r\n').length - 1).slice(0, 2)).toEqual([1, 1000]);
    expect(parts.join('').split('\r\n').length - 2).toBeGreaterThanOrEqual(1200);
  });
});
