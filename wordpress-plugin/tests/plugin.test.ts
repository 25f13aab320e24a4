import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packPlugin, pluginFiles } from '#server/platforms/wordpress/plugin-package.ts';
import { fieldsOf, sendJson, startBlog } from './blog.ts';

const run = promisify(execFile);

test('uninstalling leaves no option, table, task or file', async () => {
  const blog = await startBlog({ isConnected: false });
  try {
    const { wordpress, hub } = blog;
    const left = async () =>
      JSON.parse(
        await wordpress.php(`global $wpdb; echo json_encode(array(
          'options' => $wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%creator%hq%'"),
          'meta' => $wpdb->get_col("SELECT meta_key FROM $wpdb->usermeta WHERE meta_key LIKE '%creator%hq%'"),
          'tables' => array_values(array_filter($wpdb->get_col('SHOW TABLES'), function ($name) { return false !== strpos($name, 'creator_hq'); })),
          'tasks' => array_values(array_filter(array_merge(array(), ...array_map('array_keys', array_values(array_filter(_get_cron_array(), 'is_array')))), function ($name) { return 0 === strpos($name, 'creator_hq'); })),
        ));`),
      );
    await wordpress.php(`update_option('creator_hq_connection', array('hub' => '${hub.url}', 'key' => 'chq_${'k'.repeat(36)}2345'), false);
      update_option('creator_hq_places', array('place' => 'none'));`);
    await blog.post('Pie', 'Before [creator_hq_save] after');
    const fields = fieldsOf(await (await fetch(`${wordpress.url}/pie/`)).text());
    await hub.goAway();
    expect((await sendJson(wordpress.url, { ...fields, email: 'a@b.example' })).body.result).toBe('saved');
    const used = await left();
    expect(used.options.length).toBeGreaterThanOrEqual(6);
    expect(used.tables.sort()).toEqual(['wp_creator_hq_outbox', 'wp_creator_hq_recent']);
    expect(used.tasks.sort()).toEqual(['creator_hq_daily', 'creator_hq_forms', 'creator_hq_outbox']);

    await wordpress.wp('plugin', 'deactivate', 'creator-hq');
    const kept = await left();
    expect(kept.tasks).toEqual([]);
    expect(kept.tables).toHaveLength(2);

    await wordpress.wp('plugin', 'uninstall', 'creator-hq');
    expect(await left()).toEqual({ options: [], meta: [], tables: [], tasks: [] });
    expect(await readdir(path.join(wordpress.folder, 'wp-content/plugins'))).not.toContain('creator-hq');
    const page = await fetch(`${wordpress.url}/pie/`);
    await page.text();
    expect(page.status).toBe(200);
    expect(await wordpress.complaints()).toEqual([]);
  } finally {
    await blog.close();
  }
});

test('the zip has what a blog needs and no more, and PHP reads every file of it', async () => {
  const files = await pluginFiles(null);
  expect([...files.keys()].filter((name) => name.startsWith('tests'))).toEqual([]);
  expect(gzipSync(files.get('assets/form.js')!).length).toBeLessThanOrEqual(6 * 1024);

  const folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-zip-'));
  try {
    await writeFile(path.join(folder, 'plugin.zip'), (await packPlugin(null)).zip);
    // Read by somebody else's program, and every file of PHP by PHP.
    await run('php', ['-r', `exit((new PharData('${folder}/plugin.zip'))->extractTo('${folder}') ? 0 : 1);`]);
    for (const name of files.keys()) {
      const file = path.join(folder, 'creator-hq', name);
      if (name.endsWith('.php')) await run('php', ['-l', file]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
