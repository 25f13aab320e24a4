import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Blog, connectTo, fieldsOf, sendJson, sendNatively, startBlog } from './blog.ts';
import { KEY } from './fake-hub.ts';

let blog: Blog;
let fields: Record<string, string>;

beforeAll(async () => {
  blog = await startBlog();
  await blog.post('Pie', '[creator_hq_save]');
  fields = fieldsOf(await (await fetch(`${url()}/pie/`)).text());
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const url = () => blog.wordpress.url;
const save = (email: string, attempt: string = crypto.randomUUID()) => sendJson(url(), { ...fields, email, attempt });
const waiting = async () => Number(await blog.wordpress.php(`echo CreatorHq\\Outbox::count();`));
const runCron = () => blog.wordpress.php(`do_action('creator_hq_outbox');`);
/** As if the pause after a failure were over. */
const mayAskAgain = () => blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
const emails = () => blog.hub.submissions.map(({ email }) => email);
beforeEach(async () => {
  // Other tests are no reason to think that too much comes from here.
  await blog.wordpress.php(
    `if (CreatorHq\\Tables::are_there()) { global $wpdb; $wpdb->query('DELETE FROM ' . CreatorHq\\Tables::recent()); }`,
  );
  blog.hub.submissions.length = 0;
  blog.hub.calls.length = 0;
});

test('with the hub away nobody is asked to try again, and one of two presses is enough', async () => {
  await blog.hub.goAway();
  const attempt = crypto.randomUUID();
  const saved = { status: 200, body: { result: 'saved', message: 'Saved. It comes as soon as we can send it.' } };
  expect(await save('one@example.com', attempt)).toMatchObject(saved);
  expect(await save('one@example.com', attempt)).toMatchObject(saved);
  expect((await sendNatively(url(), { ...fields, email: 'two@example.com' })).html).toContain('Saved. It comes');
  expect(await waiting()).toBe(2);

  await blog.hub.comeBack();
  await runCron();
  // It failed a moment ago: not asked yet.
  expect(await waiting()).toBe(2);
  await mayAskAgain();
  await runCron();
  expect(await waiting()).toBe(0);
  expect(emails()).toEqual(['one@example.com', 'two@example.com']);
  expect(await blog.wordpress.php(`echo json_encode(wp_next_scheduled('creator_hq_outbox'));`)).toBe('false');
});

test('500 saves of an hour without the hub all arrive once, 50 in a call, with their own times', async () => {
  await blog.hub.goAway();
  const emailOf = (i: number) => `reader${i}@example.com`;
  expect((await save(emailOf(0))).body.result).toBe('saved');
  // The others as they come to the outbox, without 499 requests of their own.
  await blog.wordpress.php(`
    global $wpdb;
    $first = json_decode($wpdb->get_var('SELECT body FROM ' . CreatorHq\\Tables::outbox()), true);
    for ($i = 1; $i < 500; $i++) {
      CreatorHq\\Outbox::add(array_merge($first, array('attempt' => wp_generate_uuid4(), 'email' => "reader$i@example.com", 'submittedAt' => '2026-11-24T10:00:00Z')));
    }`);
  expect(await waiting()).toBe(500);
  await blog.hub.comeBack();
  await mayAskAgain();
  // Two runs at once, as cron and a reader do it.
  await Promise.all([runCron(), runCron()]);
  await runCron();
  expect(await waiting()).toBe(0);
  expect(new Set(emails())).toEqual(new Set(Array.from({ length: 500 }, (_, i) => emailOf(i))));
  expect(blog.hub.submissions).toHaveLength(500);
  expect(new Set(blog.hub.submissions.map(({ attempt }) => attempt)).size).toBe(500);
  for (const { body } of blog.hub.calls) expect((body.submissions as unknown[]).length).toBeLessThanOrEqual(50);
  expect(blog.hub.submissions.at(-1)!.submittedAt).toBe('2026-11-24T10:00:00Z');
});

test('the next save takes along what waits', async () => {
  blog.hub.status = 503;
  expect((await save('waits@example.com')).body.result).toBe('saved');
  blog.hub.status = null;
  await mayAskAgain();
  expect((await save('next@example.com')).body.result).toBe('on_its_way');
  await expect.poll(emails).toEqual(['next@example.com', 'waits@example.com']);
  await expect.poll(waiting).toBe(0);
});

test.each([401, 404, 500, 503, 429, 302])(
  'an answer of %s keeps the save, and the hub is left alone for a while',
  async (status) => {
    blog.hub.status = status;
    expect((await save(`status${status}@example.com`)).body.result).toBe('saved');
    expect((await save(`again${status}@example.com`)).body.result).toBe('saved');
    expect(blog.hub.calls).toHaveLength(1);
    blog.hub.status = null;
    await mayAskAgain();
    await runCron();
    expect(emails()).toEqual([`status${status}@example.com`, `again${status}@example.com`]);
  },
);

test('a lost answer means the same attempt again', async () => {
  const attempt = crypto.randomUUID();
  expect((await save('lost@example.com', attempt)).body.result).toBe('on_its_way');
  expect((await save('lost@example.com', attempt)).body.result).toBe('on_its_way');
  expect(new Set(blog.hub.submissions.map((submission) => submission.attempt))).toEqual(new Set([attempt]));
});

test('a call that the hub does not understand holds up nobody: they go one by one', async () => {
  blog.hub.status = 503;
  for (const name of ['good', 'bad', 'fine']) await save(`${name}@example.com`);
  blog.hub.status = null;
  await mayAskAgain();
  blog.hub.refuses = (submissions) => submissions.some(({ email }) => email === 'bad@example.com');
  await runCron();
  blog.hub.refuses = () => false;
  expect(emails()).toEqual(['good@example.com', 'fine@example.com']);
  expect(await waiting()).toBe(0);
  expect(await blog.wordpress.php(`echo CreatorHq\\State::get('lost');`)).toBe('1');
});

test('what waited for 72 hours goes, is counted, and is named in wp-admin', async () => {
  blog.hub.status = 503;
  await save('old@example.com');
  blog.hub.status = null;
  await blog.wordpress.php(
    `global $wpdb; $wpdb->query('UPDATE ' . CreatorHq\\Tables::outbox() . ' SET added_at = added_at - 72 * 3600 - 60');`,
  );
  await mayAskAgain();
  await runCron();
  expect(emails()).toEqual([]);
  expect(await blog.wordpress.wp('creator-hq', 'status')).toContain('2 saves could not be sent.');
});

test('a full outbox says so instead of taking a save that it cannot keep', async () => {
  blog.hub.status = 503;
  await save('fills@example.com');
  await blog.wordpress.php(`
    global $wpdb; $table = CreatorHq\\Tables::outbox();
    $values = array(); for ($i = 0; $i < 4999; $i++) { $values[] = "('a$i', 'b', '{}', 1900000000)"; }
    foreach (array_chunk($values, 500) as $chunk) { $wpdb->query("INSERT INTO $table (attempt, address, body, added_at) VALUES " . implode(',', $chunk)); }`);
  expect(await save('too-many@example.com')).toMatchObject({ status: 503, body: { result: 'refused', code: 'full' } });
  await blog.wordpress.php(`global $wpdb; $wpdb->query('DELETE FROM ' . CreatorHq\\Tables::outbox());`);
  blog.hub.status = null;
  await mayAskAgain();
});

test('a key that was replaced keeps the saves until the new one is pasted', async () => {
  await blog.wordpress.php(connectTo(blog.hub.url, `chq_${'o'.repeat(40)}`));
  expect((await save('key@example.com')).body.result).toBe('saved');
  expect(await blog.wordpress.wp('creator-hq', 'status')).toContain('no longer accepts the API key');
  await blog.wordpress.php(connectTo(blog.hub.url, KEY));
  await runCron();
  expect(emails()).toEqual(['key@example.com']);
});

test('WordPress’s own export and erasure find a reader in what waits', async () => {
  blog.hub.status = 503;
  await save('erase-me@example.com');
  const asked = (what: string) =>
    blog.wordpress.php(`echo json_encode(CreatorHq\\Privacy::${what}('Erase-Me@example.com'));`).then(JSON.parse);
  expect((await asked('export')).data[0].data).toContainEqual({ name: 'Email', value: 'erase-me@example.com' });
  expect(await asked('erase')).toMatchObject({ items_removed: true, done: true });
  expect(await waiting()).toBe(0);
  blog.hub.status = null;
});
