/** Connected Instagram accounts and Facebook Pages. Signing in at Meta is a full-page navigation, see `CONNECT_PATHS`. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, Timestamp, WebLink } from '#contract/shapes.ts';

/**
 * Full-page navigations (not fetches): the server redirects to Meta's dialog and, after the callback, to
 * `/creator-hq?instagramAuthSuccess=true`, `/creator-hq/facebook-success`, or `/creator-hq/settings?connectProblem=CODE`
 * (account-setup instead of settings while setting up: `returnTo=account-setup`; Instagram's success leads there, too).
 */
export const CONNECT_PATHS = {
  /** For somebody who has no creator account yet: it is started under the handle that Instagram tells. */
  instagramFirst: '/api/v1/connections/instagram/start',
  instagram: (creatorId: string, returnTo?: string) =>
    `/api/v1/creators/${creatorId}/connections/instagram/start${returnTo ? `?returnTo=${returnTo}` : ''}`,
  facebook: (creatorId: string, returnTo?: string) =>
    `/api/v1/creators/${creatorId}/connections/facebook/start${returnTo ? `?returnTo=${returnTo}` : ''}`,
};

/** Why a sign-in at Meta did not end in a connection; the screens have a text and a next step for each. */
export const ConnectProblem = z.enum([
  'refused',
  'state_mismatch',
  'expired',
  'personal_account',
  'no_pages',
  'pages_hidden',
  'page_not_granted',
  'no_linked_instagram',
  'missing_permissions',
  'connected_elsewhere',
  'too_many_accounts',
  'too_many_creators',
  'app_access',
  'meta_unreachable',
  'meta_error',
]);
export type ConnectProblem = z.infer<typeof ConnectProblem>;

export const ConnectionHealth = z.enum([
  'working',
  'needs_reconnect',
  'missing_permissions',
  'missing_webhooks',
  'barred',
  /** Because of Meta's policies, until Meta lifts it; `barred` lifts by itself. */
  'blocked',
  'disconnected',
]);

export const Connection = z.object({
  id: Id,
  platform: z.enum(['instagram', 'facebook']),
  login: z.enum(['instagram', 'facebook']),
  username: z.string(),
  name: z.nullable(z.string()),
  avatarUrl: z.nullable(z.string()),
  followersCount: z.nullable(z.number()),
  health: ConnectionHealth,
  /** In words for the creator: what is wrong and what to do; null when working. */
  healthDetail: z.nullable(z.string()),
  missingPermissions: atMost(50, z.string()),
  missingWebhooks: atMost(50, z.string()),
  tokenExpiresAt: z.nullable(Timestamp),
  /** How comments of the account's posts have reached us. */
  comments: z.object({
    byWebhook: z.number(),
    /** Within the last seven days; null: none. */
    lastByWebhookAt: z.nullable(Timestamp),
    /** No webhook told of them; reading the posts found them. */
    byReading: z.number(),
    /** Comments the platform lists when posts are read: comments, none although it counts some, or it counts none yet. */
    reading: z.enum(['finds', 'finds_none', 'nothing_to_find']),
    /** How many the platform itself counts on the posts that were read. */
    platformCounts: z.number(),
  }),
  connectedAt: Timestamp,
});
export type Connection = z.infer<typeof Connection>;

const ConnectionParams = z.object({ creatorId: Id, connectionId: Id });

export const listConnections = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/connections',
  access: 'creator',
  refreshedBy: ['connections'],
  summary: 'Connected accounts and their health',
  params: CreatorParams,
  response: z.object({ items: atMost(QUOTAS.connections.most, Connection) }),
});

export const checkConnection = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/connections/:connectionId/check',
  access: 'creator',
  summary: 'Check permissions, webhooks and figures with Meta now',
  params: ConnectionParams,
  response: Connection,
  errors: ['not_found', 'platform_unreachable'],
});

export const disconnect = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/connections/:connectionId',
  access: 'creator',
  needs: 'remove_connection',
  summary: 'Disconnect an account; its automations stop and its history stays',
  params: ConnectionParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const getProfileLink = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/connections/:connectionId/profile-link',
  access: 'creator',
  summary: 'The link in the account’s profile, read live from Instagram or Facebook',
  params: ConnectionParams,
  /** Null: there is none, or the profile can't be read right now. */
  response: z.object({ url: z.nullable(WebLink) }),
  errors: ['not_found'],
});

/** Pages the person granted at Facebook, waiting for their choice (screen facebook-success). */
export const listGrantedPages = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/connections/facebook/pages',
  access: 'creator',
  refreshedBy: ['connections'],
  summary: 'Pages available through the Facebook login',
  params: CreatorParams,
  response: z.object({
    items: atMost(
      1000,
      z.object({
        pageId: z.string(),
        name: z.string(),
        pictureUrl: z.nullable(z.string()),
        connected: z.boolean(),
        /** Why it can't be chosen, in words; null when it can. */
        problem: z.nullable(z.string()),
        instagram: z.nullable(
          z.object({ accountId: z.string(), username: z.string(), avatarUrl: z.nullable(z.string()) }),
        ),
      }),
    ),
  }),
  errors: ['needs_reconnect', 'platform_unreachable', 'not_connected'],
});

export const choosePages = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/connections/facebook/pages',
  access: 'creator',
  needs: 'connect',
  quotas: ['connections'],
  summary: 'Connect the chosen Pages and their Instagram accounts',
  params: CreatorParams,
  body: z.object({
    pageIds: z
      .array(z.string().check(z.maxLength(64)))
      .check(z.minLength(1, 'Choose at least one Page.'), z.maxLength(50)),
  }),
  response: z.object({
    items: atMost(QUOTAS.connections.most, Connection),
    problems: atMost(QUOTAS.connections.most, z.object({ pageId: z.string(), detail: z.string() })),
  }),
  errors: ['invalid_input', 'needs_reconnect', 'platform_unreachable', 'not_connected'],
});
