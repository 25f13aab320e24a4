import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packPlugin, pluginFiles } from '#server/platforms/wordpress/plugin-package.ts';
import { startScript } from '#server/testing/processes.ts';
import { loadPhp } from '#server/testing/wordpress/php-wasm.ts';
import { type Lane, OLD_PHP } from '#server/testing/wordpress.ts';
import { fieldsOf, sendJson, startBlog } from './blog.ts';

const run = promisify(execFile);

test.each<Lane>(['7.1', '6.2'])(
  'uninstalling from WordPress %s leaves no option, field of a post, table, task or file',
  async (lane) => {
    const blog = await startBlog({ isConnected: false, lane });
    try {
      const { wordpress, hub } = blog;
      const left = async () =>
        JSON.parse(
          await wordpress.php(`global $wpdb; echo json_encode(array(
          'options' => $wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%creator%hq%'"),
          'meta' => $wpdb->get_col("SELECT meta_key FROM $wpdb->usermeta WHERE meta_key LIKE '%creator%hq%'"),
          'fields' => $wpdb->get_col("SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%creator%hq%'"),
          'tables' => array_values(array_filter($wpdb->get_col('SHOW TABLES'), function ($name) { return false !== strpos($name, 'creator_hq'); })),
          'tasks' => array_values(array_filter(array_merge(array(), ...array_map('array_keys', array_values(array_filter(_get_cron_array(), 'is_array')))), function ($name) { return 0 === strpos($name, 'creator_hq'); })),
        ));`),
        );
      await wordpress.php(`update_option('creator_hq_connection', array('hub' => '${hub.url}', 'key' => 'chq_${'k'.repeat(36)}2345'), false);
      update_option('creator_hq_places', array('place' => 'none')); set_transient('creator_hq_renew_x', 'due', 99);`);
      await blog.post('Pie', 'Before [creator_hq_save] after');
      await wordpress.php(
        `update_post_meta(get_page_by_path('pie', OBJECT, 'post')->ID, '_creator_hq_list', 'https://hq.example/s/abcd1234');`,
      );
      // The page in the trash, and another one that somebody copied from it.
      await wordpress.php(
        `CreatorHq\\Gate\\MembershipPage::make(); wp_trash_post(CreatorHq\\Gate\\MembershipPage::find()); add_post_meta(get_page_by_path('pie', OBJECT, 'post')->ID, '_creator_hq_membership', 1);`,
      );
      const pages = `echo count(get_posts(array('post_type' => 'page', 'post_status' => 'trash', 'title' => 'Membership')));`;
      expect(await wordpress.php(pages)).toBe('1');
      const fields = fieldsOf(await (await fetch(`${wordpress.url}/pie/`)).text());
      await hub.goAway();
      expect((await sendJson(wordpress.url, { ...fields, email: 'a@b.example' })).body.result).toBe('saved');
      const used = await left();
      expect(used.options.length).toBeGreaterThanOrEqual(6);
      expect([...new Set(used.fields as string[])].sort()).toEqual(['_creator_hq_list', '_creator_hq_membership']);
      expect(used.tables.sort()).toEqual(['wp_creator_hq_outbox', 'wp_creator_hq_posts', 'wp_creator_hq_recent']);
      const tasks = ['daily', 'forms', 'outbox', 'posts'].map((name) => `creator_hq_${name}`);
      expect(used.tasks.sort()).toEqual(tasks);

      const asAdministrator = `require_once ABSPATH . 'wp-admin/includes/plugin.php'; require_once ABSPATH . 'wp-admin/includes/file.php'; wp_set_current_user(1);`;
      await wordpress.php(`${asAdministrator} deactivate_plugins('creator-hq/creator-hq.php');`);
      const kept = await left();
      expect(kept.tasks).toEqual([]);
      expect(kept.tables).toHaveLength(3);

      const deleted = `echo json_encode(delete_plugins(array('creator-hq/creator-hq.php')));`;
      expect(await wordpress.php(`${asAdministrator} ${deleted}`)).toBe('true');
      expect(await wordpress.php(pages)).toBe('0');
      expect(await left()).toEqual({ options: [], meta: [], fields: [], tables: [], tasks: [] });
      expect(await readdir(path.join(wordpress.folder, 'wp-content/plugins'))).not.toContain('creator-hq');
      const page = await fetch(`${wordpress.url}/pie/`);
      await page.text();
      expect(page.status).toBe(200);
      expect(await wordpress.complaints()).toEqual([]);
    } finally {
      await blog.close();
    }
  },
);

test('a site of a test run that was killed ends with it, its files too', async () => {
  const code = `import { startWordPress } from '#server/testing/wordpress.ts';
    const { url, folder } = await startWordPress();
    console.log(JSON.stringify({ url, folder })); setInterval(() => {}, 1000);`;
  const isReady = (line: string) => line.startsWith('{');
  const testRun = await startScript('--input-type=module', ['--eval', code], {}, isReady);
  const { url, folder } = JSON.parse(testRun.firstLine);
  await (await fetch(url)).text();
  await testRun.kill();
  await expect
    .poll(() =>
      fetch(url).then(
        () => 'answers',
        () => 'gone',
      ),
    )
    .toBe('gone');
  await expect.poll(() => existsSync(folder)).toBe(false);
});

test('uninstalling from a network leaves nothing on any of its sites', async () => {
  const blog = await startBlog({ isConnected: false });
  try {
    const { wordpress } = blog;
    const { host } = new URL(wordpress.url);
    await wordpress.wp('core', 'multisite-convert', '--title=Network', '--skip-config');
    const network = `define( 'MULTISITE', true ); define( 'SUBDOMAIN_INSTALL', false ); define( 'DOMAIN_CURRENT_SITE', '${host}' );
      define( 'PATH_CURRENT_SITE', '/' ); define( 'SITE_ID_CURRENT_SITE', 1 ); define( 'BLOG_ID_CURRENT_SITE', 1 );`;
    const inNetwork = (code: string) => wordpress.wp(`--exec=${network}`, 'eval', code);
    await inNetwork(`
      foreach ( array( 1, wpmu_create_blog( '${host}', '/second/', 'Second', 1 ) ) as $site ) {
        switch_to_blog( $site );
        CreatorHq\\Plugin::activate();
        CreatorHq\\Tables::ensure();
        CreatorHq\\State::note( 'x' );
        wp_schedule_event( time(), 'daily', 'creator_hq_outbox' );
        wp_schedule_single_event( time() + 999, 'creator_hq_lock_day', array( 1 ) );
        restore_current_blog();
      }`);
    const left = async () =>
      JSON.parse(
        await inNetwork(`global $wpdb; $left = array();
          foreach ( get_sites( array( 'fields' => 'ids' ) ) as $site ) {
            switch_to_blog( $site );
            $left[] = array(
              count( $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%creator%hq%'" ) ),
              count( array_filter( $wpdb->get_col( 'SHOW TABLES' ), function ( $name ) use ( $wpdb ) { return 0 === strpos( $name, $wpdb->prefix . 'creator_hq' ); } ) ),
              substr_count( serialize( _get_cron_array() ), '"creator_hq_' ) > 0,
            );
            restore_current_blog();
          }
          echo json_encode( $left );`),
      );
    const used = await left();
    expect(used).toHaveLength(2);
    for (const [options, tables, hasTasks] of used) {
      expect(options).toBeGreaterThanOrEqual(4);
      expect([tables, hasTasks]).toEqual([3, true]);
    }
    await inNetwork(`define( 'WP_UNINSTALL_PLUGIN', true ); require WP_PLUGIN_DIR . '/creator-hq/uninstall.php';`);
    expect(await left()).toEqual([
      [0, 0, false],
      [0, 0, false],
    ]);
  } finally {
    await blog.close();
  }
});

test('the zip has what a blog needs and no more, and PHP reads every file of it', async () => {
  const files = await pluginFiles(null);
  expect([...files.keys()].filter((name) => name.startsWith('tests'))).toEqual([]);
  expect(gzipSync(files.get('assets/form.js')!).length).toBeLessThanOrEqual(6 * 1024);
  expect(await packPlugin(null)).toEqual(await packPlugin(null));

  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'creator-hq-zip-'));
  await writeFile(path.join(folder.path, 'plugin.zip'), (await packPlugin(null)).zip);
  // Read by somebody else's program, and every file of PHP by PHP.
  await run('php', ['-r', `exit((new PharData('${folder.path}/plugin.zip'))->extractTo('${folder.path}') ? 0 : 1);`]);
  const sources = [...files.keys()].filter((name) => name.endsWith('.php'));
  for (const name of sources) await run('php', ['-l', path.join(folder.path, 'creator-hq', name)]);
});

test.each(['7.4', '8.4'] as const)('PHP %s compiles every file of the plugin', async (version) => {
  const php = await loadPhp(OLD_PHP, version);
  try {
    for (const [name, bytes] of await pluginFiles(null)) {
      if (name.endsWith('.php')) expect(await compiled(php, Buffer.from(bytes).toString('utf8')), name).toBe('read');
    }
    expect(
      await compiled(php, '<?php\nnamespace Planted;\nfinal class One { function a() {} function a() {} }'),
    ).toContain('Cannot redeclare');
    const union = await compiled(php, '<?php\nnamespace Planted;\nfunction f( int|string $a ) {}');
    expect(union).toMatch(version === '7.4' ? /syntax error/ : /^read$/);
  } finally {
    php.exit();
  }
});

/** As `php -l` does it, without ending PHP: all of the code is compiled before its first statement returns. */
async function compiled(php: Awaited<ReturnType<typeof loadPhp>>, source: string): Promise<string> {
  const code = source.replace(/^(<\?php[\s\S]*?\nnamespace [^;]+;|<\?php)/, '$1 return;').replace(/^<\?php/, '');
  const ran = await php.runStream({
    code: `<?php ini_set('display_errors', '1'); error_reporting(E_ALL);
      try { eval(base64_decode('${Buffer.from(code).toString('base64')}')); echo 'read'; } catch (Throwable $error) { echo $error->getMessage(); }`,
  });
  return (await ran.stdoutText).trim();
}
