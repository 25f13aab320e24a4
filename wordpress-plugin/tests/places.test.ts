import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Blog, fieldsOf, sendJson, startBlog } from './blog.ts';
import { SAVE_FORM, SIGNUP_FORM } from './fake-hub.ts';

let blog: Blog;
let recipes: number[];

beforeAll(async () => {
  blog = await startBlog();
  recipes = [await blog.recipe('First'), await blog.recipe('Second')];
  await blog.post(
    'Round-up',
    recipes
      .map(
        (id) =>
          `<!-- wp:wp-recipe-maker/recipe {"id":${id}} -->[wprm-recipe id="${id}"]<!-- /wp:wp-recipe-maker/recipe -->`,
      )
      .join('\n'),
  );
});
beforeEach(() => place('none'));
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const place = (name: string, more = '') =>
  blog.wordpress.php(`update_option('creator_hq_places', array('place' => '${name}' ${more}));`);
const read = async (path: string) => (await fetch(`${blog.wordpress.url}${path}`)).text();
const forms = (html: string) => html.match(/<creator-hq-form/g)?.length ?? 0;

test('in a round-up each card saves its own recipe', async () => {
  await place('in_card');
  const html = await read('/round-up/');
  expect(forms(html)).toBe(2);
  const cards = html.split('class="wprm-recipe-container"').slice(1);
  expect(cards.map((card) => fieldsOf(card).recipe)).toEqual(recipes.map((id) => `wprm-${id}`));
  expect(html.match(/form\.js/g)).toHaveLength(1);
});

test('before the cards, after the text, or nowhere', async () => {
  expect(forms(await read('/round-up/'))).toBe(0);
  await place('before_card');
  const before = await read('/round-up/');
  expect(before.indexOf('<creator-hq-form')).toBeLessThan(before.indexOf('wprm-recipe-container'));
  await place('after_content', `, 'form' => '${SIGNUP_FORM}'`);
  const after = await read('/round-up/');
  expect(forms(after)).toBe(1);
  expect(after.indexOf('<creator-hq-form')).toBeGreaterThan(after.lastIndexOf('wprm-recipe-container'));
  expect(fieldsOf(after)).toMatchObject({ form: SIGNUP_FORM, recipe: `wprm-${recipes[0]}` });
});

test('not in categories that were left out, nor twice where one stands by hand, nor in lists of posts', async () => {
  await blog.post('By hand', 'Text [creator_hq_save]');
  await place('after_content');
  expect(forms(await read('/by-hand/'))).toBe(1);
  // Only the one that stands in its post's own text.
  expect(forms(await read('/'))).toBe(1);
  await place('after_content', `, 'not_in' => array((int) get_option('default_category'))`);
  expect(forms(await read('/round-up/'))).toBe(0);
});

test('the block and the shortcode with an id print that form', async () => {
  await blog.post(
    'Chosen',
    `<!-- wp:creator-hq/form {"form":"${SIGNUP_FORM}"} /-->[creator_hq_form id="${SAVE_FORM}"][creator_hq_form id="gone"]`,
  );
  const html = await read('/chosen/');
  expect([...html.matchAll(/name="form" value="(\w+)"/g)].map(([, key]) => key)).toEqual([SIGNUP_FORM, SAVE_FORM]);
});

test('no form in feeds, in the REST answer of a post, in excerpts, and behind a password', async () => {
  await blog.post('Secret', '[creator_hq_save]', `'post_password' => 'x'`);
  await place('in_card');
  expect(await read('/feed/')).not.toContain('creator-hq-form');
  expect(await read('/wp-json/wp/v2/posts')).not.toContain('creator-hq-form');
  expect(await read('/secret/')).not.toContain('creator-hq-form');
  expect(await blog.wordpress.php(`echo get_the_excerpt(get_page_by_path('by-hand', OBJECT, 'post'));`)).not.toContain(
    'Save this recipe',
  );
});

test('the form speaks the language of the page', async () => {
  const german = `switch_to_locale('de_DE'); echo CreatorHq\\Forms\\Printer::form(CreatorHq\\Forms\\Store::find('${SAVE_FORM}'), 1, '');`;
  expect(
    await blog.wordpress.php(`add_filter('determine_locale', function () { return 'de_AT'; }); ${german}`),
  ).toContain('Rezept speichern');
  expect(
    await blog.wordpress.php(`add_filter('determine_locale', function () { return 'fr_FR'; }); ${german}`),
  ).toContain('Save this recipe');
});

test('a card that we do not know is read from its JSON-LD', async () => {
  const recipe = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebPage' },
      {
        '@type': ['Recipe', 'NewsArticle'],
        name: 'Soup &amp; bread',
        recipeYield: ['6', '6 bowls'],
        totalTime: 'PT1H10M',
        recipeIngredient: ['2 <b>onions</b>', ''],
      },
    ],
  });
  await blog.wordpress.php(`
    file_put_contents(WP_CONTENT_DIR . '/mu-plugins/card.php', '<?php add_shortcode("other-card", function () { return "<script type=\\"application/ld+json\\">" . get_option("other_card") . "</script>"; });');
    update_option('other_card', base64_decode('${Buffer.from(recipe).toString('base64')}'));`);
  await blog.post('Soup', '[other-card] [creator_hq_save]');
  const fields = fieldsOf(await read('/soup/'));
  await sendJson(blog.wordpress.url, { ...fields, email: 'soup@example.com' });
  expect(blog.hub.submissions.at(-1)!.page.recipe).toEqual({
    name: 'Soup & bread',
    anchor: null,
    ingredients: ['2 onions'],
    totalMinutes: 70,
    yield: '6 bowls',
  });
});

test('a page without a recipe is saved as a page', async () => {
  await blog.post('Story', '[creator_hq_save]');
  await sendJson(blog.wordpress.url, { ...fieldsOf(await read('/story/')), email: 'story@example.com' });
  expect(blog.hub.submissions.at(-1)!.page).toMatchObject({ title: 'Story', recipe: null });
});
