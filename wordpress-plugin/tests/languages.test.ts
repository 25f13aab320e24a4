import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lane } from '#server/testing/wordpress.ts';
import { type Blog, fieldsOf, logIn, sendJson, sendNatively, startBlog } from './blog.ts';

describe.each<Lane>(['7.1', '6.2'])('in WordPress %s', (lane) => {
  let blog: Blog;

  beforeAll(async () => {
    blog = await startBlog({ lane });
    const switched = `<?php add_filter( 'locale', function ( $locale ) { return get_option( 'test_locale', 'de_DE' ); } );`;
    await writeFile(path.join(blog.wordpress.folder, 'wp-content/mu-plugins/language.php'), switched);
  });
  afterAll(async () => {
    expect(await blog.wordpress.complaints()).toEqual([]);
    await blog.close();
  });

  const speak = (locale: string) => blog.wordpress.php(`update_option('test_locale', '${locale}');`);

  test('a reader of a German blog is answered in German, with script and without', async () => {
    await blog.post('Torte', '[creator_hq_save]');
    const fields = fieldsOf(await (await fetch(`${blog.wordpress.url}/torte/`)).text());
    const wrong = await sendJson(blog.wordpress.url, { ...fields, email: 'wrong@localhost' });
    expect(wrong.body.message).toBe('Diese E-Mail-Adresse scheint nicht zu stimmen. Bitte prüfen Sie sie.');
    const { html } = await sendNatively(blog.wordpress.url, { ...fields, email: 'reader@example.com' });
    expect(html).toContain('<html lang="de-DE"');
    expect(html).toContain('Gesendet. Schauen Sie in Ihr Postfach.');
    expect(html).toContain('Zurück zur Seite');
  });

  test('so is who runs it, numbers, the list of plugins and the editor’s block too', async () => {
    const cookie = await logIn(blog, 'administrator');
    const get = async (page: string) =>
      (await fetch(`${blog.wordpress.url}/wp-admin/${page}`, { headers: { cookie } })).text();
    const page = await get('options-general.php?page=creator-hq');
    expect(page).toContain('2. Wo das Formular steht');
    expect(page).toContain('2 Formulare sind bereit.');
    expect(await get('plugins.php')).toContain('Ihre Kontakte kommen in Ihrem eigenen Creator HQ zusammen');
    const block = await blog.wordpress.php(
      `echo WP_Block_Type_Registry::get_instance()->get_registered('creator-hq/form')->title, ' ', load_script_textdomain('creator-hq-block-form', 'creator-hq', WP_PLUGIN_DIR . '/creator-hq/languages');`,
    );
    expect(block).toMatch(/^Creator-HQ-Formular \{/);
    expect(JSON.parse(block.slice(block.indexOf('{'))).locale_data.messages).toMatchObject({
      '': { 'plural-forms': 'nplurals=2; plural=n != 1;' },
      'Readers see the form here.': ['Hier sehen Leserinnen und Leser das Formular.'],
    });
  });

  test.each([
    ['es_ES', 'Volver a la página'],
    ['fr_FR', 'Retour à la page'],
    ['de_AT', 'Zurück zur Seite'],
    ['de_DE_formal', 'Zurück zur Seite'],
    ['es_MX', 'Volver a la página'],
    ['fr_CA', 'Retour à la page'],
    ['en_GB', 'Back to the page'],
    ['nl_NL', 'Back to the page'],
  ])('%s reads: %s', async (locale, text) => {
    await speak(locale);
    expect(await blog.wordpress.php(`echo __('Back to the page', 'creator-hq');`)).toBe(text);
  });
});
