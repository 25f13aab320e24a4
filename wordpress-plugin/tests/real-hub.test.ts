import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseContact, listContacts } from '#contract/contacts.ts';
import { createForm, listForms } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { listRecipes } from '#contract/recipes.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { type Kitchen, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { type Blog, connectTo, fieldsOf, sendJson, sendNatively, startBlog } from './blog.ts';

let kitchen: Kitchen;
let app: TestApp;
let anna: Person;
let creator: { id: string; handle: string };
let blog: Blog;
let connect: (hub?: string) => Promise<string>;

beforeAll(async () => {
  [kitchen, blog] = await Promise.all([startKitchen(), startBlog({ isConnected: false })]);
  ({ app } = kitchen);
  anna = await app.signUpAndIn();
  creator = await anna.createCreator();
  const hub = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { key } = (await anna.call(makeApiKey, { params: { creatorId: creator.id } })).body;
  connect = (address = hub) => blog.wordpress.php(connectTo(address, key));
  await connect();
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await kitchen.close();
});

const params = () => ({ creatorId: creator.id });
const page = async () => (await fetch(`${blog.wordpress.url}/pie/`)).text();

test('the real Creator HQ knows the plugin, and its forms stand in the blog, each place in them filled in', async () => {
  expect(await blog.wordpress.wp('creator-hq', 'status')).toContain(`Connected as @${creator.handle}.`);
  expect((await anna.call(getApiKey, { params: params() })).body.pluginVersion).toBe('0.1.0');
  const [form] = (await anna.call(listForms, { params: params() })).body.items;
  const post = await blog.post('Pie', `[creator_hq_form id="${form.key}"]`);
  const html = await page();
  expect(fieldsOf(html)).toEqual({
    form: form.key,
    post: String(post),
    recipe: '',
    stamp: expect.stringMatching(/^\d+\.[\w-]{43}$/),
    attempt: '',
    return: '',
  });
  expect(html).not.toContain('%%chq');
  // WordPress left the form as it was printed.
  expect(html).toContain('<template shadowrootmode="open"><style>:host{');
  expect(html).toContain('</form></template></creator-hq-form>');
});

test('a new form is on the blog with the next look', async () => {
  const { design } = MADE_FORMS[0]!;
  const made = await anna.call(createForm, { params: params(), body: { kind: 'save', name: 'Soup', design } });
  await blog.wordpress.php(`do_action('creator_hq_forms');`);
  expect(await blog.wordpress.php(`echo CreatorHq\\Forms\\Store::find('${made.body.key}')['name'];`)).toBe('Soup');
  const thanks = `echo CreatorHq\\Forms\\Printer::thanks(CreatorHq\\Forms\\Store::find('${made.body.key}'));`;
  expect(await blog.wordpress.php(thanks)).toBe(design.texts[0]!.thanks);
});

test('a reader’s save is a contact, a kept recipe and a mail at Creator HQ, once for each attempt', async () => {
  const { items } = (await anna.call(listForms, { params: params() })).body;
  const form = items.find(({ kind }: { kind: string }) => kind === 'save');
  const recipe = await blog.recipe('Plum pie');
  await blog.post('Plum pie', `[wprm-recipe id="${recipe}"][creator_hq_form id="${form.key}"]`);
  const html = await (await fetch(`${blog.wordpress.url}/plum-pie/`)).text();
  const save = { ...fieldsOf(html), email: 'rosa@example.test', newsletter: '1', attempt: crypto.randomUUID() };
  const answers = [await sendJson(blog.wordpress.url, save), await sendJson(blog.wordpress.url, save)];
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { result: 'please_confirm' } });
  const { rows } = await app.db.enginePool.query(
    `select c.email, c.newsletter, s.url, s.recipe ->> 'name' as recipe, m.kind, m.state
     from contacts c join saved_recipes s on s.contact_id = c.id join reader_mails m on m.contact_id = c.id
     where c.creator_id = $1`,
    [creator.id],
  );
  expect(rows).toEqual([
    {
      email: 'rosa@example.test',
      newsletter: 'unconfirmed',
      url: `${blog.wordpress.url}/plum-pie/`,
      recipe: 'Plum pie',
      kind: 'save',
      state: 'waiting',
    },
  ]);
});

test('who is erased while a save of theirs waits on the blog is gone from there, too, and does not come back', async () => {
  const { items } = (await anna.call(listForms, { params: params() })).body;
  const form = items.find(({ kind }: { kind: string }) => kind === 'save');
  await blog.post('Fig pie', `[creator_hq_form id="${form.key}"]`);
  const html = await (await fetch(`${blog.wordpress.url}/fig-pie/`)).text();
  const save = () =>
    sendJson(blog.wordpress.url, { ...fieldsOf(html), email: 'zqfig@example.test', attempt: crypto.randomUUID() });
  const inOutbox = () =>
    blog.wordpress.php(
      `global $wpdb; echo $wpdb->get_var('SELECT COUNT(*) FROM ' . CreatorHq\\Tables::outbox() . " WHERE body LIKE '%zqfig@%'");`,
    );
  const contacts = async () =>
    (await anna.call(listContacts, { params: params(), query: { search: 'zqfig' } })).body.items;
  expect((await save()).body).toMatchObject({ result: 'on_its_way' });
  await connect('http://127.0.0.1:9');
  expect((await save()).body).toMatchObject({ result: 'saved' });
  expect(await inOutbox()).toBe('1');

  // The hub's time goes on from then.
  await app.clock.advance(Date.now() - app.clock.now().getTime() + 60_000);
  const [{ id: contactId }] = await contacts();
  expect((await anna.call(eraseContact, { params: { ...params(), contactId } })).status).toBe(200);
  await connect();
  await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0)); do_action('creator_hq_outbox');`);
  expect(await inOutbox()).toBe('0');
  expect(await contacts()).toEqual([]);
});

test('when the blog’s permalinks change, emails that were sent lead to the post, and it is the same recipe, saved once', async () => {
  const recipes = async () =>
    (await anna.call(listRecipes, { params: params(), query: { search: 'Pear tart' } })).body.items;
  const saves = async () =>
    (
      await app.db.enginePool.query(
        `select s.url, s.times, c.saved_count as count from saved_recipes s join contacts c on c.id = s.contact_id
         where s.creator_id = $1 and c.email = 'pear@example.test'`,
        [creator.id],
      )
    ).rows;
  const change = async (permalinks: string) => {
    await blog.wordpress.php(
      `$GLOBALS['wp_rewrite']->set_permalink_structure('${permalinks}'); flush_rewrite_rules();`,
    );
    await blog.tellPosts();
  };
  const { items } = (await anna.call(listForms, { params: params() })).body;
  const form = items.find(({ kind }: { kind: string }) => kind === 'save');
  const card = await blog.recipe('Pear tart');
  const post = await blog.post('Pear tart', `[wprm-recipe id="${card}"][creator_hq_form id="${form.key}"]`);
  await change('');
  const plain = `${blog.wordpress.url}/?p=${post}`;
  const [recipe] = await recipes();
  expect(recipe).toMatchObject({ url: plain });
  const save = { ...fieldsOf(await (await fetch(plain)).text()), email: 'pear@example.test' };
  expect((await sendNatively(blog.wordpress.url, save)).status).toBe(200);
  await kitchen.deliver();
  const mail = (await kitchen.inbox()).find(({ to }) => to === 'pear@example.test')!;
  expect(mail.html).toContain(`href="${plain}`);
  const [, link] = new RegExp(`href="(${blog.wordpress.url}[^"]*)"`).exec(mail.html!)!;

  for (const [permalinks, path] of [
    ['/%postname%/', '/pear-tart/'],
    ['/recipes/%postname%/', '/recipes/pear-tart/'],
  ] as const) {
    await change(permalinks);
    const now = `${blog.wordpress.url}${path}`;
    expect(await recipes()).toMatchObject([{ id: recipe.id, url: now }]);
    const reached = await fetch(link!.replaceAll('&amp;', '&'));
    await reached.text();
    expect([reached.status, reached.url.split('#')[0]]).toEqual([200, now]);
    expect(await saves()).toEqual([{ url: now, times: 1, count: 1 }]);
  }
  const fresh = fieldsOf(await (await fetch(`${blog.wordpress.url}/recipes/pear-tart/`)).text());
  const again = { ...fresh, email: 'pear@example.test', attempt: crypto.randomUUID() };
  expect((await sendJson(blog.wordpress.url, again)).body).toMatchObject({ result: 'on_its_way' });
  expect(await saves()).toEqual([{ url: `${blog.wordpress.url}/recipes/pear-tart/`, times: 2, count: 1 }]);
});
