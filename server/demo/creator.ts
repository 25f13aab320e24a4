/** The demo creator's acts in their sixty days, through the rules that their clicks would call. */
import { AutomationInput } from '#contract/automations.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import * as automations from '#server/features/automations/automations.ts';
import { refreshDueTokens } from '#server/features/connections/token-refresh.ts';
import { lookAt } from '#server/features/link-guard/link-checks.ts';
import { DEMO, DEMO_MATE, ensureDemoPerson } from '#server/features/people/demo.ts';
import { syncNow } from '#server/features/posts/post-sync.ts';
import { readNow } from '#server/features/stories/story-sync.ts';
import { acceptInvite, listInvites } from '#server/features/team/invite-answers.ts';
import { sendInvite } from '#server/features/team/invites.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import type { Happening } from '#simulators/meta/demo/past.ts';
import { DEMO_SITE } from '#simulators/meta/demo/world.ts';
import { dishOf, type Libraries } from './libraries.ts';
import { answering } from './pretended-sites.ts';
import { addWebhook, sendWebhooks, tryGoneTool } from './webhook.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type Owner = { userId: string; creatorId: string; connectionId: string; libraries: Libraries };

/** Posts with fewer likes have no automation yet: Home says so. */
const LIKED = 1200;

type Given = Pick<AutomationInput, 'name' | 'messageText'> & Partial<AutomationInput>;

export async function addAutomation(
  deps: AppDeps,
  { creatorId, userId, connectionId }: Owner,
  given: Given,
): Promise<void> {
  const input = AutomationInput.parse({
    connectionId,
    postId: null,
    words: [],
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    buttons: [],
    publicReplies: [],
    repeatAfterMinutes: 24 * 60,
    ...given,
  });
  await deps.db.withCreator(creatorId, async (trx) => {
    const { id } = await automations.create(deps, trx, creatorId, input);
    await automations.switchTo(deps, trx, creatorId, id, { on: true, userId });
  });
  await deps.automationsChanged({ creatorId });
}

/** Some posts have an automation that shows more of what one can do. */
const specialOf = ({ sent, cookieWords }: Libraries): Record<string, Partial<AutomationInput>> => ({
  'berry-pancakes': {
    replyId: sent,
    emailAsk: {
      text: 'Want the next one in your inbox too? Reply with your email.',
      consent: 'You agree to get my recipes by email.',
    },
  },
  'chocolate-chip-cookies': {
    replyId: sent,
    keywordIds: [cookieWords],
    opening: { text: 'Hey {{first_name|there}}! Want me to send you the cookies?', buttonTitle: 'Yes please!' },
  },
  'chicken-tacos': {
    followAsk: {
      text: 'Quick thing: follow me so you don’t miss the next one, then tap below.',
      buttonTitle: 'I’m following!',
    },
  },
  'butter-chicken': {
    variants: [{ id: 'b', text: 'Butter chicken on a Tuesday? Yes! 🧡 The recipe and my spice list:' }],
  },
  'cinnamon-rolls': { replyId: sent },
  'spaghetti-pomodoro': { replyId: sent },
});

/** Where a page is gone for some hours. */
const MOVED = 'miso-ramen';

export async function respondTo(
  deps: AppDeps,
  owner: Owner,
  happening: Happening,
  media: ReadonlyMap<string, string>,
): Promise<void> {
  const { creatorId } = owner;
  if (happening.what === 'story' || happening.what === 'live' || happening.what === 'live_end') {
    await readNow(deps, creatorId);
    return;
  }
  if (happening.what !== 'post') return;
  await syncNow(deps, creatorId);
  await refreshDueTokens(deps);
  const { scene, word, post } = happening;
  if (word === undefined || post.likes < LIKED) return;
  const name = dishOf(scene);
  await addAutomation(deps, owner, {
    name,
    postId: media.get(scene)!,
    words: word === 'RECIPE' ? [word] : [word, 'recipe'],
    messageText: `Hi {{username|there}}! Here’s the ${name.toLowerCase()} recipe. Tell me how it turns out 🥄`,
    buttons: [{ title: 'Get the recipe', url: `${DEMO_SITE}/${scene}`, recipeId: owner.libraries.recipes.get(scene)! }],
    ...specialOf(owner.libraries)[scene],
  });
  await lookAtLinks(deps, [], { new: true });
}

/** Those that need no post of their own. */
export async function addFirstAutomations(deps: AppDeps, owner: Owner): Promise<void> {
  const all = { title: 'All recipes', url: `${DEMO_SITE}/recipes` };
  await addAutomation(deps, owner, {
    name: 'Story replies',
    trigger: 'story_reply',
    mode: 'any_comment',
    messageText: 'Hi {{username|there}}! Everything from my stories is here:',
    buttons: [all],
  });
  await addAutomation(deps, owner, {
    name: 'Recipe in a live',
    trigger: 'live_comment',
    keywordIds: [owner.libraries.recipeWords],
    messageText: 'So glad you’re here! This is what we’re cooking:',
    buttons: [all],
  });
  await addAutomation(deps, owner, {
    name: 'Thanks for the mention',
    trigger: 'story_mention',
    mode: 'any_comment',
    messageText: 'You mentioned me, that makes my day 💛 Here’s what’s new:',
    buttons: [all],
  });
  await addAutomation(deps, owner, {
    name: 'Recipe by message',
    trigger: 'direct_message',
    keywordIds: [owner.libraries.recipeWords],
    messageText: 'All my recipes are in one place:',
    buttons: [all],
  });
}

type Chore = { at: number; run(): Promise<void> };

/** A colleague joins, a page is gone for some hours, a webhook works until its tool is gone, somebody else is invited. */
export function choresOf(deps: AppDeps, owner: Owner, { end, days }: { end: number; days: number }): Chore[] {
  const { creatorId, userId } = owner;
  const inviting = { ...deps, baseUrl: deps.config.baseUrl };
  const invite = (email: string, role: 'owner' | 'collaborator') =>
    sendInvite(inviting, { creatorId, user: { id: userId, name: DEMO.name } }, { email, role });
  const dayMs = (share: number) => end - days * DAY_MS * share;
  const goneAt = end - 18 * HOUR_MS;
  const gone = [`${DEMO_SITE}/${MOVED}`];
  return [
    { at: dayMs(0.8), run: async () => void (await invite(DEMO_MATE.email, 'collaborator')) },
    { at: dayMs(0.8) + HOUR_MS, run: () => join(deps) },
    { at: end - 74 * HOUR_MS, run: () => addWebhook(deps, owner) },
    { at: end - 31 * HOUR_MS, run: () => sendWebhooks(deps, 200) },
    { at: end - 30 * HOUR_MS, run: () => tryGoneTool(deps, creatorId) },
    { at: goneAt, run: () => lookAtLinks(deps, gone) },
    { at: goneAt + 3 * MINUTE_MS, run: () => lookAtLinks(deps, gone) },
    { at: goneAt + 8 * HOUR_MS, run: () => lookAtLinks(deps, []) },
    { at: end - 20 * HOUR_MS, run: async () => void (await invite('photos@creator-hq.test', 'collaborator')) },
  ].map(({ at, run }) => ({ at, run: () => run().then(() => sendMails(deps)) }));
}

/** Into the mailbox, whatever mail server there is: they are for people who do not exist. */
async function sendMails(deps: AppDeps): Promise<void> {
  const transport = createMailTransport({ smtpUrl: null, from: deps.config.mailFrom });
  const queued = await deps.db.engine
    .selectFrom('mails')
    .select('id')
    .where('state', '=', 'queued')
    .where('created_at', '<=', deps.clock.now())
    .execute();
  for (const { id } of queued) await sendMail.run({ ...deps, transport }, { mailId: id });
}

async function join(deps: AppDeps): Promise<void> {
  const userId = await ensureDemoPerson(deps, DEMO_MATE);
  const user = { ...DEMO_MATE, id: userId, emailVerified: true };
  const signedIn = { sessionId: deps.ids.uuid(deps.clock.now()), user } as Parameters<typeof acceptInvite>[1];
  const [invite] = await listInvites(deps, signedIn);
  if (invite !== undefined) await acceptInvite(deps, signedIn, invite.inviteId);
}

/** @param gone addresses that answer 404; every other one has a page */
async function lookAtLinks(deps: AppDeps, gone: readonly string[], which = { new: false }): Promise<void> {
  const fetching = answering((url) => (gone.includes(url) ? 404 : 200));
  const due = await deps.db.engine
    .selectFrom('watched_links')
    .select(['creator_id as creatorId', 'id as linkId'])
    .where('next_check_at', '<=', deps.clock.now())
    .$if(which.new, (query) => query.where('state', '=', 'unchecked'))
    .execute();
  for (const link of due) await lookAt({ ...deps, fetching }, link);
}
