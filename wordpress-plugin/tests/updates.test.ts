/** A new version of the plugin, from the real Creator HQ into a real WordPress. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '#contract/settings.ts';
import { pluginFiles } from '#server/platforms/wordpress/plugin-package.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { type Lane, startWordPress, type WordPress } from '#server/testing/wordpress.ts';
import { connectTo, logIn } from './blog.ts';

describe.each<Lane>(['7.1', '6.2'])('in WordPress %s', (lane) => {
  let line: Server;
  /** What becomes of bytes on the way from Creator HQ to the blog. */
  let onTheWay: (body: Buffer, path: string) => Buffer | null;
  let hub: string;
  let app: TestApp;
  let blog: WordPress;
  let cookie: string;

  beforeAll(async () => {
    line = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      const answer = await app.app.inject({ method, url, headers, payload: Buffer.concat(chunks) } as never);
      const body = onTheWay(Buffer.from(answer.rawPayload), url!);
      if (body === null) return request.socket.destroy();
      response.writeHead(answer.statusCode, { 'content-type': answer.headers['content-type'] as string });
      response.end(body);
    });
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
    hub = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
    onTheWay = (body) => body;
    app = await createTestApp({ settings: { BASE_URL: hub } });
    const anna = await app.signUpAndIn();
    const { id: creatorId } = await anna.createCreator();
    const { key } = (await anna.call(makeApiKey, { params: { creatorId } })).body;
    blog = await startWordPress({ lane, files: { 'creator-hq': await olderPlugin() } });
    await blog.php(connectTo(hub, key));
    cookie = await logIn({ wordpress: blog }, 'administrator');
  });
  afterAll(async () => {
    expect(await blog?.complaints()).toEqual([]);
    await blog?.close();
    await app?.close();
    line?.closeAllConnections();
    line?.close();
  });

  async function olderPlugin() {
    const files = await pluginFiles(hub);
    const main = Buffer.from(files.get('creator-hq.php')!).toString('utf8');
    return files.set('creator-hq.php', Buffer.from(main.replaceAll(/(Version: +|_VERSION', ')0\.1\.0/g, '$10.0.9')));
  }

  const get = async (path: string) => (await fetch(`${blog.url}${path}`, { headers: { cookie } })).text();
  /** As WordPress itself does it twice a day. */
  const lookForUpdates = () => blog.php(`delete_site_transient('update_plugins'); wp_update_plugins();`);
  const offered = async () =>
    JSON.parse(await blog.php(`echo json_encode(get_site_transient('update_plugins')->response);`))[
      'creator-hq/creator-hq.php'
    ];
  const installed = () =>
    blog.php(`require_once ABSPATH . 'wp-admin/includes/plugin.php';
    echo get_plugins()['creator-hq/creator-hq.php']['Version'], ' ', CREATOR_HQ_VERSION;`);
  /** As the script of wp-admin does it for somebody who clicks “update now”. */
  async function update(): Promise<unknown> {
    const nonce = /_wpUpdatesSettings = \{"ajax_nonce":"(\w+)"/.exec(await get('/wp-admin/plugins.php'))![1]!;
    const fields = {
      action: 'update-plugin',
      plugin: 'creator-hq/creator-hq.php',
      slug: 'creator-hq',
      _ajax_nonce: nonce,
    };
    const body = new URLSearchParams(fields);
    return (await fetch(`${blog.url}/wp-admin/admin-ajax.php`, { method: 'POST', headers: { cookie }, body })).json();
  }

  test('an update is of one site: others of the same core notice nothing', async () => {
    const folder = await blog.php(`require_once ABSPATH . 'wp-admin/includes/file.php'; WP_Filesystem();
      echo $GLOBALS['wp_filesystem']->abspath();`);
    expect(folder).toBe(`${blog.folder}/`);
  });

  test('with Creator HQ away there is no update and no notice', async () => {
    onTheWay = () => null;
    await lookForUpdates();
    expect(await offered()).toBeUndefined();
    expect(await get('/wp-admin/plugins.php')).not.toMatch(/new version of Creator HQ/);
    onTheWay = (body) => body;
  });

  test('nor is there one that another site’s key signed', async () => {
    await blog.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
    onTheWay = (body, path) =>
      path.startsWith('/api/v1/plugin/update')
        ? Buffer.from(body.toString('utf8').replace(/"signature":"[^"]{5}/, '"signature":"AAAAA'))
        : body;
    await lookForUpdates();
    expect(await offered()).toBeUndefined();
    onTheWay = (body) => body;
  });

  test('a zip with one byte changed is refused, and the plugin stays as it was', async () => {
    await lookForUpdates();
    expect(await offered()).toMatchObject({
      new_version: '0.1.0',
      tested: '7.1',
      requires: '6.2',
      requires_php: '7.4',
    });
    expect(await get('/wp-admin/plugins.php')).toMatch(/new version of Creator HQ/);
    onTheWay = (body, path) => {
      if (path.endsWith('.zip')) body[body.length >> 1]! ^= 1;
      return body;
    };
    const errorMessage = 'The file is not the one that Creator HQ announced. Nothing was changed.';
    expect(await update()).toMatchObject({ success: false, data: { errorMessage } });
    expect(await installed()).toBe('0.0.9 0.0.9');
    onTheWay = (body) => body;
  });

  test('the new version is installed, and goes on with what the old one knew', async () => {
    expect(await get('/wp-admin/plugin-install.php?tab=plugin-information&plugin=creator-hq')).toContain('= 0.1.0 =');
    expect(await update()).toMatchObject({ success: true, data: { newVersion: 'Version 0.1.0' } });
    expect(await installed()).toBe('0.1.0 0.1.0');
    expect(await get('/wp-admin/plugins.php')).not.toMatch(/new version of Creator HQ/);
    expect(await blog.wp('creator-hq', 'status')).toContain('Connected as @');
    const { rows } = await app.db.enginePool.query('select plugin_version from sites');
    expect(rows).toEqual([{ plugin_version: '0.1.0' }]);
  });
});
