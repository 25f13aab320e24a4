/** Stories and live videos: what runs now, what is over, what they brought, links on them, and thanks for mentions. */
import * as z from 'zod/mini';
import { Automation } from '#contract/automations.ts';
import { API_BASE, endpoint } from '#contract/endpoint.ts';
import { Interaction } from '#contract/interactions.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, ShownWords, Timestamp, WebLink } from '#contract/shapes.ts';

/**
 * Followers' acts on a story or live. `replies` (story replies, or comments while live) splits without remainder:
 * replies = sent + waiting + failed + missed + skipped + own.
 */
export const StoryFigures = z.object({
  replies: z.number(),
  /** Had one of the words. */
  matched: z.number(),
  sent: z.number(),
  waiting: z.number(),
  failed: z.number(),
  /** Came too late for an answer, by Instagram's rules. */
  missed: z.number(),
  noKeyword: z.number(),
  /** Skipped for another reason: blocked, answered before … */
  notSent: z.number(),
  /** The account's own. */
  own: z.number(),
  opened: z.number(),
  clicked: z.number(),
  /** E-mail addresses given in the conversations that began here. */
  addresses: z.number(),
});
export type StoryFigures = z.infer<typeof StoryFigures>;

/** Instagram's own figures; null where it gave none. It writes -1 for "fewer than five". */
export const StoryInsights = z.object({
  views: z.nullable(z.number()),
  reach: z.nullable(z.number()),
  shares: z.nullable(z.number()),
  follows: z.nullable(z.number()),
  profileVisits: z.nullable(z.number()),
  tapsForward: z.nullable(z.number()),
  tapsBack: z.nullable(z.number()),
  exits: z.nullable(z.number()),
  readAt: Timestamp,
});

export const Story = z.object({
  id: z.string(),
  kind: z.enum(['story', 'live']),
  connectionId: Id,
  caption: z.string(),
  permalink: z.nullable(z.string()),
  /** Our copy; stays when the story is gone. */
  pictureUrl: z.nullable(z.string()),
  postedAt: Timestamp,
  /** When it goes by itself; null for a live. */
  expiresAt: z.nullable(Timestamp),
  /** Null while it can be seen. */
  endedAt: z.nullable(Timestamp),
  /** Taken down before its 24 hours were over. */
  takenDown: z.boolean(),
  /** `on`: an automation answers; `off`: there is one, switched off; `none`. */
  automation: z.enum(['on', 'off', 'none']),
  automationWords: ShownWords,
  /** The word that its text asks followers to write; null: it asks for none. */
  asksFor: z.nullable(z.string()),
  figures: StoryFigures,
  insights: z.nullable(StoryInsights),
});
export type Story = z.infer<typeof Story>;

/** Where our copy of a story's picture is served, for `<img>`. */
export function storyPicturePath(creatorId: string, storyId: string): string {
  return `${API_BASE}/creators/${creatorId}/stories/${encodeURIComponent(storyId)}/picture`;
}

const ListQuery = z.object({ ...PageQuery, state: z.optional(z.enum(['running', 'over'])) });
const StoryId = z.string().check(z.minLength(1), z.maxLength(64));

export const listStories = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/stories',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  summary: 'Stories, newest first, including ones no longer on Instagram',
  params: CreatorParams,
  query: ListQuery,
  response: z.extend(pageOf(Story), {
    /** When Instagram was last asked; null: never yet. */
    readAt: z.nullable(Timestamp),
  }),
});

export const getStory = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/stories/:storyId',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  summary: 'One story with its results',
  params: z.object({ creatorId: Id, storyId: StoryId }),
  response: Story,
  errors: ['not_found'],
});

export const readStories = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/stories/read',
  access: 'creator',
  summary: 'Check Instagram for current stories and lives now',
  params: CreatorParams,
  response: z.object({ running: z.number() }),
  errors: ['not_connected', 'needs_reconnect', 'platform_unreachable'],
});

export const listLives = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/lives',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  summary: 'Live videos, newest first',
  params: CreatorParams,
  query: ListQuery,
  response: pageOf(Story),
});

export const getLive = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/lives/:liveId',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  summary: 'One live video with its results',
  params: z.object({ creatorId: Id, liveId: StoryId }),
  response: Story,
  errors: ['not_found'],
});

const ANALYSED_DAYS = [7, 28, 90] as const;

export const getStoryAnalytics = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/stories/analytics',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  summary: 'Results of stories and lives by the day they went up, compared with the period before and the median',
  params: CreatorParams,
  query: z.object({
    days: z._default(z.coerce.number().check(z.refine((days) => ANALYSED_DAYS.includes(days as 7))), 28),
  }),
  response: z.object({
    days: z.int(),
    /** Every day of the time, oldest first (UTC), of the stories and lives that went up on it. */
    trend: atMost(
      90,
      z.object({ day: z.string(), stories: z.number(), replies: z.number(), sent: z.number(), clicked: z.number() }),
    ),
    total: z.extend(StoryFigures, { stories: z.number() }),
    /** The same number of days before. */
    before: z.extend(StoryFigures, { stories: z.number() }),
    /** Half of the account's stories that are over had fewer; null when there are fewer than three to compare with. */
    median: z.object({
      story: z.nullable(z.object({ replies: z.number(), sent: z.number(), clicked: z.number() })),
      live: z.nullable(z.object({ replies: z.number(), sent: z.number(), clicked: z.number() })),
    }),
    /** Newest first, at most 200. */
    items: atMost(200, Story),
  }),
});

const Words = z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))).check(z.maxLength(100));
const LinkTitle = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the button text.'),
    z.maxLength(20, 'Button text can have at most 20 characters.'),
  );
const LinkMessage = z.string().check(z.trim(), z.minLength(1, 'Write the message.'), z.maxLength(4000));

/** A link that followers get who reply to a story: its automation, seen from the story. */
export const StoryLink = z.object({
  /** The automation's id. */
  id: Id,
  storyId: z.string(),
  connectionId: Id,
  /** Empty: any reply gets the link. */
  words: ShownWords,
  title: z.string(),
  url: z.string(),
  messageText: z.string(),
  on: z.boolean(),
  sent: z.number(),
  clicked: z.number(),
});

export type StoryLink = z.infer<typeof StoryLink>;

const StoryLinkParams = z.object({ creatorId: Id, storyLinkId: Id });

export const listStoryLinks = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/story-links',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  summary: 'Links on stories, newest first',
  params: CreatorParams,
  query: z.object({ ...PageQuery, storyId: z.optional(StoryId) }),
  response: pageOf(StoryLink),
  errors: ['invalid_input'],
});

export const createStoryLink = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/story-links',
  access: 'creator',
  quotas: ['automations', 'links', 'saved_bytes'],
  makes: true,
  summary: 'Add a link to a current story: anyone who replies gets it from now on',
  params: CreatorParams,
  body: z.object({
    storyId: StoryId,
    words: z._default(Words, []),
    title: LinkTitle,
    url: WebLink,
    messageText: z._default(LinkMessage, "Hey {{username|there}}! Here's the link from my story."),
  }),
  response: StoryLink,
  errors: ['not_found', 'invalid_input', 'not_connected', 'needs_reconnect', 'not_possible_now'],
});

export const changeStoryLink = endpoint({
  method: 'PATCH',
  path: '/creators/:creatorId/story-links/:storyLinkId',
  access: 'creator',
  quotas: ['links', 'saved_bytes'],
  summary: 'Change a story’s link, or turn it on or off',
  params: StoryLinkParams,
  body: z.object({
    words: z.optional(Words),
    title: z.optional(LinkTitle),
    url: z.optional(WebLink),
    messageText: z.optional(LinkMessage),
    on: z.optional(z.boolean()),
  }),
  response: StoryLink,
  errors: ['not_found', 'invalid_input', 'not_connected', 'needs_reconnect', 'changed_meanwhile'],
});

export const deleteStoryLink = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/story-links/:storyLinkId',
  access: 'creator',
  quotas: ['deleted_automations'],
  summary: 'Remove a link from a story; its activity stays',
  params: StoryLinkParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

/** The thank-you itself is an automation with the trigger `story_mention`. */
export const listStoryMentions = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/story-mentions',
  access: 'creator',
  refreshedBy: ['interactions', 'stories', 'automations'],
  personal: true,
  summary: 'Story mentions, newest first, with what was sent and the automations that say thank you',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: z.extend(pageOf(z.extend(Interaction, { sentText: z.nullable(z.string()) })), {
    /** Newest first, the first hundred. */
    automations: atMost(100, Automation),
  }),
});
