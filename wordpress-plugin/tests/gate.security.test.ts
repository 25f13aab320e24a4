/**
 * What only some read is absent from everything that others can fetch. DOORS is the list of ways that they try.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blog, logIn, quoted, showInline, startBlog } from './blog.ts';
import { GATE_FORM, GOLD, memberToken, printed, SECRET } from './fake-hub.ts';
import {
  CONTENTS,
  cookiesOf,
  DOORS,
  opened,
  type Post,
  plant,
  planted,
  STRICT,
  VISITORS,
  visitsOf,
  WORDS,
  wordsOf,
} from './gate-doors.ts';

let blog: Blog;
const posts: Record<string, Post> = {};
const cookies: Record<string, string> = { stranger: '' };

let visits: ReturnType<typeof visitsOf>;

beforeAll(async () => {
  blog = await startBlog({ plugins: ['fake-doors'] });
  blog.hub.forms.push(printed(GATE_FORM, 'gate', 'Subscribers only'));
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php(
    `CreatorHq\\Connection::register(); update_option('posts_per_page', 50); update_option('posts_per_rss', 50);`,
  );
  for (const kind of Object.keys(CONTENTS)) posts[kind] = await plant(blog, kind);
  for (const role of ['subscriber', 'editor']) cookies[role] = await logIn(blog, role);
  const pass = await blog.wordpress.php('echo CreatorHq\\Gate\\MemberPass::name();');
  cookies.member = `${pass}=${memberToken({ tiers: { [GOLD]: 86_400 } })}|${SECRET}`;
  visits = visitsOf(blog, {
    ...cookies,
    ...cookiesOf(
      pass,
      STRICT.map((kind) => posts[kind]!.id),
    ),
  });
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const read = (path: string) => visits.read(path);
const LOCKED = Object.keys(CONTENTS).filter((kind) => kind !== 'open');

/** A member reads each page before the strangers come. */
describe.each(['fetched', 'inline'])('with locked parts %s', (way) => {
  beforeAll(async () => {
    await showInline(blog, way === 'inline');
    for (const kind of LOCKED) {
      const pages = ['', '2/'].map((page) => visits.read(`/${posts[kind]!.name}/${page}`, 'member'));
      const found = planted((await Promise.all(pages)).join());
      expect(found.length > 0, kind).toBe(way === 'inline');
    }
  });
  afterAll(() => showInline(blog, false));

  describe.each(DOORS)('$door', ({ leads, opens, open }) => {
    test('shows a stranger no planted word', async () => {
      const tried = [...LOCKED.map((kind) => [kind, 'stranger'] as const), ['rest', 'subscriber'] as const];
      const found = await Promise.all(tried.map(async ([kind, who]) => planted(await open(visits, posts[kind]!, who))));
      expect(tried.map(([kind, who], at) => [kind, who, found[at]!])).toEqual(tried.map((one) => [...one, []]));
    });

    // Those that heed who comes. Written into the page, they are at more doors.
    test.each(open.length > 2 ? VISITORS : [])(
      'shows $who what they read, and no other planted word',
      async ({ who, reads }) => {
        const found = await Promise.all(
          STRICT.map(async (kind) => [kind, planted(await open(visits, posts[kind]!, who))] as const),
        );
        for (const [kind, words] of found) {
          if (!reads.includes(kind)) expect(words, kind).toEqual([]);
          else if (opens) expect(words, kind).toEqual(expect.arrayContaining(wordsOf(kind)));
          else if (way === 'fetched') expect(words, kind).toEqual([]);
        }
      },
    );

    test.runIf(leads)('leads out where nothing is locked', async () => {
      const text = await open(visits, posts.open!, 'stranger');
      expect(WORDS.map(opened).filter((word) => text.includes(word))).not.toEqual([]);
    });
  });
});

test('a search finds a locked post by its open words in the title, and by none of its locked ones, nor without them', async () => {
  for (const path of ['/?s=', '/wp-json/wp/v2/posts?search=', '/wp-json/wp/v2/search?search=']) {
    const found = async (words: string) => (await read(`${path}${encodeURIComponent(words)}`)).includes('cake-rest');
    expect(await found('cake rest'), path).toBe(true);
    expect(await found('zqfirst'), path).toBe(false);
    expect(await found('cake zqfirst'), path).toBe(false);
    expect(await found('cake rest -zqfirst'), path).toBe(true);
    expect((await read(`${path}zxfirst`)).includes('cake-open'), path).toBe(true);
  }
});

test('search engines read name, picture, times and yield of a locked recipe, and that it is not free', async () => {
  const nodes = async () =>
    [...(await read('/cake-rest/')).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
      JSON.parse(json!),
    );
  const [graph, recipe] = await nodes();
  expect(graph['@graph'][0]).toMatchObject({ '@type': 'Article', headline: 'Cake rest', isAccessibleForFree: false });
  expect(recipe).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Recipe',
    name: 'Card of rest',
    image: ['https://blog.test/cake.jpg'],
    totalTime: 'PT45M',
    recipeYield: '4',
    isAccessibleForFree: false,
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.chq-locked' },
  });
  await blog.wordpress.php(`update_option('creator_hq_gate', array('keep_for_search' => true));`);
  expect((await nodes())[1]).toMatchObject({ recipeIngredient: ['zqjsoningredient'], isAccessibleForFree: false });
  await blog.wordpress.php(`delete_option('creator_hq_gate');`);
});

test('descriptions that somebody wrote stay, and those that quote what is locked go', async () => {
  const html = await read('/cake-inside/');
  expect(html).toMatch(/<meta property="og:description" content="Hello cake\s*Open end/);
  expect(html).not.toContain('twitter:description');
  expect(html).toMatch(/"@type":"WebPage","description":"Hello cake\s*Open end/);
  expect(html).toMatch(/"@type":"Article","headline":"Cake inside","isAccessibleForFree":false/);
});

test('a wall shows what kinds of blocks are behind it, and the form', async () => {
  const html = await read('/cake-rest/');
  expect(html).toContain(
    '<div class="chq-shape" aria-hidden="true"><i class="p"></i><i class="l"></i><i class="c"></i></div>',
  );
  expect(html).toContain(`name="form" value="${GATE_FORM}"`);
  expect(await read('/feed/')).toContain('This part is only for subscribers. Read it on the blog.');
});

test.each(LOCKED)('an editor sees all of “%s”, with a note, and no cache keeps it', async (kind) => {
  const { name } = posts[kind]!;
  const response = await fetch(`${blog.wordpress.url}/${name}/`, { headers: { cookie: cookies.editor! } });
  const html = await response.text();
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(html).toContain('because you can edit this post');
  expect(html).toContain('zqingredient');
  expect(html).not.toContain('chq-shape');
});

test('a program that saves the post as it was shown changes nothing of its text', async () => {
  const { id } = posts.rest!;
  const text = () => blog.wordpress.php(`echo get_post(${id})->post_content;`);
  const before = await text();
  await blog.wordpress.php(`$query = new WP_Query(array('p' => ${id})); wp_update_post($query->posts[0]->to_array());`);
  expect(await text()).toBe(before);
});

test('wp-admin says when more than 30 % of the posts are locked, and when nothing opens them', async () => {
  expect(await blog.wordpress.wp('creator-hq', 'status')).toMatch(
    /Only for subscribers: 28 of 30 posts. That is more than 30 %/,
  );
  const forms = blog.hub.forms.splice(0);
  await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
  expect(await blog.wordpress.wp('creator-hq', 'status')).toContain('there is no form for it');
  blog.hub.forms.push(...forms);
  await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
});

test('what is locked leaves the caches at once, also right after another lock', async () => {
  const times = await blog.wordpress.php(`
    $term = wp_insert_term('Locked at once', 'category')['term_id'];
    $times = 0;
    add_action('creator_hq_changed', function () use (&$times) { $times++; });
    CreatorHq\\State::set(array('purged_at' => time()));
    CreatorHq\\Gate\\Rules::lock_term($term, 'rest:members');
    $seen = array($times);
    CreatorHq\\Gate\\Told::keep(array('at' => time(), 'inlineUntil' => time() + 99));
    CreatorHq\\Gate\\Told::keep(array('at' => time(), 'inlineUntil' => 0));
    $seen[] = $times;
    wp_delete_term($term, 'category');
    echo json_encode($seen);`);
  expect(JSON.parse(times)).toEqual([1, 2]);
});

test('footnotes of a locked post are shown by no door, and to who edits it', async () => {
  const block = (name: string, html = '') => `<!-- wp:${name} -->${html}<!-- /wp:${name} -->`;
  const noted = '<p>Why<sup data-fn="n1" class="fn"><a href="#n1" id="n1-link">1</a></sup></p>';
  const text = (locked: string) => `${block('paragraph', '<p>Hello</p>')}${locked}<!-- wp:footnotes /-->`;
  const locked = await blog.post(
    'Noted',
    text(
      block('creator-hq/gate {"locks":"inside"}', block('paragraph', noted)).replace(
        '/wp:creator-hq/gate {"locks":"inside"}',
        '/wp:creator-hq/gate',
      ),
    ),
  );
  const open = await blog.post('Noted openly', text(block('paragraph', noted)));
  for (const id of [locked, open]) {
    const notes = quoted(JSON.stringify([{ id: 'n1', content: 'Because zqnoted' }]));
    await blog.wordpress.php(`update_post_meta(${id}, 'footnotes', ${notes});`);
  }
  const meta = (id: number) =>
    blog.wordpress.php(`echo json_encode(array(get_post_meta(${id}), get_post_meta(${id}, '', true)));`);
  expect(await read('/noted-openly/')).toContain('zqnoted');
  expect(await read(`/wp-json/wp/v2/posts/${open}`)).toContain('zqnoted');
  expect((await meta(open)).split('zqnoted')).toHaveLength(3);
  expect(await read('/noted/')).not.toContain('zqnoted');
  expect(await read(`/wp-json/wp/v2/posts/${locked}`)).not.toContain('zqnoted');
  expect(await meta(locked)).not.toContain('zqnoted');
  expect(await visits.read('/noted/', 'editor')).toContain('zqnoted');
  const revision = await blog.wordpress.php(
    `$id = wp_save_post_revision(${locked}); global $wpdb; echo $wpdb->get_var("SELECT meta_value FROM $wpdb->postmeta WHERE post_id = " . (int) $id . " AND meta_key = 'footnotes'");`,
  );
  expect(revision).toContain('zqnoted');
});

test('what is shown of a locked post ends with a whole letter', async () => {
  const id = await blog.post('Ciasto', 'Pierwszy.\n\nCiasto ze śmietaną\n\nTajne');
  await blog.wordpress.php(`update_post_meta(${id}, '_creator_hq_lock', 'rest:members');`);
  for (const path of ['/ciasto/', '/feed/']) {
    const text = await read(path);
    expect(text).toContain('Ciasto ze śmietaną');
    expect(text).not.toContain('\ufffd');
    expect(text).not.toContain('Tajne');
  }
});

test('a save says no locked ingredients that stand in the post itself, and the hub is told them', async () => {
  const recipe = JSON.stringify({ '@type': 'Recipe', name: 'Typed', recipeIngredient: ['1 zqtyped'] });
  const text = `<p>Hello</p><!-- wp:creator-hq/gate {"for":"members"} /--><!-- wp:html --><script type="application/ld+json">${recipe}</script><!-- /wp:html -->`;
  const id = await blog.wordpress.php(
    `kses_remove_filters(); echo wp_insert_post(array('post_title' => 'Typed', 'post_status' => 'publish', 'post_content' => ${quoted(text)}));`,
  );
  const said = (code: string) => blog.wordpress.php(`echo json_encode(${code});`);
  expect(await said(`CreatorHq\\Cards\\Facts::of(${id}, '')`)).not.toContain('zqtyped');
  const told = `CreatorHq\\Gate\\Access::opened(function () { return CreatorHq\\Cards\\Facts::of(${id}, '', true); })`;
  expect(await said(told)).toContain('zqtyped');
});

test('a post that begins like another is told apart by all of its text, and no query looks for what the post in the loop has', async () => {
  const p = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->\n\n`;
  const more = '<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n';
  const disclosure = p('This post has links of shops. '.repeat(10));
  const open = await blog.post('Disclosed', disclosure + p('Open'));
  const locked = await blog.post('Disclosed and locked', disclosure + p('Second') + p('zqfirst'));
  const long = await blog.post('Read more', p('Short') + more + p('Long'));
  const page = await blog.post('A page', p('Page'), `'post_type' => 'page'`);
  await blog.wordpress.php(`update_post_meta(${locked}, '_creator_hq_lock', 'rest:members');`);
  const inLoop = (id: number, code: string) =>
    blog.wordpress.php(
      `$asked = array(); add_filter('query', function ($sql) use (&$asked) { $asked[] = $sql; return $sql; }); $GLOBALS['post'] = get_post(${id}); setup_postdata($GLOBALS['post']); ${code}`,
    );
  const other = await inLoop(open, `echo apply_filters('the_content', get_post(${locked})->post_content);`);
  expect(other).toContain('Second');
  expect(other).not.toContain('zqfirst');
  for (const isMore of [0, 1]) {
    const seen = await inLoop(
      long,
      `$GLOBALS['more'] = ${isMore}; the_content('Read on'); the_excerpt(); echo count(preg_grep('/post_content LIKE/', $asked)), ' queries';`,
    );
    expect(seen).toContain(isMore ? 'Long' : 'more-link');
    expect(seen).toContain('0 queries');
  }
  const terms = `CreatorHq\\Gate\\Rules::of(${page}); echo count(preg_grep('/term_relationships/', $asked));`;
  expect(await inLoop(page, terms)).toBe('0');
});

test('with the plugin off everything is open', async () => {
  await blog.wordpress.wp('plugin', 'deactivate', 'creator-hq');
  for (const kind of LOCKED.filter((one) => one !== 'in pages' && one !== 'classic')) {
    expect(planted(await read(`/${posts[kind]!.name}/`)), kind).toContain('zqingredient');
  }
  await blog.wordpress.wp('plugin', 'activate', 'creator-hq');
});
