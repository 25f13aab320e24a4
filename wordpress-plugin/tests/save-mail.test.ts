/** From every way to a form on a blog to the one mail that a mail server gets: real WordPress, real Creator HQ. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listForms } from '#contract/forms.ts';
import { makeApiKey } from '#contract/settings.ts';
import { type Kitchen, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import type { Lane } from '#server/testing/wordpress.ts';
import { type Blog, connectTo, fieldsOf, sendJson, startBlog } from './blog.ts';

const DAY_MINUTES = 24 * 60;

describe.each<Lane>(['7.1', '6.2'])('in WordPress %s', (lane) => {
  let kitchen: Kitchen;
  let blog: Blog;
  let form: string;
  let hub: string;
  let key: string;

  beforeAll(async () => {
    [kitchen, blog] = await Promise.all([startKitchen(), startBlog({ isConnected: false, lane })]);
    const anna = await kitchen.app.signUpAndIn();
    const params = { creatorId: (await anna.createCreator()).id };
    ({ key } = (await anna.call(makeApiKey, { params })).body);
    hub = await kitchen.app.app.listen({ port: 0, host: '127.0.0.1' });
    await blog.wordpress.php(connectTo(hub, key));
    const { items } = (await anna.call(listForms, { params })).body;
    form = items.find(({ kind }: { kind: string }) => kind === 'save').key;
  });
  afterAll(async () => {
    expect(await blog.wordpress.complaints()).toEqual([]);
    await blog.close();
    await kitchen.close();
  });

  const wprm = async (name: string) => `[wprm-recipe id="${await blog.recipe(name)}"]`;
  const byHand = { anchor: /wprm-recipe-container-\d+/, ingredient: '1 1/2 cups flour' };
  test.each([
    { way: 'in a card of WP Recipe Maker', place: 'in_card', ...byHand, text: wprm },
    {
      way: 'in a card of Tasty Recipes',
      place: 'in_card',
      anchor: /tasty-recipes-\d+/,
      ingredient: '500 g flour',
      text: async (name: string) => `[tasty-recipe id="${await blog.tastyRecipe(name)}"]`,
    },
    {
      way: 'in a card of Create',
      place: 'in_card',
      anchor: /mv-creation-31/,
      ingredient: '2 cups rolled oats, toasted',
      text: async (name: string) => {
        await blog.creation(31, name);
        return `[mv_create key="31" type="recipe" title="${name}"]`;
      },
    },
    {
      way: 'by block',
      place: 'none',
      ...byHand,
      text: async (name: string) => `${await wprm(name)}<!-- wp:creator-hq/form {"form":"${form}"} /-->`,
    },
    {
      way: 'by shortcode',
      place: 'none',
      ...byHand,
      text: async (name: string) => `${await wprm(name)}[creator_hq_form id="${form}"]`,
    },
    { way: 'by itself', place: 'after_content', ...byHand, text: wprm },
  ])(
    'a save $way is one mail with picture, title, link to the card, ingredients and plain text',
    async ({ way, place, anchor, ingredient, text }) => {
      const name = `Cake ${way}`;
      const post = await blog.post(name, await text(name));
      await blog.wordpress.php(`update_option('creator_hq_places', array('place' => '${place}'));
      $picture = wp_insert_attachment(array('post_mime_type' => 'image/png', 'post_title' => 'x', 'post_status' => 'inherit'), 'cake-${post}.png');
      set_post_thumbnail(${post}, $picture);`);
      const url = `${blog.wordpress.url}/${name.toLowerCase().replaceAll(' ', '-')}/`;
      const fields = fieldsOf(await (await fetch(url)).text());
      const save = { ...fields, email: 'rosa@example.test', attempt: crypto.randomUUID() };
      // The same press twice is one save.
      for (const _ of [1, 2]) expect((await sendJson(blog.wordpress.url, save)).body.result).toBe('on_its_way');
      await kitchen.deliver();

      const mails = await kitchen.inbox();
      expect(mails.map(({ to }) => to)).toEqual(['rosa@example.test']);
      const { html = '', text: plain = '', subject } = mails[0]!;
      expect(subject).toContain(name);
      expect(html).toMatch(new RegExp(`<img[^>]*src="[^"]*cake-${post}\\.png`));
      const link = new RegExp(`${url.replaceAll('.', '\\.')}[^"\\s]*#${anchor.source}`);
      for (const part of [html, plain]) {
        expect(part).toContain(name);
        expect(part).toMatch(link);
        expect(part).toContain(ingredient);
      }
      expect(plain).not.toMatch(/<\w/);
    },
  );

  test('500 saves from pages of yesterday, half without script, in three hours without the hub are 500 mails', async () => {
    const post = await blog.post('Yesterday', `${await wprm('Old cake')}[creator_hq_form id="${form}"]`);
    const fields = fieldsOf(await (await fetch(`${blog.wordpress.url}/yesterday/`)).text());
    expect(fields.post).toBe(String(post));
    const clock = path.join(blog.wordpress.folder, 'minutes');
    await writeFile(
      path.join(blog.wordpress.folder, 'wp-content/mu-plugins/clock.php'),
      ['CreatorHq', 'CreatorHq\\Forms'].reduce(
        (code, space) =>
          `${code} namespace ${space} { function time() { return \\time() + 60 * (int) file_get_contents('${clock}'); } }`,
        '<?php',
      ),
    );
    const readers = Array.from({ length: 500 }, (_, at) => `reader${at}@mail${at % 20}.example`);
    await writeFile(clock, '0');
    await blog.wordpress.php(connectTo('http://127.0.0.1:9', key));
    for (let hour = 0; hour < 4; hour += 1) {
      await writeFile(clock, String(DAY_MINUTES + 60 * hour));
      const some = readers.slice(125 * hour, 125 * (hour + 1));
      const json = Buffer.from(JSON.stringify({ fields: { elapsed: 5000, ...fields }, some })).toString('base64');
      // As they come in by both addresses, from networks of their own, without a request each.
      const results = await blog.wordpress.php(`
        $given = json_decode(base64_decode('${json}'), true);
        foreach ($given['some'] as $at => $email) {
          $_SERVER['REMOTE_ADDR'] = '10.${hour}.' . $at . '.1';
          $save = array('email' => $email, 'attempt' => wp_generate_uuid4()) + $given['fields'];
          $results[] = CreatorHq\\Forms\\Submission::take($save, 0 === $at % 2)['result'];
        }
        echo json_encode(array_count_values($results));`);
      expect(JSON.parse(results)).toEqual({ saved: some.length });
      await blog.wordpress.php(`do_action('creator_hq_outbox');`);
    }
    await blog.wordpress.php(connectTo(hub, key));
    await writeFile(clock, String(DAY_MINUTES + 181));
    await kitchen.app.clock.advance(Date.now() + (DAY_MINUTES + 181) * 60_000 - kitchen.app.clock.now().getTime());
    for (let turn = 0; turn < 3; turn += 1) await blog.wordpress.php(`do_action('creator_hq_outbox');`);
    expect(await blog.wordpress.php(`echo CreatorHq\\Outbox::count();`)).toBe('0');
    const arrived: string[] = [];
    for (let minute = 0; minute < 120 && arrived.length < readers.length; minute += 1) {
      await kitchen.deliver();
      arrived.push(...(await kitchen.inbox()).map(({ to }) => to));
      await kitchen.app.clock.advance(60_000);
    }
    expect(arrived.sort()).toEqual(readers.sort());
  });
});
