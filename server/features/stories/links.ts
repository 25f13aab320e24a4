/**
 * Links on stories. There is no such row: a link is the automation that answers replies to this one story, and its first
 * button. So it is edited here or in the automation's editor, and both show the same.
 */
import type { AutomationInput } from '#contract/automations.ts';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import type { changeStoryLink, createStoryLink, listStoryLinks, StoryLink } from '#contract/stories.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import * as automations from '#server/features/automations/automations.ts';
import { get as getStory } from './stories.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };

const DAY_MINUTES = 24 * 60;

type Listed = Awaited<ReturnType<typeof automations.list>>['items'][number];

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  { storyId, ...page }: QueryOf<typeof listStoryLinks>,
) {
  const { items, next } = await automations.list(trx, creatorId, { ...page, postId: storyId, storyLinks: true });
  return { items: items.map(linkOf), next };
}

/** Switched on at once. @throws AppError not_found, not_possible_now, invalid_input, not_connected, needs_reconnect */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { storyId, words, title, url, messageText }: BodyOf<typeof createStoryLink>,
  by: { userId: string },
): Promise<StoryLink> {
  const story = await getStory(trx, creatorId, 'story', storyId);
  if (story.endedAt !== null) {
    throw new AppError('not_possible_now', 'This story has ended, so no one can reply to it. Choose a current story.');
  }
  const created = await automations.create(deps, trx, creatorId, {
    connectionId: story.connectionId,
    name: words[0] ?? 'Link on a story',
    trigger: 'story_reply',
    scope: 'one',
    postId: storyId,
    captionWords: [],
    keywordIds: [],
    replyId: null,
    ...matchOf(words),
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    messageText,
    buttons: [{ title, url }],
    publicReplies: [],
    variants: [],
    translations: [],
    card: null,
    opening: null,
    followAsk: null,
    emailAsk: null,
    followUp: null,
    repeatAfterMinutes: DAY_MINUTES,
  });
  await automations.switchTo(deps, trx, creatorId, created.id, { on: true, ...by });
  return find(trx, creatorId, created.id);
}

/** @throws AppError not_found, invalid_input, not_connected, needs_reconnect */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  { words, title, url, messageText, on }: BodyOf<typeof changeStoryLink>,
  by: { userId: string },
): Promise<StoryLink> {
  const before = await find(trx, creatorId, id);
  const { switchedOnAt, createdAt, updatedAt, clashes, blockedBecause, ...automation } = await automations.get(
    trx,
    creatorId,
    id,
  );
  if (words !== undefined || title !== undefined || url !== undefined || messageText !== undefined) {
    const [first, ...otherButtons] = automation.buttons;
    await automations.change(deps, trx, creatorId, id, {
      ...automation,
      ...(words !== undefined && matchOf(words)),
      messageText: messageText ?? automation.messageText,
      // Only another address takes it from its recipe.
      buttons: [
        { ...(url === undefined && first), title: title ?? before.title, url: url ?? before.url },
        ...otherButtons,
      ],
    });
  }
  if (on !== undefined) await automations.switchTo(deps, trx, creatorId, id, { on, ...by });
  return find(trx, creatorId, id);
}

/** @throws AppError not_found */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await find(trx, creatorId, id);
  await automations.remove(deps, trx, creatorId, id);
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<StoryLink> {
  const [automation] = (await automations.list(trx, creatorId, { id, storyLinks: true })).items;
  if (automation === undefined) {
    throw new AppError('not_found', 'This story link doesn’t exist, or was removed.');
  }
  return linkOf(automation);
}

function linkOf({
  id,
  postId,
  connectionId,
  mode,
  words,
  buttons,
  messageText,
  switchedOnAt,
  figures,
}: Listed): StoryLink {
  const [button] = buttons;
  return {
    id,
    storyId: postId!,
    connectionId,
    words: mode === 'any_comment' ? [] : words,
    title: button!.title,
    url: button!.url,
    messageText,
    on: switchedOnAt !== null,
    sent: figures.sent,
    clicked: figures.clicked,
  };
}

function matchOf(words: string[]): Pick<AutomationInput, 'words' | 'mode'> {
  return { words, mode: words.length === 0 ? 'any_comment' : 'whole_word' };
}
