/**
 * `npm run wordpress [-- --hub URL --key KEY]`: a real WordPress with the plugin on this machine, kept in `data/wordpress`. It
 * is connected to the Creator HQ that `npm start` runs with its demo, or to another one by its address and API key.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pluginFiles } from '#server/platforms/wordpress/plugin-package.ts';
import { ADMIN, ensurePhp, startWordPress, WORDPRESS_REMEDY } from '#server/testing/wordpress.ts';
import { buildFormScript } from './build.ts';

const PORT = 8881;
const data = path.join(path.dirname(import.meta.dirname), 'data');
const { values } = parseArgs({ options: { hub: { type: 'string' }, key: { type: 'string' } } });
const hub = values.hub ?? `http://localhost:${process.env.PORT ?? '3000'}`;
// The demo creator's, which their simulated blog has too: this WordPress is then a copy of that blog.
const key = values.key ?? (await readFile(path.join(data, 'simulators/blog-api-key'), 'utf8').catch(() => ''));

if (!ensurePhp()) {
  console.error(WORDPRESS_REMEDY);
  process.exit(1);
}
console.log('Starting WordPress…');
await buildFormScript();
const wordpress = await startWordPress({
  folder: path.join(data, 'wordpress'),
  port: PORT,
  plugins: ['fake-recipe-maker'],
  files: { 'creator-hq': await pluginFiles(hub) },
});
await wordpress.php(sampleRecipe());
const trouble = await wordpress.php(
  key === ''
    ? `echo CreatorHq\\Connection::register();`
    : `update_option('creator_hq_connection', array('hub' => '${hub}', 'key' => '${key.trim()}'), false); echo CreatorHq\\Connection::register();`,
);
console.log(`A recipe:  ${wordpress.url}/lemon-cake/`);
console.log(
  `wp-admin:  ${wordpress.url}/wp-admin/options-general.php?page=creator-hq (${ADMIN.name}, ${ADMIN.password})`,
);
console.log(
  trouble === ''
    ? `Connected to ${hub}.`
    : `Not connected (${trouble}): paste address and key in wp-admin. Ctrl+C ends it.`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void wordpress.close());

/** A recipe with a form in its card, unless it is there. */
function sampleRecipe(): string {
  return `
    if (!get_page_by_path('lemon-cake', OBJECT, 'post')) {
      $recipe = wp_insert_post(array('post_type' => 'wprm_recipe', 'post_title' => 'Lemon cake', 'post_status' => 'publish'));
      update_post_meta($recipe, 'wprm_ingredients', array(array('name' => '', 'ingredients' => array(
        array('amount' => '2', 'unit' => 'cups', 'name' => 'flour', 'notes' => ''),
        array('amount' => '3', 'unit' => '', 'name' => 'lemons', 'notes' => 'juice and zest')))));
      update_post_meta($recipe, 'wprm_total_time', '55');
      wp_insert_post(array('post_title' => 'Lemon cake', 'post_name' => 'lemon-cake', 'post_status' => 'publish',
        'post_content' => '<p>The one everyone asks for.</p>[wprm-recipe id="' . $recipe . '"]'));
      update_option('creator_hq_places', array('place' => 'in_card'));
    }`;
}
