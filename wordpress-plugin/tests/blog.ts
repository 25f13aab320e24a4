/** A real WordPress with our plugin, connected to a hub, and posts with recipes. */

import type { BrowserContextOptions, Page } from 'playwright';
import { pluginFiles } from '#server/platforms/wordpress/plugin-package.ts';
import { type Lane, startWordPress } from '#server/testing/wordpress.ts';
import { KEY, startFakeHub } from './fake-hub.ts';

export type Blog = Awaited<ReturnType<typeof startBlog>>;

/** @param settings.cameFrom the hub that the plugin was downloaded from; the false one when absent */
export async function startBlog({
  isConnected = true,
  lane,
  cameFrom,
  plugins = [],
}: {
  isConnected?: boolean;
  lane?: Lane;
  cameFrom?: string;
  plugins?: string[];
} = {}) {
  const hub = await startFakeHub();
  const wordpress = await startWordPress({
    lane,
    plugins: ['fake-recipe-maker', 'fake-tasty-recipes', 'fake-create', ...plugins],
    files: { 'creator-hq': await pluginFiles(cameFrom ?? hub.url) },
  });
  if (isConnected) await wordpress.php(connectTo(hub.url));
  return {
    hub,
    wordpress,
    /** A published post with this text; answers its id. */
    async post(title: string, content: string, more = ''): Promise<number> {
      const fields = `'post_title' => ${quoted(title)}, 'post_name' => ${quoted(title.toLowerCase().replaceAll(' ', '-'))}, 'post_content' => ${quoted(content)}, 'post_status' => 'publish'`;
      return Number(await wordpress.php(`echo wp_insert_post(array(${fields}, ${more}));`));
    },
    /** A turn of WordPress's cron that asks the hub what is new. */
    register: () => wordpress.php(`${IN_CRON} CreatorHq\\Connection::register();`),
    /** A turn of WordPress's cron that tells the hub of posts. */
    tellPosts: () => wordpress.php(`${IN_CRON} do_action('creator_hq_posts');`),
    /** A recipe of WP Recipe Maker; answers its id. */
    async recipe(name: string): Promise<number> {
      return Number(
        await wordpress.php(`
          $id = wp_insert_post(array('post_type' => 'wprm_recipe', 'post_title' => ${quoted(name)}, 'post_status' => 'publish'));
          update_post_meta($id, 'wprm_ingredients', array(array('name' => '', 'ingredients' => array(
            array('amount' => '1 1/2', 'unit' => 'cups', 'name' => '<a href="/flour">flour</a>', 'notes' => ''),
            array('amount' => '1', 'unit' => 'tsp', 'name' => 'salt &amp; pepper', 'notes' => 'to taste')))));
          update_post_meta($id, 'wprm_total_time', '45');
          update_post_meta($id, 'wprm_servings', '4');
          update_post_meta($id, 'wprm_servings_unit', 'people');
          echo $id;`),
      );
    },
    /** One of Tasty Recipes; answers its id. */
    async tastyRecipe(name: string): Promise<number> {
      return Number(
        await wordpress.php(`
          $id = wp_insert_post(array('post_type' => 'tasty_recipe', 'post_title' => ${quoted(name)}, 'post_status' => 'publish'));
          update_post_meta($id, 'ingredients', '<h4>Dough</h4><ul><li>500 g <strong>flour</strong></li><li>salt &amp; pepper</li></ul>');
          update_post_meta($id, 'total_time', '1 hour 10 minutes');
          update_post_meta($id, 'yield', '4 waffles');
          echo $id;`),
      );
    },
    /** One of Create, as it publishes it; with this id. */
    async creation(id: number, name: string, more: Record<string, unknown> = {}): Promise<void> {
      const card = {
        ...{ id, type: 'recipe', title: name, yield: '12 bars', total_time: { hours: 1, minutes: 5, seconds: 0 } },
        ingredients: {
          'mv-has-no-group': [
            { original_text: '2 cups [rolled oats], toasted', link: 'https://shop.example/oats', nofollow: true },
            { original_text: '1 pinch [sea] salt', link: null },
          ],
          Topping: [{ original_text: '50 g <em>chocolate</em>' }],
        },
        ...more,
      };
      const json = Buffer.from(JSON.stringify(card)).toString('base64');
      await wordpress.php(`update_option('fake_create_${id}', base64_decode('${json}'));`);
    },
    async close() {
      await wordpress.close();
      await hub.close();
    },
  };
}

/** As the hub tells it after it has looked. */
export async function showInline(
  { hub, wordpress }: Pick<Blog, 'hub' | 'wordpress'>,
  isInline: boolean,
): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  hub.members = { ...hub.members, at: now, inlineUntil: isInline ? now + 86_400 : 0 };
  await wordpress.php(`${IN_CRON} CreatorHq\\Connection::register();`);
}

/** Nobody waits: a hub on a busy machine has 20 seconds to answer, not 4. */
const IN_CRON = `add_filter('wp_doing_cron', '__return_true');`;

export function connectTo(hub: string, key = KEY): string {
  return `${IN_CRON} update_option('creator_hq_connection', array('hub' => ${quoted(hub)}, 'key' => ${quoted(key)}), false);`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export type Fields = Record<string, string>;

/** The hidden fields of the first form in this HTML. */
export function fieldsOf(html: string): Fields {
  const form = /<creator-hq-form[\s\S]*?<\/creator-hq-form>/.exec(html)?.[0] ?? '';
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}

/** Ways in which our script, or what it asks for, does not come through. */
export const WITHOUT_SCRIPT: [string, BrowserContextOptions, ((page: Page) => Promise<unknown>)?][] = [
  ['JavaScript is off', { javaScriptEnabled: false }],
  ['form.js is blocked', {}, (page) => page.route('**/form.js*', (route) => route.abort())],
  [
    'a firewall answers /wp-json with a page',
    {},
    (page) =>
      page.route('**/wp-json/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Blocked</h1>' })),
  ],
  ['/wp-json cannot be reached', {}, (page) => page.route('**/wp-json/**', (route) => route.abort())],
];

/** As the script sends it. */
export async function sendJson(
  url: string,
  fields: Record<string, unknown>,
): Promise<{ status: number; body: { result: string; code: string; message: string } }> {
  const response = await fetch(`${url}/wp-json/creator-hq/v1/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ elapsed: 5000, ...fields }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** As a browser without our script sends it. */
export async function sendNatively(
  url: string,
  fields: Fields,
): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await fetch(`${url}/?creator-hq=submit`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

/** Someone with this role signs in to wp-admin; answers their cookies. */
export async function logIn({ wordpress }: Pick<Blog, 'wordpress'>, role: string): Promise<string> {
  const login = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  await wordpress.php(
    `$id = wp_create_user('${login}', 'only for tests', '${login}@example.com'); (new WP_User($id))->set_role('${role}');`,
  );
  const response = await fetch(`${wordpress.url}/wp-login.php`, {
    method: 'POST',
    headers: { cookie: 'wordpress_test_cookie=WP+Cookie+check' },
    body: new URLSearchParams({ log: login, pwd: 'only for tests' }),
    redirect: 'manual',
  });
  // A body that nobody reads breaks undici when the server ends the connection.
  await response.text();
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
