/// <reference lib="dom" />
/** The cards of three recipe plugins, and every way to a form, in the newest WordPress and in the oldest that we promise. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import type { Lane } from '#server/testing/wordpress.ts';
import { type Blog, fieldsOf, sendJson, startBlog } from './blog.ts';
import { SIGNUP_FORM } from './fake-hub.ts';

describe.each<[Lane, RegExp]>([
  ['7.1', /^7\.1\.\d+ on PHP \d/],
  ['6.2', /^6\.2\.\d+ on PHP 7\.4\./],
])('in WordPress %s', (lane, versions) => {
  let blog: Blog;
  let browser: Browser;

  beforeAll(async () => {
    [blog, browser] = await Promise.all([startBlog({ lane }), launchBrowser()]);
  });
  beforeEach(() => {
    blog.hub.submissions.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    expect(await blog.wordpress.complaints()).toEqual([]);
    await blog.close();
  });

  const place = (name: string) =>
    blog.wordpress.php(`update_option('creator_hq_places', array('place' => '${name}'));`);
  const read = async (path: string) => (await fetch(`${blog.wordpress.url}${path}`)).text();
  const lastRecipe = () => blog.hub.submissions.at(-1)!.page.recipe;

  test('the versions are those', async () => {
    expect(await blog.wordpress.php(`echo get_bloginfo('version'), ' on PHP ', PHP_VERSION;`)).toMatch(versions);
  });

  test('every function that the plugin calls is there', async () => {
    const answer = await blog.wordpress.php(String.raw`
      require_once ABSPATH . 'wp-admin/includes/admin.php';
      require_once ABSPATH . 'wp-admin/includes/upgrade.php';
      require_once ABSPATH . 'wp-includes/ms-blogs.php';
      require_once ABSPATH . 'wp-includes/ms-site.php';
      $called = array(); $known = array();
      foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(WP_PLUGIN_DIR . '/creator-hq')) as $file) {
        if ('php' !== $file->getExtension()) continue;
        $source = file_get_contents($file);
        $tokens = array_values(array_filter(token_get_all($source), function ($token) { return !is_array($token) || T_WHITESPACE !== $token[0]; }));
        foreach ($tokens as $at => $token) {
          $is_name = is_array($token) && (T_STRING === $token[0] || '\\' === $token[1][0]);
          if (!$is_name || '(' !== ($tokens[$at + 1] ?? '')) continue;
          $before = is_array($tokens[$at - 1]) ? $tokens[$at - 1][0] : 0;
          $name = ltrim($token[1], '\\');
          if (T_FUNCTION === $before) $known[] = $name;
          elseif (!in_array($before, array(T_OBJECT_OPERATOR, T_DOUBLE_COLON, T_NEW), true)
            && !preg_match("/(function_exists|is_callable)\( '$name' \)/", $source)) $called[] = $name;
        }
      }
      $missing = array_filter(array_diff(array_unique($called), $known), function ($name) { return !function_exists($name) && !class_exists($name); });
      echo json_encode(array(count($called) > 300, array_values($missing)));`);
    expect(JSON.parse(answer)).toEqual([true, []]);
  });

  test('a save from inside a card of WP Recipe Maker has its facts', async () => {
    await place('in_card');
    const id = await blog.recipe('Lemon cake');
    await blog.post(
      'First cake',
      `<!-- wp:wp-recipe-maker/recipe {"id":${id}} -->[wprm-recipe id="${id}"]<!-- /wp:wp-recipe-maker/recipe -->`,
    );
    const html = await read('/first-cake/');
    expect(html).toMatch(new RegExp(`<div id="wprm-recipe-container-${id}"[^>]*><creator-hq-form`));
    expect(fieldsOf(html).recipe).toBe(`wprm-${id}`);
    await sendJson(blog.wordpress.url, { ...fieldsOf(html), email: 'reader@example.com' });
    expect(lastRecipe()).toEqual({
      name: 'Lemon cake',
      anchor: `wprm-recipe-container-${id}`,
      ingredients: ['1 1/2 cups flour', '1 tsp salt & pepper, to taste'],
      totalMinutes: 45,
      yield: '4 people',
    });
  });

  test('a save from inside a card of Tasty Recipes has its facts', async () => {
    await place('in_card');
    const id = await blog.tastyRecipe('Waffles');
    await blog.post('Second cake', `<!-- wp:wp-tasty/tasty-recipe {"id":${id}} /-->`);
    const html = await read('/second-cake/');
    expect(html).toMatch(new RegExp(`<div id="tasty-recipes-${id}"[^>]*><creator-hq-form`));
    expect(fieldsOf(html).recipe).toBe(`tasty-${id}`);
    await sendJson(blog.wordpress.url, { ...fieldsOf(html), email: 'reader@example.com' });
    expect(lastRecipe()).toEqual({
      name: 'Waffles',
      anchor: `tasty-recipes-${id}`,
      ingredients: ['500 g flour', 'salt & pepper'],
      totalMinutes: 70,
      yield: '4 waffles',
    });
  });

  test('a save from inside a card of Create has its facts, and a list of it is no recipe', async () => {
    await place('in_card');
    await blog.creation(12, 'Oat bars');
    await blog.creation(13, 'Ten bars', { type: 'list' });
    const list = '[mv_create key="13" type="list" title="Ten bars"]';
    const card =
      '<!-- wp:mv/recipe {"id":12,"thumbnail_id":7} --><div>[mv_create key="12" type="recipe" title="Oat bars"]</div><!-- /wp:mv/recipe -->';
    await blog.post('Third cake', `${list}${card}`);
    const html = await read('/third-cake/');
    expect(html.match(/<creator-hq-form/g)).toHaveLength(1);
    expect(html).toMatch(/<section id="mv-creation-12"[^>]*><creator-hq-form/);
    expect(fieldsOf(html).recipe).toBe('create-12');
    const facts = {
      name: 'Oat bars',
      anchor: 'mv-creation-12',
      ingredients: ['2 cups rolled oats, toasted', '1 pinch [sea] salt', '50 g chocolate'],
      totalMinutes: 65,
      yield: '12 bars',
    };
    await sendJson(blog.wordpress.url, { ...fieldsOf(html), email: 'reader@example.com' });
    expect(lastRecipe()).toEqual(facts);

    // From elsewhere in the post, and of a card from a version that kept seconds.
    await place('after_content');
    await blog.creation(12, 'Oat bars', { total_time: '3900' });
    const after = fieldsOf(await read('/third-cake/'));
    expect(after.recipe).toBe('create-12');
    await sendJson(blog.wordpress.url, { ...after, email: 'other@example.com' });
    expect(lastRecipe()).toEqual(facts);
  });

  test('block, shortcode and automatic place print a form', async () => {
    await place('none');
    await blog.post('By hand', `<!-- wp:creator-hq/form {"form":"${SIGNUP_FORM}"} /-->[creator_hq_save]`);
    await blog.post('By itself', 'Hello');
    expect((await read('/by-hand/')).match(/<creator-hq-form/g)).toHaveLength(2);
    expect(await read('/by-itself/')).not.toContain('<creator-hq-form');
    await place('after_content');
    expect((await read('/by-itself/')).match(/<creator-hq-form/g)).toHaveLength(1);
  });

  test.each([true, false])('a reader saves in the browser, with JavaScript: %s', async (javaScriptEnabled) => {
    await place('none');
    await blog.post(`Browser ${javaScriptEnabled}`, '[creator_hq_save]');
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${blog.wordpress.url}/browser-${javaScriptEnabled}/`);
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('reader@example.com');
    await page.getByRole('button', { name: 'Send it to me' }).click();
    await page.getByText('Sent. Look in your inbox.').waitFor();
    const path = javaScriptEnabled ? `/browser-${javaScriptEnabled}/` : '/?creator-hq=submit';
    expect(page.url()).toBe(`${blog.wordpress.url}${path}`);
    await context.close();
    expect(blog.hub.submissions.map(({ email }) => email)).toEqual(['reader@example.com']);
  });
});
