/** The page about the membership that the plugin makes and removes, with its entry in the menus. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Blog, logIn, startBlog } from './blog.ts';

let blog: Blog;
let cookie: string;
beforeAll(async () => {
  blog = await startBlog();
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  blog.hub.joinAt = `${blog.hub.url}/join/anna`;
  await blog.register();
  await blog.wordpress.php(
    `$menu = wp_create_nav_menu('Main'); set_theme_mod('nav_menu_locations', array('main' => $menu, 'foot' => $menu));`,
  );
  cookie = await logIn(blog, 'administrator');
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const settings = async (as = cookie) =>
  (
    await fetch(`${blog.wordpress.url}/wp-admin/options-general.php?page=creator-hq`, { headers: { cookie: as } })
  ).text();
async function press() {
  const [, form] =
    /<form[^>]*admin-post\.php[^>]*>((?:(?!<\/form>)[\s\S])*creator_hq_membership_page[\s\S]*?)<\/form>/.exec(
      await settings(),
    )!;
  const [, nonce] = /name="_wpnonce" value="(\w+)"/.exec(form!)!;
  const body = new URLSearchParams({ action: 'creator_hq_membership_page', _wpnonce: nonce! });
  return fetch(`${blog.wordpress.url}/wp-admin/admin-post.php`, {
    method: 'POST',
    headers: { cookie },
    body,
    redirect: 'manual',
  });
}
const inMenu = () => blog.wordpress.php(`echo implode(',', array_column(wp_get_nav_menu_items('Main'), 'title'));`);

test('it is made once with a press, leads to the hub and back, stands in the menu once, and is removed with all of it', async () => {
  expect(await settings()).toContain('Make the page');
  await press();
  expect(await settings()).toContain('Remove the page');
  const html = await (await fetch(`${blog.wordpress.url}/membership/`)).text();
  for (const label of ['Become a member', 'Enter as a member', 'Change or cancel your membership']) {
    expect(html).toContain(`>${label}</button>`);
  }
  expect(await inMenu()).toBe('Membership');
  const left = await fetch(`${blog.wordpress.url}/?creator-hq=change`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ to: '/membership/' }) },
  });
  expect(left.headers.get('location')).toMatch(/\/join\/anna\/account\?.*to=%2Fmembership%2F/);

  await press();
  expect(await settings()).toContain('Make the page');
  expect((await fetch(`${blog.wordpress.url}/membership/`)).status).toBe(404);
  expect(await inMenu()).toBe('');
});

test('only who manages the site, with a press of their own', async () => {
  const body = new URLSearchParams({ action: 'creator_hq_membership_page' });
  const post = (as: string) =>
    fetch(`${blog.wordpress.url}/wp-admin/admin-post.php`, {
      method: 'POST',
      headers: { cookie: as },
      body,
      redirect: 'manual',
    });
  expect((await post(cookie)).status).toBe(403);
  expect((await post(await logIn(blog, 'editor'))).status).toBe(403);
  expect(await blog.wordpress.php(`echo CreatorHq\\Gate\\MembershipPage::find();`)).toBe('0');
});

test('without memberships its shortcode prints nothing, and it is not offered', async () => {
  blog.hub.membersAt = null;
  blog.hub.joinAt = null;
  await blog.register();
  expect(await settings()).not.toContain('Make the page');
  expect(await blog.wordpress.php(`echo do_shortcode('[creator_hq_membership]');`)).toBe('');
});
