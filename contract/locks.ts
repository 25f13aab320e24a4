/** What of a blog is locked, whether the lock holds, and how members' parts reach their pages. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/** What a look at a locked post found, the worst first, and what to do. `holds`: no stranger reads it, and members do. */
export const FINDINGS = {
  strangers_see: {
    holds: false,
    says: 'Strangers can read part of a locked post.',
    remedy:
      'Clear all caches of your blog and check again. If it stays, a plugin shows the post’s text past the lock: turn off the one you added last.',
  },
  members_walled: {
    holds: false,
    says: 'Members don’t get what is locked.',
    remedy:
      'Something between your readers and WordPress stops POST requests to /wp-json/creator-hq/v1/open and to admin-ajax.php. Allow them in your security plugin or at your host.',
  },
  unreachable: {
    holds: false,
    says: 'Your blog didn’t answer.',
    remedy: 'Check that it opens in a browser, then check again.',
  },
  no_plugin: {
    holds: false,
    says: 'The Creator HQ plugin didn’t answer: it’s off, too old, or blocked.',
    remedy: 'In WordPress, turn on and update the Creator HQ plugin. While it’s off, everything is open.',
  },
  moved: {
    holds: false,
    says: 'Your blog has moved, as from http to https, and its plugin hasn’t said so yet.',
    remedy: 'In WordPress, open Creator HQ and press Check connection.',
  },
  key: {
    holds: false,
    says: 'Your blog doesn’t have the key it shares with Creator HQ.',
    remedy: 'In WordPress, open Creator HQ and press Check connection, or connect again.',
  },
  clock: {
    holds: false,
    says: 'Your blog’s clock is more than five minutes off.',
    remedy: 'Ask your host to set the server’s clock.',
  },
  nothing_locked: {
    holds: true,
    says: 'No published post is locked.',
    remedy: 'Lock one in WordPress: a block “Members only”, or a whole post, category or tag.',
  },
  cache_keeps_members: {
    holds: true,
    says: 'A cache would show a member’s page to strangers. So locked parts are loaded after the page.',
    remedy:
      'Nothing has to be done. For faster pages, let the cache heed “Cache-Control: private” and cookies that begin with wp-postpass.',
  },
  cache_ignores_cookies: {
    holds: true,
    says: 'A cache gives everyone the same page. So locked parts are loaded after the page.',
    remedy:
      'Nothing has to be done. For faster pages, let the cache pass requests with cookies that begin with wp-postpass.',
  },
  all_right: { holds: true, says: 'The lock holds, and members get whole pages at once.', remedy: '' },
} as const satisfies Record<string, { holds: boolean; says: string; remedy: string }>;
export type Finding = keyof typeof FINDINGS;

const Probe = z.object({
  at: Timestamp,
  finding: z.enum(Object.keys(FINDINGS) as [Finding, ...Finding[]]),
  /** `inline`: written into members' pages; `fragment`: loaded after the page, which is the same for everyone. */
  shows: z.enum(['inline', 'fragment']),
  pageUrl: z.nullable(z.string()),
  words: z.int(),
  seen: z.int(),
  ways: z.int(),
  leaks: atMost(20, z.string()),
  membersSee: z.boolean(),
  cache: z.nullable(z.string()),
});
export type Probe = z.infer<typeof Probe>;

const Locks = z.object({
  /** Null: no WordPress is connected. */
  site: z.nullable(
    z.object({
      id: Id,
      name: z.string(),
      /** As its plugin told last; null: it never did. */
      posts: z.nullable(z.object({ locked: z.int(), all: z.int() })),
      lastHeardAt: Timestamp,
      isAway: z.boolean(),
      /** Null: not looked at yet. */
      probe: z.nullable(Probe),
      isChecking: z.boolean(),
    }),
  ),
});
export type Locks = z.infer<typeof Locks>;

const path = '/creators/:creatorId/locks';

export const getLocks = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  needs: 'members',
  refreshedBy: ['account'],
  summary: 'What is locked on the live blog, and whether the lock holds',
  params: CreatorParams,
  response: Locks,
});

export const checkLocks = endpoint({
  method: 'POST',
  path: `${path}/check`,
  access: 'creator',
  needs: 'members',
  quotas: ['contact_changes'],
  summary: 'Look at a locked post as a stranger and as a member, soon',
  params: CreatorParams,
  response: Locks,
  errors: ['not_found', 'quota_reached'],
});

/** `open`, or `rest:` or `card:` and for whom: subscribers, readers, members, or a tier and those above it. '' for none. */
const BlogRule = z.string().check(z.regex(/^(|open|(rest|card):(subscribers|readers|members|tier:[0-9a-f-]{36}))$/));

const Lockable = z.object({
  kind: z.enum(['category', 'tag', 'post']),
  /** WordPress’s. */
  id: z.int().check(z.positive()),
  name: z.string(),
  /** How many a category or tag has. */
  posts: z.optional(z.int()),
  /** Its own. */
  lock: BlogRule,
  /** What holds for a post today: its own, or the strictest of its categories and tags. */
  holds: z.optional(BlogRule),
  /** A block in the text of a post locks something, too. */
  isInText: z.optional(z.boolean()),
  /** After so many days a post of a category or tag is open to all; 0: never. */
  days: z.optional(z.int().check(z.minimum(0), z.maximum(3650))),
});
export type Lockable = z.infer<typeof Lockable>;

export const BlogLocks = z.object({
  /** Whom something may be locked for, the fewest rights first. */
  whom: atMost(60, z.object({ rule: z.string(), name: z.string() })),
  items: atMost(1000, Lockable),
});
export type BlogLocks = z.infer<typeof BlogLocks>;

export const listBlogLocks = endpoint({
  method: 'GET',
  path: `${path}/blog`,
  access: 'creator',
  needs: 'members',
  summary: 'What is locked on the live blog, as it says now: categories, tags and posts',
  params: CreatorParams,
  query: z.object({ search: z.optional(z.string().check(z.maxLength(100))) }),
  response: BlogLocks,
  errors: ['not_found', 'not_possible_now'],
});

export const changeBlogLock = endpoint({
  method: 'PUT',
  path: `${path}/blog`,
  access: 'creator',
  needs: 'members',
  quotas: ['contact_changes'],
  summary: 'Lock a category, tag or post on the live blog, or open it',
  params: CreatorParams,
  /** Without `days`, those of a category or tag stay. */
  body: z.object({ ...z.pick(Lockable, { kind: true, id: true, lock: true, days: true }).shape, isSure: z.boolean() }),
  /** Not null: what to ask first, as most of the blog would be locked; nothing is done then. */
  response: z.object({ question: z.nullable(z.string()) }),
  errors: ['not_found', 'not_possible_now', 'quota_reached'],
});

export const replaceSiteKey = endpoint({
  method: 'POST',
  path: `${path}/replace-key`,
  access: 'creator',
  needs: 'money',
  summary: 'After the blog was hacked: replace its signing key, and log members out there',
  params: CreatorParams,
  response: Locks,
  errors: ['not_found'],
});
