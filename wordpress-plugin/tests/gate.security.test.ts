/**
 * What only subscribers read is absent from everything that a stranger can fetch. Every post has planted words, which all begin
 * with "zq", behind its gate; DOORS is the list of ways that a stranger tries.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blog, logIn, startBlog } from './blog.ts';
import { GATE_FORM, printed } from './fake-hub.ts';

type Post = { id: number; name: string; card: number };

let blog: Blog;
const posts: Record<string, Post> = {};
const cookies: Record<string, string> = { stranger: '' };

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const CARD = (id: number) =>
  `<!-- wp:wp-recipe-maker/recipe {"id":${id}} -->[wprm-recipe id="${id}"]<!-- /wp:wp-recipe-maker/recipe -->`;
const GATE = (locks: string, inside = '') =>
  inside === ''
    ? `<!-- wp:creator-hq/gate {"locks":"${locks}"} /-->`
    : `<!-- wp:creator-hq/gate {"locks":"${locks}"} -->${inside}<!-- /wp:creator-hq/gate -->`;
const SECRET = `${P('Rest zqfirst zqsecond zqthird words')}<!-- wp:list --><ul><li>zqlisted</li></ul><!-- /wp:list -->`;

/** Each with its gate; `open` is the same without one, which shows that a door leads out at all. */
const CONTENTS: Record<string, (card: number) => string> = {
  open: (card) => P('Hello cake') + SECRET + CARD(card),
  rest: (card) => P('Hello cake') + GATE('rest') + SECRET + CARD(card),
  'rest without a choice': (card) => `${P('Hello cake')}<!-- wp:creator-hq/gate /-->${SECRET}${CARD(card)}`,
  inside: (card) => P('Hello cake') + GATE('inside', SECRET + CARD(card)) + P('Open end'),
  card: (card) => P('Hello cake') + CARD(card) + GATE('card'),
  'in columns': (card) =>
    `${P('Hello cake')}<!-- wp:group --><div class="wp-block-group">${GATE('rest')}${SECRET}</div><!-- /wp:group -->${CARD(card)}`,
  'in pages': (card) =>
    `${P('Hello cake')}${GATE('rest')}<!-- wp:nextpage --><!--nextpage--><!-- /wp:nextpage -->${SECRET}${CARD(card)}`,
  classic: (card) => `Hello cake\n\n[creator_hq_gate]\n\nzqclassic\n<!--nextpage-->zqpage [wprm-recipe id="${card}"]`,
  'classic card': (card) => `Hello cake [wprm-recipe id="${card}"] end [creator_hq_gate locks="card"]`,
};

/** Of the twin without a gate: what leads out there must not lead out the others. */
const opened = (text: string) => text.replaceAll('zq', 'zx');
let hasXml = false;

beforeAll(async () => {
  blog = await startBlog({ plugins: ['fake-doors'] });
  blog.hub.forms.push(printed(GATE_FORM, 'gate', 'Subscribers only'));
  await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
  // XML-RPC works only with it.
  hasXml = (await blog.wordpress.php(`echo extension_loaded('xml') ? 'yes' : 'no';`)) === 'yes';
  if (!hasXml) console.log('PHP has no XML here: XML-RPC is not tried.');
  for (const [kind, content] of Object.entries(CONTENTS)) {
    const card = await blog.recipe(`Card of ${kind}`);
    const title = `Cake ${kind}`;
    const words = (text: string) => (kind === 'open' ? opened(text) : text);
    await blog.wordpress.php(
      words(`
      update_post_meta(${card}, 'wprm_ingredients', array(array('name' => '', 'ingredients' => array(array('amount' => '1', 'unit' => '', 'name' => 'zqingredient', 'notes' => '')))));
      update_post_meta(${card}, 'wprm_instructions', array(array('instructions' => array(array('text' => 'zqinstruction')))));
      update_post_meta(${card}, 'wprm_notes', 'zqnotes');
      update_post_meta(${card}, 'wprm_metadata_cache', 'zqcached');
      update_option('fake_doors', get_option('fake_doors', array()) + array(${card} => 'zqjson'));`),
    );
    const id = await blog.post(title, words(content(card)));
    posts[kind] = { id, name: title.toLowerCase().replaceAll(' ', '-'), card };
    await blog.wordpress.php(
      `wp_insert_comment(array('comment_post_ID' => ${id}, 'comment_content' => 'Nice', 'comment_approved' => 1)); wp_save_post_revision(${id});`,
    );
  }
  for (const role of ['subscriber', 'editor']) cookies[role] = await logIn(blog, role);
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const read = async (path: string, who = 'stranger', init: RequestInit = {}) => {
  const headers = { cookie: cookies[who]!, ...(init.headers as object) };
  return (await fetch(`${blog.wordpress.url}${path}`, { ...init, headers })).text();
};
const xmlRpc = async (method: string, ...values: (string | number)[]) => {
  if (!hasXml) return '';
  const params = values.map((value) => (typeof value === 'number' ? `<i4>${value}</i4>` : `<string>${value}</string>`));
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params.map((value) => `<param><value>${value}</value></param>`).join('')}</params></methodCall>`;
  return read('/xmlrpc.php', 'stranger', { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
};

/** `leads`: whether the twin without a gate comes out by it; some lead nowhere, and must stay so. */
const DOORS: { door: string; leads: boolean; open: (post: Post, who: string) => Promise<string> }[] = [
  { door: 'its page', leads: true, open: ({ name }, who) => read(`/${name}/`, who) },
  { door: 'its second page', leads: true, open: ({ name }, who) => read(`/${name}/2/`, who) },
  { door: 'a POST to its page', leads: true, open: ({ name }, who) => read(`/${name}/`, who, { method: 'POST' }) },
  {
    door: 'the form without script, without a pass',
    leads: true,
    open: ({ name }, who) =>
      read(`/${name}/`, who, { method: 'POST', body: new URLSearchParams({ 'creator-hq-open': '1' }) }),
  },
  {
    door: 'its page with a made up link of a mail',
    leads: true,
    open: ({ name }, who) => read(`/${name}/?chq-pass=${'1'.repeat(36)}.9999999999.${'a'.repeat(43)}`, who),
  },
  { door: 'a preview', leads: true, open: ({ id }, who) => read(`/?p=${id}&preview=true`, who) },
  { door: 'the list of posts', leads: true, open: (_, who) => read('/?posts_per_page=50', who) },
  { door: 'a month', leads: true, open: (_, who) => read(`/${new Date().getUTCFullYear()}/`, who) },
  { door: 'a search', leads: true, open: (_, who) => read('/?s=cake', who) },
  { door: 'RSS', leads: true, open: () => read('/feed/') },
  { door: 'RSS 0.92', leads: true, open: () => read('/feed/rss/') },
  { door: 'RDF', leads: true, open: () => read('/feed/rdf/') },
  { door: 'Atom', leads: true, open: () => read('/feed/atom/') },
  { door: 'the feed of a search', leads: true, open: () => read('/?s=cake&feed=rss2') },
  { door: 'the feed of comments', leads: false, open: () => read('/comments/feed/') },
  { door: 'the feed of its comments', leads: false, open: ({ name }) => read(`/${name}/feed/`) },
  { door: 'REST, one', leads: true, open: ({ id }) => read(`/wp-json/wp/v2/posts/${id}`) },
  { door: 'REST, embedded', leads: true, open: ({ id }) => read(`/wp-json/wp/v2/posts/${id}?context=embed&_embed=1`) },
  { door: 'REST, all', leads: true, open: () => read('/wp-json/wp/v2/posts?per_page=50') },
  { door: 'REST, by name', leads: true, open: ({ name }) => read(`/wp-json/wp/v2/posts?slug=${name}`) },
  { door: 'REST, to edit', leads: false, open: ({ id }) => read(`/wp-json/wp/v2/posts/${id}?context=edit`) },
  { door: 'REST, revisions', leads: false, open: ({ id }) => read(`/wp-json/wp/v2/posts/${id}/revisions`) },
  { door: 'REST, search', leads: false, open: () => read('/wp-json/wp/v2/search?search=cake&_embed=1') },
  { door: 'REST, the card', leads: true, open: ({ card }) => read(`/wp-json/wp/v2/wprm_recipe/${card}`) },
  { door: 'REST, all cards', leads: true, open: () => read('/wp-json/wp/v2/wprm_recipe?per_page=50') },
  { door: 'the print page of the card', leads: true, open: ({ card }, who) => read(`/?wprm_print=${card}`, who) },
  {
    door: 'oEmbed',
    leads: false,
    open: ({ name }) => read(`/wp-json/oembed/1.0/embed?url=${encodeURIComponent(`${blog.wordpress.url}/${name}/`)}`),
  },
  { door: 'the embedded page', leads: true, open: ({ name }) => read(`/${name}/embed/`) },
  { door: 'the sitemap', leads: false, open: () => read('/wp-sitemap-posts-post-1.xml') },
  { door: 'AMP', leads: true, open: ({ name }, who) => read(`/${name}/?amp=1`, who) },
  { door: 'a print view', leads: true, open: ({ name }, who) => read(`/${name}/?print=1`, who) },
  {
    door: 'admin-ajax',
    leads: true,
    open: ({ name }, who) => read(`/wp-admin/admin-ajax.php?action=more&name=${name}`, who),
  },
  { door: 'XML-RPC', leads: false, open: ({ id }) => xmlRpc('wp.getPost', 1, '', '', id) },
  { door: 'XML-RPC, the old way', leads: false, open: ({ id }) => xmlRpc('metaWeblog.getPost', id, '', '') },
  {
    door: 'XML-RPC, pingbacks',
    leads: false,
    open: ({ name }) => xmlRpc('pingback.extensions.getPingbacks', `${blog.wordpress.url}/${name}/`),
  },
  {
    door: 'our own open',
    leads: false,
    open: ({ id }) =>
      read('/wp-json/creator-hq/v1/open', 'stranger', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ post: id }),
      }),
  },
  {
    door: 'our own open by admin-ajax',
    leads: false,
    open: ({ id }) =>
      read('/wp-admin/admin-ajax.php', 'stranger', {
        method: 'POST',
        body: new URLSearchParams({ action: 'creator_hq_open', post: String(id) }),
      }),
  },
  {
    door: 'a mail that a program writes about new posts',
    leads: true,
    open: ({ id }) =>
      blog.wordpress.php(
        `$post = get_post(${id}); echo get_the_excerpt($post), get_the_content(null, false, $post), apply_filters('the_content', $post->post_content);`,
      ),
  },
  {
    door: 'what a save of it says to the hub',
    leads: true,
    open: ({ id, card }) => blog.wordpress.php(`echo json_encode(CreatorHq\\Cards\\Facts::of(${id}, 'wprm-${card}'));`),
  },
];

const WORDS = [
  ...['zqfirst', 'zqsecond', 'zqthird', 'zqlisted', 'zqclassic', 'zqpage'],
  ...['zqingredient', 'zqinstruction', 'zqnotes', 'zqcached', 'zqjson'],
];
const planted = (text: string) => WORDS.filter((word) => text.includes(word));
const LOCKED = Object.keys(CONTENTS).filter((kind) => kind !== 'open');

describe.each(DOORS)('$door', ({ leads, open }) => {
  test('shows a stranger no planted word', async () => {
    const tried = [...LOCKED.map((kind) => [kind, 'stranger'] as const), ['rest', 'subscriber'] as const];
    const found = await Promise.all(tried.map(async ([kind, who]) => planted(await open(posts[kind]!, who))));
    expect(tried.map(([kind, who], at) => [kind, who, found[at]!])).toEqual(tried.map((one) => [...one, []]));
  });

  test.runIf(leads)('leads out where nothing is locked', async () => {
    const text = await open(posts.open!, 'stranger');
    expect(WORDS.map(opened).filter((word) => text.includes(word))).not.toEqual([]);
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
    /Only for subscribers: 8 of 10 posts. That is more than 30 %/,
  );
  const forms = blog.hub.forms.splice(0);
  await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
  expect(await blog.wordpress.wp('creator-hq', 'status')).toContain('there is no form for it');
  blog.hub.forms.push(...forms);
  await blog.wordpress.php('CreatorHq\\Connection::renew_forms();');
});

test('with the plugin off everything is open', async () => {
  await blog.wordpress.wp('plugin', 'deactivate', 'creator-hq');
  for (const kind of LOCKED.filter((one) => one !== 'in pages' && one !== 'classic')) {
    expect(planted(await read(`/${posts[kind]!.name}/`)), kind).toContain('zqingredient');
  }
  await blog.wordpress.wp('plugin', 'activate', 'creator-hq');
});
