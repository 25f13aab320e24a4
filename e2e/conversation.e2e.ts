/** Words and replies kept in libraries, and a whole conversation written with them in the editor. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectInstagram, DEVICES, expect, goToStep, openMore, type RunningApp, signUp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

describe.each(DEVICES)('on a %s', (device) => {
  test('from a set of words to a conversation that goes tap by tap', { timeout: 240_000 }, async () => {
    const username = `bakery.${device}`;
    const creator = await app.control.seedCreator({
      username,
      name: 'The Bakery',
      followers: [{ username: `lucia.${device}`, name: 'Lucía' }],
      posts: [{ product: 'REELS', mediaType: 'VIDEO', caption: 'Our sourdough. Comment BREAD for the recipe.' }],
    });
    const [lucia] = creator.followers;
    const visit = await app.visit(device);
    const { page } = visit;
    await signUp(visit, { name: 'Bo Baker', email: `bo.${device}@example.com` });
    await connectInstagram(visit, username);

    // Custom Keywords: empty at first, then a set with a translation approved by a tap.
    await page.goto('/creator-hq/comment-for-dm');
    await page.getByRole('link', { name: /^Custom Keywords/ }).click();
    await expect(page.getByText('No Custom Keywords yet')).toBeVisible();
    await visit.checkBothThemes('keywords empty');
    await page.getByRole('link', { name: 'New Custom Keywords' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet.getByText('Enter a name.')).toBeVisible();
    await sheet.getByLabel('Name').fill('Bread words');
    await sheet.getByLabel('Words or phrases', { exact: true }).fill('BREAD');
    await sheet.getByLabel('Words or phrases', { exact: true }).press('Enter');
    await sheet.getByRole('button', { name: 'Add PAN', exact: true }).click();
    await expect(sheet.getByRole('button', { name: 'Remove PAN' })).toBeVisible();
    await visit.checkBothThemes('keywords editor');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: /Bread words/ })).toBeVisible();
    await page.getByRole('searchbox').fill('nothing like it');
    await expect(page.getByText('No results')).toBeVisible();
    await page.getByRole('searchbox').fill('pan');
    await expect(page.getByRole('link', { name: /Bread words/ })).toContainText('Not used');
    await visit.checkScreen();

    // Custom Replies, with a second wording.
    await page.goto('/creator-hq/comment-for-dm/custom-replies?edit=new');
    await sheet.getByLabel('Name').fill('Warm replies');
    await sheet.getByLabel('Text', { exact: true }).fill('Fresh from the oven to your inbox');
    await sheet.getByRole('button', { name: 'Add another version' }).click();
    await sheet.getByLabel('Version 2', { exact: true }).fill('x'.repeat(301));
    await expect(sheet.getByText('301 of 300 characters')).toBeVisible();
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet.getByText('This is 301 characters long. The limit is 300.').last()).toBeVisible();
    await sheet.getByLabel('Version 2', { exact: true }).fill('Look into your messages');
    await visit.checkBothThemes('replies editor');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: /Warm replies/ })).toBeVisible();

    // The editor: the simple form first, the rest folded.
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page.getByRole('link', { name: /Our sourdough/ }).click();
    const panel = page.getByRole('dialog');
    await goToStep(panel, 'Keyword');
    await expect(panel.getByText('Comments on this post')).toBeVisible();
    await visit.checkBothThemes('editor at first');
    await goToStep(panel, 'Message');
    await panel.getByLabel('Message', { exact: true }).fill('Here is the bread, {{username|there}}');
    await panel.getByLabel('Button link').fill('https://example.com/bread');
    await goToStep(panel, 'Keyword');
    await panel.getByLabel('Bread words').check();
    await goToStep(panel, 'Turn it on');
    await panel.getByLabel(/^Public replies/).fill('');
    await panel.getByRole('button', { name: 'Remove public reply 1' }).click();
    await panel.getByLabel('Custom Replies').selectOption({ label: 'Warm replies (2)' });
    await openMore(panel);
    await fold('Ask before the link');
    await panel.getByLabel('Ask with a button before sending the link').check();
    await fold('Ask for an email');
    await panel.getByLabel('Ask for their email address').check();
    await fold('Follow-up');
    await panel.getByLabel('Send a reminder if they don’t tap the link').check();
    await fold('Other languages');
    await panel.getByLabel('Add a language').selectOption('Spanish');
    await expect(panel.getByRole('button', { name: 'Remove PAN' })).toBeVisible();
    await panel.getByLabel('Message in Spanish').fill('Aquí está el pan, {{username|amiga}}');
    await visit.checkBothThemes('editor with everything');

    // The preview plays it as the follower will see it.
    if (device === 'phone') await panel.getByRole('button', { name: 'Preview' }).click();
    const preview = panel.getByRole('region', { name: "Preview on a follower's phone" }).filter({ visible: true });
    await expect(preview.getByText('Fresh from the oven to your inbox')).toBeVisible();
    await preview.getByRole('button', { name: 'Yes please!' }).click();
    await panel.getByRole('button', { name: 'They reply with their email' }).filter({ visible: true }).click();
    await expect(preview.getByText(/^Here is the bread/)).toBeVisible();
    await panel.getByRole('button', { name: '1 hour later, no tap on the link' }).filter({ visible: true }).click();
    await expect(preview.getByText('Did you get a chance to look?', { exact: false })).toBeVisible();
    await visit.checkBothThemes('preview played');
    if (device === 'phone') await panel.getByRole('button', { name: 'Preview' }).click();

    await panel.getByLabel('What a follower might write').fill('pan por favor');
    await expect(panel.getByText('This gets a reply.')).toBeVisible();
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByText(/^On since/)).toBeVisible();

    // And so it goes on the follower's own phone, in the language that they wrote in.
    const phone = await visit.newPage();
    const at = (place: Record<string, string>) =>
      `${app.phoneUrl}?${new URLSearchParams({ as: lucia!.personId, account: creator.instagramAccountId, ...place })}`;
    await phone.goto(at({ post: creator.posts[0]!.mediaId }));
    await phone.getByLabel('Add a comment').fill('pan por favor');
    await phone.getByRole('button', { name: 'Post', exact: true }).click();
    await expect(phone.getByText(/^(Fresh from the oven to your inbox|Look into your messages)$/)).toBeVisible();
    await phone.goto(at({ messages: 'inbox', thread: creator.instagramAccountId }));
    await phone.getByRole('button', { name: 'Yes please!' }).click();
    await expect(phone.getByText(/email/i)).toBeVisible();
    await phone.getByLabel('Write a message').fill(`lucia.${device}@example.com`);
    await phone.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(phone.getByText(`Aquí está el pan, lucia.${device}`)).toBeVisible();
    await phone.close();

    // In use now: the set cannot be deleted, and says by whom it is used.
    await page.goto('/creator-hq/comment-for-dm/custom-keywords');
    await page.getByRole('link', { name: /Bread words/ }).click();
    await expect(sheet.getByRole('link', { name: 'BREAD' })).toBeVisible();
    await visit.checkScreen();
    visit.expectComplaint(/409 \(Conflict\).*\/keywords\//);
    await sheet.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: /Delete “Bread words”/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect(page.getByText('“Bread words” is used by “BREAD”', { exact: false })).toBeVisible();

    await visit.end();

    async function fold(title: string) {
      await panel.locator('summary').filter({ hasText: title }).click();
    }
  });
});
