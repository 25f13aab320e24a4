/** J4: "I never got the link." */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { DEVICES, enterDemo, expect, type RunningApp, startApp, type Visit } from './journey.ts';

let app: RunningApp;
let cookies: { mediaId: string; accountId: string };
beforeAll(async () => {
  app = await startApp();
  const spoon = (await app.control.accounts()).find((account) => account.username === 'thegoldenspoon')!;
  const post = (await app.control.posts(spoon.accountId)).find(({ caption }) => caption.includes('Comment COOKIE'))!;
  cookies = { mediaId: post.mediaId, accountId: spoon.accountId };
});
afterAll(() => app?.close());

/** Followers of the demo: one whose messages land in her requests, one who is close, one with a name in another script. */
const PEOPLE = {
  phone: { stranger: ['kwame', 'kwame.eats'], friend: ['maya', 'maya.cooks.late'], rtl: ['layla', 'layla_alkhatib'] },
  desktop: { stranger: ['noam', 'noam.bari'], friend: ['lucia', 'lucia.enlacocina'], rtl: ['emoji', '_.pip.pa._'] },
} as const;

describe.each(DEVICES)('on a %s', (device) => {
  const { stranger, friend, rtl } = PEOPLE[device];

  test('a handle tells the whole story, and what can be done', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    const writings = { [stranger[0]]: 'COOKIE 🍪', [friend[0]]: 'cookie please', [rtl[0]]: '🍪 COOKIE مرحبا' };
    for (const [personId, text] of Object.entries(writings)) {
      const before = await messagesTo(personId);
      await app.control.comment({ mediaId: cookies.mediaId, personId, text });
      await expect.poll(() => messagesTo(personId)).toBe(before + 1);
    }

    await page.goto('/creator-hq/contacts');
    await visit.checkScreen();

    // She does not follow: it lies in her requests, and only a new comment may be answered.
    await find(visit, stranger[1]);
    await expect(page.getByText('COOKIE 🍪')).toBeVisible();
    await expect(page.getByText('Direct message', { exact: true })).toBeVisible();
    await expect(page.getByText(/Fourteen tests later/).first()).toBeVisible();
    await expect(page.getByText(/most likely in her Message requests/)).toBeVisible();
    await expect(page.getByText(/Ask her to/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send it again' })).toBeHidden();
    await visit.checkScreen();

    // She writes to the account, which opens the chat: one button sends it again.
    await app.control.directMessage({
      accountId: cookies.accountId,
      personId: friend[0],
      text: 'I never got the link!',
    });
    await find(visit, friend[1]);
    await page.getByRole('button', { name: /cookie please/ }).click();
    const before = await messagesTo(friend[0]);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await expect(page.getByText('On its way')).toBeVisible();
    await expect.poll(() => messagesTo(friend[0])).toBe(before + 1);
    await expect(page.getByText('Direct message in your chat')).toBeVisible();
    await visit.checkScreen();

    // Names and words of every script; and somebody nobody knows.
    await find(visit, rtl[1]);
    await expect(page.getByText('🍪 COOKIE مرحبا')).toBeVisible();
    await visit.checkScreen();
    await page.getByLabel('Her handle').fill('<script>nobody');
    await expect(page.getByText('Nobody called <script>nobody has written to you here')).toBeVisible();
    await visit.checkScreen();
    await visit.end();
  });

  async function messagesTo(personId: string): Promise<number> {
    const threads = await app.control.inbox(personId);
    return threads
      .filter((thread) => thread.accountId === cookies.accountId)
      .flatMap((thread) => thread.messages)
      .filter((message) => message.from === 'account' && message.viaApi).length;
  }
});

/** Types a handle; her story opens with the newest line unfolded. */
async function find({ page }: Visit, handle: string): Promise<void> {
  await page.getByLabel('Her handle').fill(handle);
  await expect(page).toHaveURL(new RegExp(`handle=${handle}`));
  await expect(page.getByRole('heading', { name: `@${handle}` })).toBeVisible();
}
