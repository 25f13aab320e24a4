/** The editor at work: what is drawn while somebody types, and what its keys and buttons promise. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { drawnElsewhere, holdNews, watchDrawing } from './drawn-parts.ts';
import {
  connectInstagram,
  DEVICES,
  expect,
  goToStep,
  openMore,
  PASSWORD,
  type RunningApp,
  signUp,
  startApp,
  type Visit,
} from './journey.ts';

const TWENTY_LETTERS = 'twenty letters typed';
const PASTA = 'Lemon pasta. Comment LEMON for the recipe.';
const PAN = 'The pan of this reel. Comment LINK to shop it.';
const SOUP = 'Soup of the week.';
const BREAD = 'Focaccia. Comment RECIPE and I send it.';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  const email = `quinn.${device}@example.com`;
  let creator: Awaited<ReturnType<RunningApp['control']['seedCreator']>>;
  beforeAll(async () => {
    const username = `quinn.${device}`;
    creator = await app.control.seedCreator({
      username,
      followers: [{ username: `fan.${device}` }],
      posts: [PASTA, PAN, SOUP, BREAD].map((caption) => ({ product: 'REELS', mediaType: 'VIDEO', caption })),
    });
    const visit = await app.visit(device);
    await signUp(visit, { name: 'Quinn', email }, { checkScreens: false });
    await connectInstagram(visit, username, { checkScreens: false });
    await visit.end();
  });

  test('twenty letters typed draw the field and the preview, and nothing else of the editor', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await watchDrawing(page);
    const panel = await open(visit, PASTA);
    await holdNews(page);
    const footer = panel.getByText('New, not saved yet').locator('xpath=ancestor::*[contains(@class, "sticky")]');
    const previews = [
      panel.getByRole('region', { name: "Preview on a follower's phone", includeHidden: true }).locator('..'),
      panel.getByRole('button', { name: 'Preview', includeHidden: true }).locator('..'),
    ];
    /** @param part all that may be drawn besides the preview */
    const type = async (field: Locator, part: Locator) => {
      const [first, ...others] = TWENTY_LETTERS;
      await field.focus();
      // That it is not saved any more is said once.
      expect(await drawnElsewhere(page, [part, ...previews, footer], () => field.pressSequentially(first!))).toEqual(
        [],
      );
      expect(await drawnElsewhere(page, [part, ...previews], () => field.pressSequentially(others.join('')))).toEqual(
        [],
      );
    };
    const message = panel.getByLabel('Message', { exact: true });
    const reply = panel.getByLabel(/^Public replies/);
    const keyword = panel.getByLabel('Words or phrases', { exact: true });
    const tried = panel.getByLabel('What a follower might write');
    const typeEverywhere = async () => {
      await goToStep(panel, 'Message');
      await type(message, message.locator('xpath=ancestor::section/div[.//textarea]'));
      await goToStep(panel, 'Turn it on');
      await type(reply, reply.locator('xpath=ancestor::section/div[.//textarea]'));
      await type(tried, tried.locator('xpath=ancestor::section[1]'));
      await goToStep(panel, 'Keyword');
      await type(keyword, keyword.locator('xpath=ancestor::div[.//label][1]'));
      await keyword.clear();
    };
    await typeEverywhere();
    // Once it was refused, every letter is checked.
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByText('Enter a link that starts with https://')).toBeVisible();
    await typeEverywhere();
    await visit.end();
  });

  test('its keys save what is unsaved, no button goes first when nothing is, and leaving offers a draft', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    const panel = await open(visit, PAN);
    await page.evaluate(`addEventListener('keydown', (event) => { globalThis.isPrevented = event.defaultPrevented; })`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && /\/automations\b(?!\/test)/.test(request.url())) sent.push(request.method());
    });
    const press = async (keys: string) => {
      await page.keyboard.press(keys);
      // Not the browser's own dialog.
      expect(await page.evaluate('isPrevented')).toBe(true);
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    };
    const message = panel.getByLabel('Message', { exact: true });
    const add = async (text: string) => {
      await message.press('ControlOrMeta+End');
      await message.pressSequentially(text);
    };

    await goToStep(panel, 'Message');
    await expect(panel.getByLabel('Button text')).toHaveValue('Shop the link');
    await panel.getByLabel('Button link').fill('https://example.com/pan');
    await press('Control+s');
    await expect(panel.getByText('All changes saved')).toBeVisible();
    expect(await firstButtons(page)).toEqual([]);
    await press('Meta+s');
    await press('Control+s');
    expect(sent).toEqual(['POST']);
    await add(' Now');
    expect(await firstButtons(page)).toEqual(['Turn on']);
    await press('Meta+s');
    await expect(panel.getByText('All changes saved')).toBeVisible();
    expect(sent).toEqual(['POST', 'PUT']);

    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    expect(await firstButtons(page)).toEqual([]);
    await add(' live.');
    await expect(panel.getByText('Saving makes it live right away.')).toBeInViewport();
    expect(await firstButtons(page)).toEqual(['Save']);
    await press('Control+s');
    await expect(panel.getByText('All changes saved')).toBeVisible();
    expect(await firstButtons(page)).toEqual([]);

    // Left with text that is not saved: kept as a draft, which its keys save as well and do not publish.
    await add(' Later.');
    await page.keyboard.press('Escape');
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await visit.checkBothThemes('leaving the editor');
    await leaving.getByRole('button', { name: 'Keep as draft' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('link', { name: PAN }).click();
    await goToStep(panel, 'Message');
    await expect(panel.getByText('Saved as a draft')).toBeVisible();
    await expect(message).toHaveValue(/ Later\.$/);
    expect(await firstButtons(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Show changes' }).click();
    await add(' Much later.');
    await expect(panel.getByRole('definition').filter({ hasText: 'Later. Much later.' })).toBeVisible();
    await expect(panel.getByText('Publishing makes it live.')).toBeInViewport();
    expect(await firstButtons(page)).toEqual(['Publish changes']);
    await press('Control+s');
    await expect(panel.getByText('Saved as a draft')).toBeVisible();
    expect(sent.slice(-1)).toEqual(['PUT']);
    await visit.checkBothThemes('editor with a draft');
    await visit.end();
  });

  test('a new automation that is left is kept too, and is there again', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    const panel = await open(visit, SOUP);
    const message = panel.getByLabel('Message', { exact: true });
    await goToStep(panel, 'Message');
    await message.fill('Soup for later');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep as draft' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('link', { name: SOUP }).click();
    await expect(panel.getByText('We brought back what you typed before.', { exact: false })).toBeVisible();
    await goToStep(panel, 'Message');
    await expect(message).toHaveValue('Soup for later');
    await panel.getByRole('button', { name: 'Start over' }).click();
    await expect(panel.getByText('We brought back what you typed before.', { exact: false })).toHaveCount(0);
    await visit.end();
  });

  test('variables are words wherever they stand, also pasted; added keywords are undone', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    const panel = await open(visit, BREAD);
    const message = panel.getByLabel('Message', { exact: true });
    const tried = panel.getByLabel('What a follower might write');

    // Copied from another field, as from any other place.
    await goToStep(panel, 'Turn it on');
    await tried.fill('love, {{first_name|friend}}: {{word}}');
    await tried.press('ControlOrMeta+a');
    await tried.press('ControlOrMeta+c');
    await tried.fill('');
    await goToStep(panel, 'Message');
    await message.fill('');
    await message.pressSequentially('Hi {name}, ');
    await message.press('ControlOrMeta+v');
    const words = 'Hi Name, love, First name: Their word';
    await expect.poll(() => readable(message)).toBe(words);
    await expect(panel.getByLabel('Name if unknown, say:', { exact: true })).toHaveValue('there');
    const firstName = panel.getByLabel('First name if unknown, say:');
    await expect(firstName).toHaveValue('friend');
    await firstName.fill('pal');
    await panel.getByLabel('Button link').fill('https://example.com/pasta');
    expect(await bracesOn(page)).toEqual([]);
    await visit.checkBothThemes('editor with variables');
    await goToStep(panel, 'Turn it on');
    await panel.getByLabel(/^Public replies/).fill('{name}, look into your messages');
    if (device === 'phone') await panel.getByRole('button', { name: 'Preview' }).click();
    await expect(panel.getByText(/^Hi .*, love, .*: RECIPE$/).filter({ visible: true })).toBeVisible();
    expect(await bracesOn(page)).toEqual([]);
    if (device === 'phone') await panel.getByRole('button', { name: 'Preview' }).click();

    // From the tester.
    await goToStep(panel, 'Keyword');
    await panel.getByLabel('Forgive typos and plurals').uncheck();
    await goToStep(panel, 'Turn it on');
    await tried.fill('recepie');
    await panel.getByRole('button', { name: 'Add RECEPIE' }).press('Enter');
    await expect(panel.getByText('This gets a reply.')).toBeVisible();
    await visit.checkBothThemes('tester with an added word');
    await panel.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(panel.getByText('This doesn’t get a reply.')).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Add RECEPIE' })).toBeFocused();

    // Of compared versions, too.
    await openMore(panel);
    await panel.locator('summary').filter({ hasText: 'Compare versions' }).click();
    await panel.getByRole('button', { name: 'Add version B' }).click();
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();
    await expect(panel.getByText('Which version works better')).toBeVisible();
    expect(await bracesOn(page)).toEqual([]);

    // From the words that nobody listened for.
    await app.control.comment({
      mediaId: creator.posts[3]!.mediaId,
      personId: creator.followers[0]!.personId,
      text: 'recepie',
    });
    await panel.getByRole('tab', { name: 'Comments' }).click();
    const misses = panel.getByRole('heading', { name: 'Words you don’t listen for' });
    await expect(misses).toBeVisible();
    const add = panel.getByRole('button', { name: 'Add recepie' });
    await add.click();
    await expect(panel.getByText('Added recepie.')).toBeVisible();
    await expect(add).toHaveCount(0);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await expect(panel.getByText('Added recepie.')).toHaveCount(0);
    await expect(add).toBeVisible();
    await panel.getByRole('tab', { name: 'Automation' }).click();
    await goToStep(panel, 'Keyword');
    await expect(
      panel
        .getByRole('button', { name: /^Remove [A-Z]/i })
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Remove recepie' })).toHaveCount(0);

    // Saved, as a draft, and read again.
    await goToStep(panel, 'Message');
    await message.press('ControlOrMeta+End');
    await message.pressSequentially('!');
    await panel.getByRole('button', { name: 'Save as draft' }).click();
    await panel.getByRole('button', { name: 'Show changes' }).click();
    await expect.poll(() => bracesOn(page)).toEqual([]);
    await page.reload();
    await goToStep(panel, 'Message');
    await expect.poll(() => readable(message)).toBe(`${words}!`);
    await expect(firstName).toHaveValue('pal');
    expect(await bracesOn(page)).toEqual([]);
    await visit.end();
  });

  test('Custom Replies name their variables in the list, and in what somebody else saved', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await logIn(visit);
    await page.goto('/creator-hq/comment-for-dm/custom-replies?edit=new');
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Name', { exact: true }).fill('Warm');
    await sheet.getByLabel('Text', { exact: true }).fill('Sent, {name}!');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: /Warm/ })).toContainText('Sent, Name!');
    await page.getByRole('link', { name: /Warm/ }).click();
    await sheet.getByLabel('Text', { exact: true }).fill('On its way, {name}!');
    const other = await visit.newPage();
    await other.goto(page.url());
    await other.getByLabel('Text', { exact: true }).fill('Theirs, {name}!');
    await other.getByRole('button', { name: 'Save' }).click();
    await expect(other.getByRole('link', { name: /Warm/ })).toContainText('Theirs, Name!');
    visit.expectComplaint(/409 \(Conflict\)/);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet.getByText('Theirs, Name!')).toBeVisible();
    expect(await bracesOn(page)).toEqual([]);
    await visit.end();
  });

  async function logIn({ page }: Visit): Promise<void> {
    await page.goto('/creator-hq/login');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/creator-hq$/);
  }

  /** The editor of a post. */
  async function open(visit: Visit, caption: string): Promise<Locator> {
    const { page } = visit;
    await logIn(visit);
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    const panel = page.getByRole('dialog');
    // Named by its caption before it is read: a screen reader says the name as it opens.
    const isRead = Promise.withResolvers<void>();
    await page.route(/\/posts\/[^/?]+$/, async (route) => {
      await isRead.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: caption }).click();
    await expect(panel).toHaveAccessibleName(caption);
    isRead.resolve();
    await expect(panel.getByRole('form')).toBeVisible();
    await expect(panel).toHaveAccessibleName(caption);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    return panel;
  }
});

/** The buttons of the editor that look as if they go first. */
function firstButtons(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--color-accent)';
    const first = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('[role=dialog] form button')]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).backgroundColor === first)
      .map((one) => one.textContent);
  })()`);
}

/** All that can be read or is typed on the page and has the braces of a variable. */
function bracesOn(page: Page): Promise<string[]> {
  return page.evaluate(`
    [document.body.innerText, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)]
      .flatMap((text) => text.match(/.{0,40}(?:\\{\\{|\\}\\}).{0,40}/g) ?? [])`);
}

/** The text of a field with variables, without the characters around them. */
async function readable(field: Locator): Promise<string> {
  return (await field.inputValue()).replaceAll(/[\u2060\u2063]/g, '').replaceAll('\u00a0', ' ');
}
