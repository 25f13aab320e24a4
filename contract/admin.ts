/** The admin area: for people with `isAdmin`, outside any creator account. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Flags } from '#contract/flags.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { MOST_MEMBERSHIPS } from '#contract/session.ts';
import { atMost, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

const Message = z.object({ message: z.string() });
const CreatorIdParams = z.object({ adminCreatorId: Id });

export const AdminCreator = z.object({
  creatorId: Id,
  handle: z.string(),
  createdAt: Timestamp,
  planName: z.nullable(z.string()),
  status: z.nullable(z.string()),
  owners: atMost(QUOTAS.team.most, z.string()),
  followers: z.number(),
  /** `health` in words, as the creator reads it. */
  connections: atMost(
    QUOTAS.connections.most,
    z.object({ platform: z.string(), username: z.string(), working: z.boolean(), health: z.string() }),
  ),
  waiting: z.number(),
  deleteAt: z.nullable(Timestamp),
  /** Their members pay into this installation’s own Stripe account. */
  hasOwnAccount: z.boolean(),
});

export const adminListCreators = endpoint({
  method: 'GET',
  path: '/admin/creators',
  access: 'admin',
  personal: true,
  summary: 'Creators; search by handle or owner, or filter by problem',
  query: z.object({
    ...PageQuery,
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    trouble: z.optional(z.enum(['connection', 'queue'])),
  }),
  response: pageOf(AdminCreator),
});

export const adminListUsers = endpoint({
  method: 'GET',
  path: '/admin/users',
  access: 'admin',
  personal: true,
  summary: 'Users; search by name or email',
  query: z.object({ ...PageQuery, search: z.optional(z.string().check(z.trim(), z.maxLength(100))) }),
  response: pageOf(
    z.object({
      userId: Id,
      name: z.string(),
      email: z.string(),
      emailVerified: z.boolean(),
      isAdmin: z.boolean(),
      createdAt: Timestamp,
      creators: atMost(MOST_MEMBERSHIPS, z.string()),
    }),
  ),
});

export const adminEnterCreator = endpoint({
  method: 'POST',
  path: '/admin/creators/:adminCreatorId/enter',
  access: 'admin',
  summary: 'Enter a creator account in admin access mode for up to an hour; the creator sees the reason',
  params: CreatorIdParams,
  body: z.object({
    reason: z.string().check(z.trim(), z.minLength(10, 'Enter a reason. The creator will see it.'), z.maxLength(500)),
    returnTo: z.optional(z.string().check(z.maxLength(200))),
  }),
  response: z.object({ until: Timestamp }),
  errors: ['not_found', 'invalid_input'],
});

export const adminGrantPlan = endpoint({
  method: 'POST',
  path: '/admin/creators/:adminCreatorId/plan',
  access: 'admin',
  summary: 'Grant a free in-house subscription (its id starts with `inhouse_`)',
  params: CreatorIdParams,
  body: z.object({
    productId: z.string().check(z.maxLength(60)),
    /** Until the end of this day, in UTC; null: for good. */
    until: z.optional(z.nullable(z.iso.date())),
    reason: z.string().check(z.trim(), z.minLength(3), z.maxLength(500)),
  }),
  response: Message,
  errors: ['not_allowed', 'not_found', 'invalid_input', 'not_possible_now'],
});

export const adminGetFlags = endpoint({
  method: 'GET',
  path: '/admin/flags',
  access: 'admin',
  summary: 'Feature flags with their default and each creator’s override',
  query: z.object(PageQuery),
  /** Creators by handle. */
  response: z.extend(
    pageOf(z.object({ creatorId: Id, handle: z.string(), flags: z.partialRecord(z.keyof(Flags), z.boolean()) })),
    { everyone: Flags },
  ),
  errors: ['invalid_input'],
});

export const adminSetFlag = endpoint({
  method: 'PUT',
  path: '/admin/flags',
  access: 'admin',
  summary: 'Set a feature flag’s default or one creator’s override; `on: null` removes the override',
  body: z.object({ flag: z.keyof(Flags), creatorId: z.nullable(Id), on: z.nullable(z.boolean()) }),
  response: Message,
  errors: ['not_found', 'invalid_input'],
});

/** Of the disk that DATA_DIR is on. */
export const DiskSpace = z.object({ freeBytes: z.number(), totalBytes: z.number() });
export type DiskSpace = z.infer<typeof DiskSpace>;

const MB = 1024 ** 2;

/** `low` leaves time to act; `nearly_full` stops PostgreSQL soon, one busy minute writes more. */
export function diskState({ freeBytes, totalBytes }: DiskSpace): 'enough' | 'low' | 'nearly_full' {
  if (freeBytes < Math.min(totalBytes * 0.02, 512 * MB)) return 'nearly_full';
  return freeBytes < Math.min(totalBytes * 0.1, 5 * 1024 * MB) ? 'low' : 'enough';
}

/** How one process is, as it tells every ten seconds. */
export const ProcessReport = z.object({
  host: z.string(),
  version: z.string(),
  roles: atMost(20, z.string()),
  startedAt: Timestamp,
  memoryBytes: z.number(),
  /** The longest that anything had to wait for the processor since the report before. */
  loopDelayMs: z.number(),
  pools: atMost(20, z.object({ pool: z.string(), used: z.number(), idle: z.number(), waiting: z.number() })),
  shards: z.number(),
  /** Since it started. */
  leasesLost: z.number(),
  keyIds: atMost(100, z.string()),
  /** Null where it cannot be read; a process of an older version tells nothing. */
  disk: z.optional(z.nullable(DiskSpace)),
  lastMinute: z.object({
    webhooks: z.number(),
    refused: z.number(),
    ackP99Ms: z.nullable(z.number()),
    /** Time Meta takes from the follower's comment to our webhook. */
    ageP50Seconds: z.nullable(z.number()),
    ageP99Seconds: z.nullable(z.number()),
    interactions: z.number(),
    calls: z.number(),
    callP99Ms: z.nullable(z.number()),
    /** Writes to the event log that failed; a process of an older version tells nothing. */
    failedAppends: z.optional(z.number()),
  }),
});
export type ProcessReport = z.infer<typeof ProcessReport>;

export const adminGetOperations = endpoint({
  method: 'GET',
  path: '/admin/operations',
  access: 'admin',
  summary: 'What is waiting, paused or failing in jobs, send queues and email',
  response: z.object({
    /** Settings the operator forgot, a sentence for each. */
    setup: atMost(50, z.object({ setting: z.string(), says: z.string() })),
    /** `refusing`: the last event that the answering process was to write could not be written. */
    eventLog: z.object({
      waiting: z.number(),
      oldest: z.nullable(Timestamp),
      parked: z.number(),
      refusing: z.boolean(),
    }),
    workers: atMost(1000, z.object({ workerId: Id, seenAt: Timestamp, shards: z.number() })),
    /** Newest first; who fell silent within the last minutes is among them. */
    processes: atMost(1000, z.extend(ProcessReport, { processId: Id, seenAt: Timestamp })),
    shards: z.object({ held: z.number(), free: z.number() }),
    jobs: atMost(
      100,
      z.object({
        name: z.string(),
        nextAt: Timestamp,
        lastSucceededAt: z.nullable(Timestamp),
        lastFailedAt: z.nullable(Timestamp),
        lastFailure: z.nullable(z.string()),
        /** Why a job that deletes by age waits, though it is due: the clock is in doubt. */
        heldBecause: z.nullable(z.string()),
        failuresInARow: z.number(),
      }),
    ),
    /** Of the last 24 hours, the most frequent first; `says` is what the creator reads. */
    failures: atMost(1000, z.object({ lane: z.string(), reason: z.string(), says: z.string(), count: z.number() })),
    /** Per kind of lane, over all accounts. */
    queue: atMost(100, z.object({ lane: z.string(), waiting: z.number(), oldest: z.nullable(Timestamp) })),
    connections: atMost(
      4,
      z.object({ state: z.enum(['working', 'needs_reconnect', 'barred', 'paused']), count: z.number() }),
    ),
    lanes: atMost(
      100,
      z.object({
        creatorId: Id,
        handle: z.string(),
        connectionId: Id,
        username: z.string(),
        lane: z.string(),
        waiting: z.number(),
        oldest: z.nullable(Timestamp),
        closedUntil: z.nullable(Timestamp),
        closedReason: z.nullable(z.string()),
      }),
    ),
    mails: z.object({
      waiting: z.number(),
      oldest: z.nullable(Timestamp),
      failed: z.number(),
      /** There is no mail server: admins may read what waits, and hand it on. */
      readable: z.boolean(),
    }),
    /**
     * Recipes and confirmations for readers. In the last 24 hours: `failed`, not sent within a day; `refusedUs`, came back because
     * of our address or signature; `notUnderstood`, reports that wait in the bounce mailbox for a person.
     */
    readerMails: z.object({
      waiting: z.number(),
      oldest: z.nullable(Timestamp),
      failed: z.number(),
      refusedUs: z.number(),
      notUnderstood: z.number(),
    }),
    /** Of the mail server, the SPF record and the bounce mailbox, where there are any: what was seen last, in a sentence. */
    mailChecks: atMost(
      3,
      z.object({
        name: z.enum(['relay', 'spf', 'round_trip']),
        state: z.enum(['fine', 'waiting', 'trouble']),
        says: z.string(),
        checkedAt: Timestamp,
      }),
    ),
    outgoingWebhooks: z.object({
      waiting: z.number(),
      oldest: z.nullable(Timestamp),
      failing: z.number(),
      switchedOff: z.number(),
    }),
  }),
});

export const adminListUnsentMails = endpoint({
  method: 'GET',
  path: '/admin/unsent-mails',
  access: 'admin',
  personal: true,
  summary: 'Emails waiting for a mail server, newest first',
  query: z.object(PageQuery),
  response: pageOf(
    z.object({
      mailId: Id,
      recipient: z.string(),
      subject: z.string(),
      createdAt: Timestamp,
      lastFailure: z.nullable(z.string()),
    }),
  ),
});

/** A POST, because it is written down: the links in a mail open accounts. */
export const adminReadUnsentMail = endpoint({
  method: 'POST',
  path: '/admin/unsent-mails/:mailId/read',
  access: 'admin',
  summary: 'Read an unsent email to pass it on; only while no mail server is set up; recorded in the audit log',
  params: z.object({ mailId: Id }),
  response: z.object({ text: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const adminListAudit = endpoint({
  method: 'GET',
  path: '/admin/audit',
  access: 'admin',
  summary: 'Audit log of admin actions, newest first',
  query: z.object({ ...PageQuery, creatorId: z.optional(Id), adminId: z.optional(Id) }),
  response: pageOf(
    z.object({
      id: Id,
      at: Timestamp,
      adminId: z.nullable(Id),
      adminName: z.string(),
      creatorId: z.nullable(Id),
      handle: z.nullable(z.string()),
      what: z.string(),
      detail: z.string(),
    }),
  ),
});
