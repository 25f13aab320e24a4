/** Blogs that carry the WordPress plugin. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/**
 * - `live`: the creator's blog.
 * - `away`: it is, and was not heard of for two days.
 * - `ended`: it is, and its API key was replaced: it waits for the new one.
 * - `copy`: another place with the same key; who submits a form there gets no mail, unless they are of the team.
 */
export const SiteState = z.enum(['live', 'away', 'ended', 'copy']);
export type SiteState = z.infer<typeof SiteState>;

export const SITES_AT_MOST = 20;

export const Site = z.object({
  id: Id,
  /** `script`: another blog, where a form's snippet was found; it has no key and is `live`. */
  kind: z.enum(['wordpress', 'script']),
  state: SiteState,
  /** Nobody has said yet whether the blog moved there, or it is a copy. */
  asks: z.boolean(),
  /** As people say it: `blog.example`; null: it never told. */
  name: z.nullable(z.string()),
  url: z.nullable(z.string()),
  pluginVersion: z.nullable(z.string()),
  wordpressVersion: z.nullable(z.string()),
  phpVersion: z.nullable(z.string()),
  /** Recipe cards and page caches found there. */
  cards: atMost(20, z.string()),
  caches: atMost(20, z.string()),
  /** Submissions that wait there for us; null: it never told. */
  outboxDepth: z.nullable(z.int()),
  cronIsHealthy: z.nullable(z.boolean()),
  /** Posts that it told of and that are public, and those it has still to tell of; null: it never did. */
  postsKnown: z.int(),
  postsWaiting: z.nullable(z.int()),
  firstHeardAt: Timestamp,
  lastHeardAt: Timestamp,
});
export type Site = z.infer<typeof Site>;

const Sites = z.object({ items: atMost(SITES_AT_MOST, Site) });
const SiteParams = z.object({ creatorId: Id, siteId: Id });

export const listSites = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/api-keys/sites',
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'Blogs: those that called with the API key, the live one first, and those with a form’s snippet',
  params: CreatorParams,
  response: Sites,
});

export const makeSiteLive = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/api-keys/sites/:siteId/live',
  access: 'creator',
  needs: 'api_key',
  summary: 'Make this site the live one; the previous one becomes a copy',
  params: SiteParams,
  response: Sites,
  errors: ['not_found'],
});

export const keepSiteAsCopy = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/api-keys/sites/:siteId/copy',
  access: 'creator',
  needs: 'api_key',
  summary: 'Say that this site is a copy of the blog, not where it moved',
  params: SiteParams,
  response: Sites,
  errors: ['not_found', 'not_possible_now'],
});

export const removeSite = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/api-keys/sites/:siteId',
  access: 'creator',
  needs: 'api_key',
  summary: 'Remove a site from the list; it reappears if it calls again',
  params: SiteParams,
  response: Sites,
  errors: ['not_found'],
});

/** What a plugin asks for in the address that it opens: see `letSiteConnect`. */
export const SITE_REQUEST_FIELDS = ['connect', 'state', 'challenge'] as const;

export const letSiteConnect = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/api-keys/sites',
  access: 'creator',
  needs: 'api_key',
  quotas: ['keys_made'],
  summary: 'Let a WordPress site fetch a new API key within a minute; the old one stops working then',
  params: CreatorParams,
  body: z.object({
    /** Of its wp-admin: `https://blog.example/wp-admin/`. */
    adminUrl: z.string().check(z.maxLength(500)),
    /** WordPress’s own proof that the answer is to its question. */
    state: z.string().check(z.regex(/^[0-9A-Za-z]{1,64}$/)),
    /** SHA-256 of a text that only the site knows, base64url (RFC 7636, S256). */
    challenge: z.string().check(z.regex(/^[0-9A-Za-z_-]{43}$/)),
  }),
  /** In the site’s wp-admin, with the code. */
  response: z.object({ returnTo: z.string() }),
  errors: ['invalid_input'],
});
