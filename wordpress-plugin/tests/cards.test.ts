/// <reference lib="dom" />
/**
 * The cards of three recipe plugins, and every way to a form, in the newest WordPress and in the oldest that we promise; of the
 * oldest also what has files of its own for the newest: the gate, the form without script, the sync of posts, the
 * hub away.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import type { Lane } from '#server/testing/wordpress.ts';
import { type Blog, fieldsOf, sendJson, sendNatively, startBlog, WITHOUT_SCRIPT } from './blog.ts';
import { GATE_FORM, printed, SIGNUP_FORM } from './fake-hub.ts';
import { DOORS, plant, planted, visitsOf } from './gate-doors.ts';

/** Some forty pages, one after the other, on a machine that may have other things to do. */
const PATIENCE_MS = 240_000;

describe.each<[Lane, RegExp]>([
  ['7.1', /^7\.1\.\d+ on PHP \d/],
  ['6.2', /^6\.2\.\d+ on PHP 7\.4\./],
])('in WordPress %s', (lane, versions) => {
  let blog: Blog;
  let browser: Browser;

  beforeAll(async () => {
    [blog, browser] = await Promise.all([startBlog({ lane, plugins: ['fake-doors'] }), launchBrowser()]);
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
  const open = async (path_: string, options: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>) => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
    const page = await context.newPage();
    await prepare?.(page);
    await page.goto(`${blog.wordpress.url}${path_}`);
    return { page, [Symbol.asyncDispose]: () => context.close() };
  };
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
    await using visit = await open(`/browser-${javaScriptEnabled}/`, { javaScriptEnabled });
    const { page } = visit;
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('reader@example.com');
    await page.getByRole('button', { name: 'Send it to me' }).click();
    await page.getByText('Sent. Look in your inbox.').waitFor();
    const path = javaScriptEnabled ? `/browser-${javaScriptEnabled}/` : '/?creator-hq=submit';
    expect(page.url()).toBe(`${blog.wordpress.url}${path}`);
    expect(blog.hub.submissions.map(({ email }) => email)).toEqual(['reader@example.com']);
  });

  if (lane === '6.2') {
    test.each(WITHOUT_SCRIPT.slice(1, 3))(
      'the browser sends the form itself when %s',
      async (_name, options, prepare) => {
        await using visit = await open('/browser-true/', options, prepare);
        const { page } = visit;
        await page.getByRole('textbox', { name: 'Email', exact: true }).fill('native@example.com');
        await page.getByRole('button', { name: 'Send it to me' }).click();
        await page.getByText('Sent. Look in your inbox.').waitFor();
        expect(page.url()).toBe(`${blog.wordpress.url}/?creator-hq=submit`);
        expect(blog.hub.submissions.map(({ email }) => email)).toEqual(['native@example.com']);
      },
    );

    test('no door shows a stranger what is locked, and it opens after a sign-up, with script and without', {
      timeout: PATIENCE_MS,
    }, async () => {
      blog.hub.forms.push(printed(GATE_FORM, 'gate', 'Subscribers only'));
      await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
      const locked = await plant(blog, 'rest');
      const visits = visitsOf(blog);
      for (const { door, leads, open: opens } of DOORS) {
        const text = await opens(visits, locked, 'stranger');
        expect(planted(text), door).toEqual([]);
        // It led there.
        if (leads) expect(text, door).toMatch(/(Cake|Card of) rest|Hello cake/);
      }
      for (const [, options] of [['', {}] as const, ...WITHOUT_SCRIPT.slice(0, 1)]) {
        await using visit = await open(`/${locked.name}/`, options);
        const { page } = visit;
        expect(planted(await page.content())).toEqual([]);
        await page.getByRole('textbox', { name: 'Email', exact: true }).fill('reader@example.com');
        await page.getByLabel('Send me new recipes too').check();
        await page.getByRole('button', { name: 'Send it to me' }).click();
        if (options.javaScriptEnabled === false) await page.getByRole('button', { name: 'Read on' }).click();
        await page.getByText('zqfirst').waitFor();
        expect(page.url()).toBe(`${blog.wordpress.url}/${locked.name}/`);
      }
    });

    test('the hub is told of posts that are public and of one that is gone', async () => {
      const runCron = () => blog.tellPosts();
      const told = (path_: string) =>
        blog.hub.calls.filter((call) => call.path === `POST /api/v1/plugin/recipes${path_}`).map(({ body }) => body);
      const id = await blog.post('Told', 'Hello');
      await blog.post('Draft', 'Secret', `'post_status' => 'draft'`);
      blog.hub.calls.length = 0;
      await runCron();
      const posts = told('').flatMap((body) => body.posts as { title: string; recipe: { name: string } | null }[]);
      expect(posts.find(({ title }) => title === 'First cake')!.recipe!.name).toBe('Lemon cake');
      expect(posts.map(({ title }) => title)).toContain('Told');
      expect(posts.map(({ title }) => title)).not.toContain('Draft');
      await blog.wordpress.php(`wp_trash_post(${id});`);
      await runCron();
      expect(told('/gone').flatMap(({ ids }) => ids)).toEqual([id]);
    });

    test('500 saves in three hours without the hub all arrive once, and nobody is asked to try again', {
      timeout: PATIENCE_MS,
    }, async () => {
      const fields = fieldsOf(await read('/browser-true/'));
      const clock = path.join(blog.wordpress.folder, 'minutes');
      const runCron = () => blog.wordpress.php(`do_action('creator_hq_outbox');`);
      // As they come in by both addresses, from networks of their own, without a request each: this PHP is slow to start.
      const saveMany = async (given: Record<string, unknown>, minutes: number) => {
        const readers = Array.from({ length: 70 }, (_, at) => `reader${at}-${minutes}@example.com`);
        const json = Buffer.from(JSON.stringify({ fields: { elapsed: 5000, ...given }, readers })).toString('base64');
        const results = await blog.wordpress.php(`
          $given = json_decode(base64_decode('${json}'), true);
          foreach ($given['readers'] as $at => $email) {
            $_SERVER['REMOTE_ADDR'] = '10.${minutes}.' . $at . '.1';
            $save = array('email' => $email, 'attempt' => wp_generate_uuid4()) + $given['fields'];
            $results[] = CreatorHq\\Forms\\Submission::take($save, 0 === $at % 2)['result'];
          }
          echo json_encode(array_count_values($results));`);
        expect(JSON.parse(results)).toEqual({ saved: readers.length });
        return readers;
      };
      await writeFile(
        path.join(blog.wordpress.folder, 'wp-content/mu-plugins/clock.php'),
        ['CreatorHq', 'CreatorHq\\Forms'].reduce(
          (code, space) =>
            `${code} namespace ${space} { function time() { return \\time() + 60 * (int) file_get_contents('${clock}'); } }`,
          '<?php',
        ),
      );
      await writeFile(clock, '0');
      await blog.hub.goAway();
      const emails: string[] = [];
      for (let minutes = 0; minutes <= 180; minutes += 30) {
        await writeFile(clock, String(minutes));
        await runCron();
        const [byScript, natively] = [`script${minutes}@example.com`, `native${minutes}@example.com`];
        emails.push(byScript, natively);
        expect(await sendJson(blog.wordpress.url, { ...fields, email: byScript })).toMatchObject({
          status: 200,
          body: { result: 'saved', message: 'Saved. It comes as soon as we can send it.' },
        });
        expect(await sendNatively(blog.wordpress.url, { ...fields, email: natively })).toMatchObject({
          status: 200,
          html: expect.stringContaining('Saved. It comes as soon as we can send it.'),
        });
        emails.push(...(await saveMany(fields, minutes)));
      }
      expect(emails.length).toBeGreaterThanOrEqual(500);
      const waiting = () => blog.wordpress.php(`echo CreatorHq\\Outbox::count();`);
      expect(await waiting()).toBe(String(emails.length));
      await blog.hub.comeBack();
      await writeFile(clock, '181');
      await runCron();
      await runCron();
      expect(blog.hub.submissions.map(({ email }) => email)).toEqual(emails);
      expect(new Set(blog.hub.submissions.map(({ attempt }) => attempt)).size).toBe(emails.length);
      expect(await waiting()).toBe('0');
    });
  }
});
