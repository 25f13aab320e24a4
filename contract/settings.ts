/** Settings of a person and of a creator: sessions, notifications, billing email, API key, data, plans. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { MembershipEndWay } from '#contract/membership-end.ts';
import { Email } from '#contract/session.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

const Message = z.object({ message: z.string() });

export const listSessions = endpoint({
  method: 'GET',
  path: '/account/sessions',
  access: 'user',
  summary: 'Devices you’re logged in on, up to 100',
  response: z.object({
    items: atMost(
      100,
      z.object({
        id: Id,
        current: z.boolean(),
        device: z.string(),
        address: z.nullable(z.string()),
        signedInAt: Timestamp,
        seenAt: Timestamp,
      }),
    ),
  }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/account/sessions/:sessionId',
  access: 'user',
  ownAccount: true,
  summary: 'Log out one device',
  params: z.object({ sessionId: Id }),
  response: Message,
  errors: ['not_found'],
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/account/sessions/end-others',
  access: 'user',
  ownAccount: true,
  summary: 'Log out all other devices',
  response: Message,
});

/** Mails a person wants, for the creator they work in. */
export const NotificationChoices = z.object({
  connectionTrouble: z.boolean(),
  invites: z.boolean(),
  weeklyFigures: z.boolean(),
  brokenLinks: z.boolean(),
  /** For owners: each new webhook address, API token and API key. */
  newAccess: z.boolean(),
});

export const getNotifications = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/notifications',
  access: 'creator',
  summary: 'Which emails you get about this creator',
  params: CreatorParams,
  response: NotificationChoices,
});

export const changeNotifications = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/settings/notifications',
  access: 'creator',
  summary: 'Set which emails you get about this creator',
  params: CreatorParams,
  body: NotificationChoices,
  response: NotificationChoices,
  errors: ['invalid_input'],
});

/** The Facebook Addon: Page comments and Page messages are answered too. */
const FacebookAddon = z.object({ facebookAddon: z.boolean() });

export const getFacebookAddon = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/facebook-addon',
  access: 'creator',
  summary: 'Whether comments and messages on Facebook Pages get a reply',
  params: CreatorParams,
  response: FacebookAddon,
});

export const changeFacebookAddon = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/settings/facebook-addon',
  access: 'creator',
  needs: 'connect',
  summary: 'Turn replies on Facebook Pages on or off',
  params: CreatorParams,
  body: FacebookAddon,
  response: FacebookAddon,
  errors: ['invalid_input'],
});

/** Where the creator's days begin and end, a name like `Europe/Vienna`; null: nobody chose one, UTC. */
const TimeZone = z.object({ timeZone: z.nullable(z.string()) });

export const getTimeZone = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/time-zone',
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'The time zone used for daily results',
  params: CreatorParams,
  response: TimeZone,
});

export const changeTimeZone = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/settings/time-zone',
  access: 'creator',
  needs: 'connect',
  summary: 'Change the time zone used for daily results; past days stay as counted',
  params: CreatorParams,
  /** `first`: the browser’s, which counts only where none was chosen. */
  body: z.object({ timeZone: z.string().check(z.maxLength(60)), first: z.optional(z.boolean()) }),
  response: TimeZone,
  errors: ['invalid_input'],
});

/** Asked by the browser only when the subscription is not in-house (spec section 7). */
export const getBillingEmail = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/billing-email',
  access: 'creator',
  personal: true,
  summary: 'The email address invoices go to',
  params: CreatorParams,
  response: z.object({ email: z.string() }),
});

export const changeBillingEmail = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/settings/billing-email',
  access: 'creator',
  needs: 'billing',
  summary: 'Change where invoices are sent',
  params: CreatorParams,
  body: z.object({ email: Email }),
  response: z.object({ email: z.string() }),
  errors: ['invalid_input', 'not_possible_now', 'payments_off', 'stripe_unreachable'],
});

/** `pluginVersion` is what the plugin of the live site last told; null: it never called with this key. */
export const ApiKey = z.object({
  pluginVersion: z.nullable(z.string()),
  expectedPluginVersion: z.nullable(z.string()),
  /** The first letters, to tell keys apart; null: there is no key yet. */
  prefix: z.nullable(z.string()),
  createdAt: z.nullable(Timestamp),
  /** The name of who made it, or answers for it since that person was removed; null: no longer in the team. */
  createdBy: z.nullable(z.string()),
  lastUsedAt: z.nullable(Timestamp),
});

export const getApiKey = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/api-keys/current',
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'The current API key and the plugin registered with it',
  params: CreatorParams,
  response: ApiKey,
});

export const makeApiKey = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/api-keys',
  access: 'creator',
  needs: 'api_key',
  quotas: ['keys_made'],
  makes: true,
  summary: 'Create a key; the old one stops working. The key is shown only once',
  params: CreatorParams,
  response: z.extend(ApiKey, { key: z.string() }),
});

/** Days; null: as long as this installation keeps things. */
const RetentionChoices = z.object({
  historyDays: z.nullable(z.int().check(z.gte(90), z.lte(3650))),
  textsDays: z.nullable(z.int().check(z.gte(30), z.lte(3650))),
  webhookLogDays: z.nullable(z.int().check(z.gte(1), z.lte(90))),
});

/** `most` is what this installation keeps at most, and keeps where nothing is chosen. */
const Retention = z.extend(RetentionChoices, {
  most: z.object({ historyDays: z.number(), textsDays: z.number(), webhookLogDays: z.number() }),
});

export const getRetention = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/retention',
  access: 'creator',
  summary: 'How long activity, texts and the webhook log are kept',
  params: CreatorParams,
  response: Retention,
});

export const changeRetention = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/settings/retention',
  access: 'creator',
  needs: 'deletion',
  summary: 'Set how long activity, texts and the webhook log are kept; older data is deleted within a day',
  params: CreatorParams,
  body: RetentionChoices,
  response: Retention,
  errors: ['invalid_input'],
});

/** Export: one JSON file of everything. A full-page navigation to `EXPORT_PATH`. */
export const EXPORT_PATH = (creatorId: string) => `/api/v1/creators/${creatorId}/export`;

export const getDeletion = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/deletion',
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'Whether the creator account is scheduled to be deleted, and when',
  params: CreatorParams,
  response: z.object({
    deleteAt: z.nullable(Timestamp),
    requestedBy: z.nullable(z.string()),
    /** Who pay for a membership, while it is not said what becomes of them. */
    members: z.int(),
  }),
});

export const requestDeletion = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/settings/deletion',
  access: 'creator',
  needs: 'deletion',
  quotas: ['deletions'],
  summary: 'Schedule the creator account for deletion in 14 days; sending stops right away',
  params: CreatorParams,
  /** The handle, typed to be sure. */
  body: z.object({
    handle: z.string().check(z.maxLength(60)),
    /** What becomes of paying members, where there are any. */
    members: z.optional(MembershipEndWay),
  }),
  response: z.object({ deleteAt: z.nullable(Timestamp) }),
  errors: ['invalid_input'],
});

export const cancelDeletion = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/settings/deletion',
  access: 'creator',
  needs: 'deletion',
  summary: 'Cancel the creator account’s scheduled deletion',
  params: CreatorParams,
  response: Message,
  errors: ['not_possible_now'],
});

export const listPlans = endpoint({
  method: 'GET',
  path: '/plans',
  access: 'user',
  summary: 'Plans, cheapest first; prices in cents by billing interval',
  response: z.object({
    items: atMost(
      10,
      z.object({
        productId: z.string(),
        name: z.string(),
        price: z.record(z.string(), z.number()),
        /** Of a creator’s first plan: free until they are over. */
        trialDays: z.number(),
        /** Those who have one that is not keep it. */
        isOnSale: z.boolean(),
        tagline: z.string(),
        features: atMost(20, z.string()),
      }),
    ),
  }),
});

/** Support's visits, for the creator to read. */
export const listVisits = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/visits',
  access: 'creator',
  summary: 'The last 100 support visits to this account, with when and why',
  params: CreatorParams,
  response: z.object({
    items: atMost(
      100,
      z.object({
        id: Id,
        adminName: z.string(),
        reason: z.string(),
        startedAt: Timestamp,
        endedAt: z.nullable(Timestamp),
        /** Different pages with people's data that were opened. */
        reads: z.number(),
        /** Changes that were made. */
        actions: z.number(),
      }),
    ),
  }),
});
