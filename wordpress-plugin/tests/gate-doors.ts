/**
 * What only some read, and the ways that others try. A post has planted words, which all begin with "zq", behind its gate.
 */
import type { Blog } from './blog.ts';
import { BASIC, SECRET as DEVICE_SECRET, GOLD, memberToken } from './fake-hub.ts';

/** Where the lock stands beside the text: of the post itself, or of its category. */
export const RULES: Record<string, string> = {
  'for a tier by its own rule': `rest:tier:${GOLD}`,
  'by its own rule': 'rest:members',
  'card by its own rule': 'card:members',
  'by its category': 'category',
  'classic by its category': 'category',
  'plain HTML by its category': 'category',
  'short by its category': 'category',
};

export type Post = { id: number; name: string; card: number };
type Visit = ReturnType<typeof visitsOf>;

const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
const CARD = (id: number) =>
  `<!-- wp:wp-recipe-maker/recipe {"id":${id}} -->[wprm-recipe id="${id}"]<!-- /wp:wp-recipe-maker/recipe -->`;
const GATE = (locks: string, inside = '', who = 'subscribers') =>
  inside === ''
    ? `<!-- wp:creator-hq/gate {"locks":"${locks}","for":"${who}"} /-->`
    : `<!-- wp:creator-hq/gate {"locks":"${locks}","for":"${who}"} -->${inside}<!-- /wp:creator-hq/gate -->`;
const SECRET = `${P('Rest zqfirst zqsecond zqthird words')}<!-- wp:list --><ul><li>zqlisted</li></ul><!-- /wp:list -->`;

/** Each with its gate; `open` is the same without one, which shows that a door leads out at all. */
export const CONTENTS: Record<string, (card: number) => string> = {
  open: (card) => P('Hello cake') + SECRET + CARD(card),
  rest: (card) => P('Hello cake') + GATE('rest') + SECRET + CARD(card),
  'rest without a choice': (card) => `${P('Hello cake')}<!-- wp:creator-hq/gate /-->${SECRET}${CARD(card)}`,
  inside: (card) => P('Hello cake') + GATE('inside', SECRET + CARD(card)) + P('Open end'),
  'inside, typed': (card) =>
    `${P('Hello cake')}${GATE('inside', `zqtyped [wprm-recipe id="${card}"]`)}${P('Open end')}`,
  card: (card) => P('Hello cake') + CARD(card) + GATE('card'),
  'in columns': (card) =>
    `${P('Hello cake')}<!-- wp:group --><div class="wp-block-group">${GATE('rest')}${SECRET}</div><!-- /wp:group -->${CARD(card)}`,
  'in pages': (card) =>
    `${P('Hello cake')}${GATE('rest')}<!-- wp:nextpage --><!--nextpage--><!-- /wp:nextpage -->${SECRET}${CARD(card)}`,
  classic: (card) => `Hello cake\n\n[creator_hq_gate]\n\nzqclassic\n<!--nextpage-->zqpage [wprm-recipe id="${card}"]`,
  'for members': (card) => P('Hello cake') + GATE('rest', '', 'members') + SECRET + CARD(card),
  'for members inside': (card) => P('Hello cake') + GATE('inside', SECRET + CARD(card), 'members') + P('Open end'),
  'card for members': (card) => P('Hello cake') + CARD(card) + GATE('card', '', 'members'),
  'classic for members': (card) =>
    `Hello cake\n\n[creator_hq_gate for="members"]\n\nzqclassic\n<!--nextpage-->zqpage [wprm-recipe id="${card}"]`,
  'for readers': (card) => P('Hello cake') + GATE('rest', '', 'readers') + SECRET + CARD(card),
  'for a tier': (card) => P('Hello cake') + GATE('rest', '', `tier:${GOLD}`) + SECRET + CARD(card),
  'for a lower tier': (card) => P('Hello cake') + GATE('inside', SECRET + CARD(card), `tier:${BASIC}`) + P('Open end'),
  'card for a tier': (card) => P('Hello cake') + CARD(card) + GATE('card', '', `tier:${GOLD}`),
  'for a tier that is gone': (card) =>
    P('Hello cake') + GATE('rest', '', 'tier:018f0000-0000-7000-8000-0000000000ff') + SECRET + CARD(card),
  'for a tier by its own rule': (card) => P('Hello cake') + P('Second') + SECRET + CARD(card),
  'classic for a tier': (card) =>
    `Hello cake\n\n[creator_hq_gate for="gold"]\n\nzqclassic\n<!--nextpage-->zqpage [wprm-recipe id="${card}"]`,
  'by its own rule': (card) => P('Hello cake') + P('Second') + SECRET + CARD(card),
  'card by its own rule': (card) => P('Hello cake') + CARD(card),
  'by its category': (card) => P('Hello cake') + P('Second') + SECRET + CARD(card),
  'classic by its category': (card) =>
    `Hello cake\n\nSecond\n\nzqclassic\n<!--nextpage-->zqpage [wprm-recipe id="${card}"]`,
  'plain HTML by its category': (card) =>
    `<p>Hello cake</p><p>zqfirst</p><ul><li>zqlisted</li></ul><p>zqclassic [wprm-recipe id="${card}"]</p>`,
  'short by its category': (card) => P('Hello cake') + P(`zqsecond [wprm-recipe id="${card}"]`),
  'until a day': (card) =>
    `${P('Hello cake')}<!-- wp:creator-hq/gate {"for":"members","until":"2999-01-01"} /-->${SECRET}${CARD(card)}`,
  'classic from a day': (card) =>
    `Hello cake\n\n[creator_hq_gate from="2001-01-01"]\n\nzqclassic\n<!--nextpage-->zqpage [wprm-recipe id="${card}"]`,
  'classic card': (card) => `Hello cake [wprm-recipe id="${card}"] end [creator_hq_gate locks="card"]`,
};

/** Of the twin without a gate: what leads out there must not lead out the others. */
export const opened = (text: string) => text.replaceAll('zq', 'zx');

/** Publishes the post of this kind; the blog has `fake-doors`. */
export async function plant(blog: Blog, kind: string): Promise<Post> {
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
  const id = await blog.post(title, words(CONTENTS[kind]!(card)));
  const rule = RULES[kind];
  if (rule === 'category') {
    await blog.wordpress.php(
      `$found = term_exists('For members', 'category'); $found = $found ? $found : wp_insert_term('For members', 'category'); $term = (int) $found['term_id']; wp_set_post_categories(${id}, array($term)); CreatorHq\\Gate\\Rules::lock_term($term, 'rest:members');`,
    );
  } else if (rule !== undefined) {
    await blog.wordpress.php(`update_post_meta(${id}, '_creator_hq_lock', '${rule}');`);
  }
  await blog.wordpress.php(
    `wp_insert_comment(array('comment_post_ID' => ${id}, 'comment_content' => 'Nice', 'comment_approved' => 1)); wp_save_post_revision(${id});`,
  );
  return { id, name: title.toLowerCase().replaceAll(' ', '-'), card };
}

const HIGHER = ['for a tier', 'card for a tier', 'for a tier that is gone', 'for a tier by its own rule'];
/** Of those that `VISITORS` try. */
export const STRICT = ['for readers', 'for members', 'for a lower tier', ...HIGHER];

/** Who comes with the hub's word; `reads`: what of those posts opens to them. */
type Word = Omit<NonNullable<Parameters<typeof memberToken>[0]>, 'posts'> & {
  posts?: { all: number } | { another: number };
};
export const VISITORS: { who: string; word: Word; reads: string[] }[] = [
  { who: 'a reader who does not pay', word: { until: -1, isReader: true }, reads: ['for readers'] },
  {
    who: 'a member of a lower tier',
    word: { tiers: { [BASIC]: 86_400 } },
    reads: ['for readers', 'for members', 'for a lower tier'],
  },
  {
    who: 'a member whose higher tier is over',
    word: { tiers: { [BASIC]: 86_400, [GOLD]: -60 } },
    reads: ['for readers', 'for members', 'for a lower tier'],
  },
  {
    who: 'a member of a tier that the blog does not know',
    word: { tiers: { [DEVICE_SECRET]: 86_400 } },
    reads: ['for readers', 'for members'],
  },
  { who: 'a member who has ended', word: { until: -60, tiers: { [GOLD]: -60 } }, reads: [] },
  {
    who: 'a member whose word is a month old',
    word: { tiers: { [GOLD]: 86_400 }, isReader: true, askAfter: 86_400, deadAfter: -1 },
    reads: [],
  },
  {
    who: 'a reader with free opens left, who opened nothing',
    word: { until: -1, isReader: true, free: [1, 3] },
    reads: ['for readers'],
  },
  {
    who: 'a reader whose opened posts are over',
    word: { until: -1, isReader: true, free: [0, 3], posts: { all: -1 } },
    reads: ['for readers'],
  },
  {
    who: 'a reader who opened them all',
    word: { until: -1, isReader: true, free: [0, 3], posts: { all: 86_400 } },
    reads: STRICT,
  },
  { who: 'a friend', word: { until: -1, posts: { all: 86_400 } }, reads: STRICT },
  { who: 'a friend whose link is over', word: { until: -1, posts: { all: -1 } }, reads: [] },
  { who: 'a friend at another post', word: { until: -1, posts: { another: 86_400 } }, reads: [] },
  { who: 'a member of the tier', word: { tiers: { [GOLD]: 86_400 } }, reads: STRICT },
];

/** @param name of the cookie, as the blog has it @param ids of posts that `posts` with `all` means */
export function cookiesOf(name: string, ids: number[]): Record<string, string> {
  return Object.fromEntries(
    VISITORS.map(({ who, word: { posts, ...word } }) => {
      const all =
        posts === undefined
          ? {}
          : 'all' in posts
            ? Object.fromEntries(ids.map((id) => [id, posts.all]))
            : { 1: posts.another };
      return [who, `${name}=${memberToken({ ...word, posts: all })}|${DEVICE_SECRET}`];
    }),
  );
}

/** What of a post is planted, and its page shows to whoever reads it. */
export const wordsOf = (kind: string) => [...planted(CONTENTS[kind]!(0)), 'zqingredient'];

/** @param cookies by who has them; a stranger has none */
export function visitsOf({ wordpress: { url, php } }: Blog, cookies: Record<string, string> = {}) {
  const read = async (path: string, who = 'stranger', init: RequestInit = {}) => {
    const headers = { cookie: cookies[who] ?? '', ...(init.headers as object) };
    return (await fetch(`${url}${path}`, { ...init, headers })).text();
  };
  const xmlRpc = async (method: string, ...values: (string | number)[]) => {
    // XML-RPC works only with it.
    if ((await php(`echo extension_loaded('xml') ? 'yes' : 'no';`)) === 'no') {
      console.log('PHP has no XML here: XML-RPC is not tried.');
      return '';
    }
    const params = values.map((value) =>
      typeof value === 'number' ? `<i4>${value}</i4>` : `<string>${value}</string>`,
    );
    const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params.map((value) => `<param><value>${value}</value></param>`).join('')}</params></methodCall>`;
    return read('/xmlrpc.php', 'stranger', { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
  };
  return { url, php, read, xmlRpc };
}

/**
 * `leads`: whether the twin without a gate comes out by it; some lead nowhere, and must stay so. `opens`: by it come what a browser
 * has a pass for; by all others nothing does, as caches keep them.
 */
export const DOORS: {
  door: string;
  leads: boolean;
  opens?: true;
  open: (visit: Visit, post: Post, who: string) => Promise<string>;
}[] = [
  { door: 'its page', leads: true, open: ({ read }, { name }, who) => read(`/${name}/`, who) },
  { door: 'its second page', leads: true, open: ({ read }, { name }, who) => read(`/${name}/2/`, who) },
  {
    door: 'a POST to its page',
    leads: true,
    open: ({ read }, { name }, who) => read(`/${name}/`, who, { method: 'POST' }),
  },
  {
    door: 'the form without script',
    leads: true,
    opens: true,
    open: ({ read }, { name }, who) =>
      read(`/${name}/`, who, { method: 'POST', body: new URLSearchParams({ 'creator-hq-open': '1' }) }),
  },
  {
    door: 'its page with a made up link of a mail',
    leads: true,
    open: ({ read }, { name }, who) => read(`/${name}/?chq-pass=${'1'.repeat(36)}.9999999999.${'a'.repeat(43)}`, who),
  },
  {
    door: 'a made up link of a friend',
    leads: false,
    open: ({ read }, { id }, who) =>
      read(`/creator-hq-passed/${id}.${'g'.repeat(43)}.${'a'.repeat(43)}/`, who, { method: 'POST' }),
  },
  { door: 'a preview', leads: true, open: ({ read }, { id }, who) => read(`/?p=${id}&preview=true`, who) },
  { door: 'the list of posts', leads: true, open: ({ read }, _, who) => read('/?posts_per_page=50', who) },
  { door: 'a month', leads: true, open: ({ read }, _, who) => read(`/${new Date().getUTCFullYear()}/`, who) },
  { door: 'a search', leads: true, open: ({ read }, _, who) => read('/?s=cake', who) },
  { door: 'RSS', leads: true, open: ({ read }) => read('/feed/') },
  { door: 'RSS 0.92', leads: true, open: ({ read }) => read('/feed/rss/') },
  { door: 'RDF', leads: true, open: ({ read }) => read('/feed/rdf/') },
  { door: 'Atom', leads: true, open: ({ read }) => read('/feed/atom/') },
  { door: 'the feed of a search', leads: true, open: ({ read }) => read('/?s=cake&feed=rss2') },
  { door: 'the feed of comments', leads: false, open: ({ read }) => read('/comments/feed/') },
  { door: 'the feed of its comments', leads: false, open: ({ read }, { name }) => read(`/${name}/feed/`) },
  { door: 'REST, one', leads: true, open: ({ read }, { id }) => read(`/wp-json/wp/v2/posts/${id}`) },
  {
    door: 'REST, embedded',
    leads: true,
    open: ({ read }, { id }) => read(`/wp-json/wp/v2/posts/${id}?context=embed&_embed=1`),
  },
  { door: 'REST, all', leads: true, open: ({ read }) => read('/wp-json/wp/v2/posts?per_page=50') },
  { door: 'REST, by name', leads: true, open: ({ read }, { name }) => read(`/wp-json/wp/v2/posts?slug=${name}`) },
  { door: 'REST, to edit', leads: false, open: ({ read }, { id }) => read(`/wp-json/wp/v2/posts/${id}?context=edit`) },
  { door: 'REST, revisions', leads: false, open: ({ read }, { id }) => read(`/wp-json/wp/v2/posts/${id}/revisions`) },
  { door: 'REST, search', leads: false, open: ({ read }) => read('/wp-json/wp/v2/search?search=cake&_embed=1') },
  { door: 'REST, the card', leads: true, open: ({ read }, { card }) => read(`/wp-json/wp/v2/wprm_recipe/${card}`) },
  { door: 'REST, all cards', leads: true, open: ({ read }) => read('/wp-json/wp/v2/wprm_recipe?per_page=50') },
  {
    door: 'the print page of the card',
    leads: true,
    open: ({ read }, { card }, who) => read(`/?wprm_print=${card}`, who),
  },
  {
    door: 'oEmbed',
    leads: false,
    open: ({ read, url }, { name }) => read(`/wp-json/oembed/1.0/embed?url=${encodeURIComponent(`${url}/${name}/`)}`),
  },
  { door: 'the embedded page', leads: true, open: ({ read }, { name }) => read(`/${name}/embed/`) },
  { door: 'the sitemap', leads: false, open: ({ read }) => read('/wp-sitemap-posts-post-1.xml') },
  { door: 'AMP', leads: true, open: ({ read }, { name }, who) => read(`/${name}/?amp=1`, who) },
  { door: 'a print view', leads: true, open: ({ read }, { name }, who) => read(`/${name}/?print=1`, who) },
  {
    door: 'admin-ajax',
    leads: true,
    open: ({ read }, { name }, who) => read(`/wp-admin/admin-ajax.php?action=more&name=${name}`, who),
  },
  { door: 'XML-RPC', leads: false, open: ({ xmlRpc }, { id }) => xmlRpc('wp.getPost', 1, '', '', id) },
  {
    door: 'XML-RPC, the old way',
    leads: false,
    open: ({ xmlRpc }, { id }) => xmlRpc('metaWeblog.getPost', id, '', ''),
  },
  {
    door: 'XML-RPC, pingbacks',
    leads: false,
    open: ({ xmlRpc, url }, { name }) => xmlRpc('pingback.extensions.getPingbacks', `${url}/${name}/`),
  },
  {
    door: 'our own open',
    leads: false,
    opens: true,
    open: ({ read }, { id }, who) =>
      read('/wp-json/creator-hq/v1/open', who, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ post: id }),
      }),
  },
  {
    door: 'our own open by admin-ajax',
    leads: false,
    opens: true,
    open: ({ read }, { id }, who) =>
      read('/wp-admin/admin-ajax.php', who, {
        method: 'POST',
        body: new URLSearchParams({ action: 'creator_hq_open', post: String(id) }),
      }),
  },
  {
    door: 'a mail that a program writes about new posts',
    leads: true,
    open: ({ php }, { id }) =>
      php(
        `$post = get_post(${id}); echo get_the_excerpt($post), get_the_content(null, false, $post), apply_filters('the_content', $post->post_content);`,
      ),
  },
  {
    door: 'what a save of it says to the hub',
    leads: true,
    open: ({ php }, { id, card }) => php(`echo json_encode(CreatorHq\\Cards\\Facts::of(${id}, 'wprm-${card}'));`),
  },
];

export const WORDS = [
  ...['zqfirst', 'zqsecond', 'zqthird', 'zqlisted', 'zqclassic', 'zqpage'],
  ...['zqingredient', 'zqinstruction', 'zqnotes', 'zqcached', 'zqjson'],
];
export const planted = (text: string) => WORDS.filter((word) => text.includes(word));
