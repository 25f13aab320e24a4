/** Locks until or from a day. The moment comes by the blog's time zone: between the two there is always a midnight. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blog, startBlog } from './blog.ts';

const BEFORE = -12;
const AFTER = 14;
const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const day = new Date(Date.now() + AFTER * 3_600_000).toISOString().slice(0, 10);

/** The text with a lock, and the post's own. */
const KINDS: Record<string, (when: string, card: number) => [string, string?]> = {
  'the block': (when, card) => [
    `${P('Hello')}<!-- wp:creator-hq/gate {"for":"members","${when}":"${day}"} /-->${P('zqrest')}[wprm-recipe id="${card}"]`,
  ],
  'a part in the block': (when, card) => [
    `${P('Hello')}<!-- wp:creator-hq/gate {"locks":"inside","${when}":"${day}"} -->${P('zqrest')}<!-- wp:wp-recipe-maker/recipe {"id":${card}} -->[wprm-recipe id="${card}"]<!-- /wp:wp-recipe-maker/recipe --><!-- /wp:creator-hq/gate -->${P('End')}`,
  ],
  'the shortcode': (when, card) => [`Hello\n\n[creator_hq_gate ${when}="${day}"]\n\nzqrest [wprm-recipe id="${card}"]`],
  'its own lock': (when, card) => [
    `${P('Hello')}${P('Second')}${P('zqrest')}[wprm-recipe id="${card}"]`,
    `${when} ${day}`,
  ],
};

let blog: Blog;
const inZone = (hours: number) =>
  blog.wordpress.php(`update_option('timezone_string', ''); update_option('gmt_offset', ${hours});`);

beforeAll(async () => {
  blog = await startBlog({ plugins: ['fake-doors'] });
  await blog.wordpress.php(`CreatorHq\\Connection::register();
    file_put_contents(WP_CONTENT_DIR . '/mu-plugins/cache.php', '<?php function rocket_clean_domain() {}
      function rocket_clean_post( $post ) { update_option( "purged", $post ); }');`);
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

describe.each(Object.keys(KINDS))('by %s', (kind) => {
  test.each(['until', 'from'])('what is locked %s a day goes by the day at each view', async (when) => {
    await inZone(BEFORE);
    const card = await blog.recipe(`${kind} ${when}`);
    const [text, own] = KINDS[kind]!(when, card);
    const name = `${kind} ${when}`.replaceAll(' ', '-');
    const id = await blog.post(name, text);
    if (own !== undefined) {
      await blog.wordpress.php(
        `update_post_meta(${id}, '_creator_hq_lock', 'rest:members'); update_post_meta(${id}, '_creator_hq_lock_day', '${own}');`,
      );
    }
    const seen = async () => {
      const response = await fetch(`${blog.wordpress.url}/${name}/`);
      const html = await response.text();
      const feed = await (await fetch(`${blog.wordpress.url}/?p=${id}&feed=rss2&withoutcomments=1`)).text();
      return {
        isShown: html.includes('zqrest'),
        hasWall: html.includes('chq-locked'),
        isInFeed: feed.includes('zqrest'),
        isKept: !(response.headers.get('cache-control') ?? '').includes('no-store'),
        hasCard: (
          await blog.wordpress.php(`echo wp_json_encode(get_post_meta(${card}, 'wprm_ingredients', true));`)
        ).includes('cups'),
        lock: await blog.wordpress.php(`echo CreatorHq\\Gate\\Lock::is_locked(get_post(${id})) ? 'locked' : 'open';`),
      };
    };
    const locked = { isShown: false, hasWall: true, isInFeed: false, isKept: true, hasCard: false, lock: 'locked' };
    const open = { isShown: true, hasWall: false, isInFeed: true, isKept: true, hasCard: true, lock: 'open' };
    expect(await seen()).toEqual(when === 'until' ? locked : open);
    const planned = await blog.wordpress.php(
      `echo wp_date('Y-m-d H:i', wp_next_scheduled('creator_hq_lock_day', array(${id})));`,
    );
    expect(planned).toBe(`${day} 00:00`);

    await inZone(AFTER);
    expect(await seen()).toEqual(when === 'until' ? open : locked);
    await blog.tellPosts();
    blog.hub.calls.length = 0;
    await blog.wordpress.php(`do_action('creator_hq_lock_day', ${id});`);
    expect(await blog.wordpress.php(`echo get_option('purged');`)).toBe(String(id));
    await blog.tellPosts();
    const told = blog.hub.calls.filter(({ path }) => path === 'POST /api/v1/plugin/recipes');
    expect(told).toMatchObject([{ body: { posts: [{ id, lock: when === 'until' ? null : { of: 'recipe' } }] } }]);
  });
});

test.each(['2026-13-45', 'soon', ''])('a lock until “%s” holds', async (said) => {
  const name = `until-${said}`;
  await blog.post(name, `Hello\n\n[creator_hq_gate until="${said}"]\n\nzqrest`);
  expect(await (await fetch(`${blog.wordpress.url}/${name}/`)).text()).not.toContain('zqrest');
});

test('an editor chooses the day beside the lock, and it goes with it', async () => {
  const id = await blog.post('Chosen', P('Hello'));
  const choose = (lock: string, day: string) =>
    blog.wordpress.php(`wp_set_current_user(1); $_POST = array('creator_hq_lock_nonce' => wp_create_nonce('creator_hq_lock'), 'creator_hq_lock' => '${lock}', 'creator_hq_lock_when' => 'until', 'creator_hq_lock_day' => '${day}');
        wp_update_post(array('ID' => ${id})); echo wp_json_encode(CreatorHq\\Gate\\Days::of(${id})), CreatorHq\\Gate\\Rules::of(${id});
        ob_start(); CreatorHq\\Admin\\Locks::box(get_post(${id})); echo preg_match('/value="until" selected/', str_replace("'", '"', ob_get_clean()));`);
  expect(await choose('card:members', '2999-01-01')).toBe('{"until":"2999-01-01"}card:members1');
  expect(await choose('card:members', '')).toBe('[]card:members0');
  expect(await choose('card:members', '2001-01-01')).toBe('{"until":"2001-01-01"}1');
  expect(await choose('open', '2999-01-01')).toBe('[]0');
});

test('who activates the plugin again has its days planned again', async () => {
  const id = await blog.post(
    'Planned',
    `${P('Hello')}<!-- wp:creator-hq/gate {"until":"2999-01-01"} /-->${P('zqrest')}`,
  );
  const planned = () =>
    blog.wordpress.php(`echo wp_next_scheduled('creator_hq_lock_day', array(${id})) ? 'yes' : 'no';`);
  await blog.wordpress.wp('plugin', 'deactivate', 'creator-hq');
  expect(await planned()).toBe('no');
  await blog.wordpress.wp('plugin', 'activate', 'creator-hq');
  expect(await planned()).toBe('yes');
});

test('posts of a category are for members first, and open to all so many days after they were published', async () => {
  await inZone(0);
  const term = Number(
    await blog.wordpress.php(
      `$term = wp_insert_term('Early', 'category')['term_id']; CreatorHq\\Gate\\Rules::lock_term($term, 'rest:members', 7); echo $term;`,
    ),
  );
  const published = async (name: string, daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    const card = await blog.recipe(`Card of ${name}`);
    const text = `${P('Hello')}${P('Second')}${P('zqearly')}[wprm-recipe id="${card}"]`;
    const id = await blog.post(name, text, `'post_date' => '${at}', 'post_category' => array(${term})`);
    return { id, card, at };
  };
  const seen = async (name: string, { id, card }: { id: number; card: number }) => ({
    isShown: (await (await fetch(`${blog.wordpress.url}/${name}/`)).text()).includes('zqearly'),
    hasCard: (
      await blog.wordpress.php(`echo wp_json_encode(get_post_meta(${card}, 'wprm_ingredients', true));`)
    ).includes('cups'),
    planned: await blog.wordpress.php(
      `$at = wp_next_scheduled('creator_hq_lock_day', array(${id})); echo $at ? wp_date('Y-m-d H:i', $at) : '';`,
    ),
  });
  const [early, old] = [await published('early-six', 6), await published('early-eight', 8)];
  const opensOn = new Date(Date.parse(`${early.at.slice(0, 10)}T00:00:00Z`) + 7 * 86_400_000)
    .toISOString()
    .slice(0, 10);
  expect(await seen('early-six', early)).toEqual({ isShown: false, hasCard: false, planned: `${opensOn} 00:00` });
  expect(await seen('early-eight', old)).toEqual({ isShown: true, hasCard: true, planned: '' });
  // Of several, those that still hold count.
  await blog.wordpress.php(
    `$other = wp_insert_term('Always', 'category')['term_id']; CreatorHq\\Gate\\Rules::lock_term($other, 'card:members'); wp_set_post_categories(${old.id}, array(${term}, $other));`,
  );
  expect(await seen('early-eight', old)).toMatchObject({ isShown: true, hasCard: false });
  await blog.wordpress.php(`CreatorHq\\Gate\\Rules::lock_term(${term}, 'rest:members', 5);`);
  expect(await seen('early-six', early)).toMatchObject({ isShown: true, hasCard: true });
  await blog.wordpress.php(`CreatorHq\\Gate\\Rules::lock_term(${term}, 'rest:members');`);
  expect(await seen('early-eight', old)).toMatchObject({ isShown: false, hasCard: false });
  const choose = (days: string) =>
    blog.wordpress.php(`wp_set_current_user(1); $_POST = array('creator_hq_lock_nonce' => wp_create_nonce('creator_hq_lock'), 'creator_hq_lock' => 'rest:members', 'creator_hq_lock_after' => '${days}');
      wp_update_term(${term}, 'category', array('description' => '${days}')); echo CreatorHq\\Gate\\Rules::days_of_term(${term});
      ob_start(); CreatorHq\\Admin\\Locks::term_field(get_term(${term})); echo preg_match('/name="creator_hq_lock_after" value="${days}"/', ob_get_clean());`);
  expect(await choose('14')).toBe('141');
  expect(await choose('')).toBe('01');
});
