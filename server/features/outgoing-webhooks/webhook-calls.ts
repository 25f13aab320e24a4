/**
 * Sends what waits for other tools. Each endpoint is served by a job of its own, so that a slow one delays no other and no two
 * workers serve the same. An event is delivered at least once: what a worker that died had not noted is sent again.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { backOffMs } from '#server/db/jobs.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import type { GuardedAnswer, GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { type Keys, open } from '#server/secrets.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Between two tries, at most. */
const LONGEST_PAUSE_MS = 4 * HOUR_MS;
/** An endpoint that took nothing for so long is switched off. */
const OFF_AFTER_MS = 3 * 24 * HOUR_MS;
const TIMEOUT_MS = 10 * SECOND_MS;
const AT_A_TIME = 20;
/** The receiver says that nobody lives there any more. */
const GONE = 410;

export type SendingDeps = {
  db: Database;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Pick<Config, 'baseUrl'>;
  fetching: Pick<GuardedFetch, 'request'>;
};

type Endpoint = { creator_id: string; id: string; url: string; secret: string; old_secret: string | null };
type Event = {
  id: string;
  type: string;
  data: unknown;
  happened_at: Date;
  expires_at: Date;
  /** With this one. */
  attempts: number;
};

/** `t=<seconds>,v1=<hex>`, a `v1` for each secret: see SIGNATURE_HEADER in the contract. */
export function signatureOf(secrets: (string | Buffer)[], body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const sign = (secret: string | Buffer) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
}

type Served = { creatorId: string; endpointId: string };

export async function findWithDue({ db, clock }: Pick<SendingDeps, 'db' | 'clock'>): Promise<Served[]> {
  const { rows } = await sql<Served>`
    select e.creator_id as "creatorId", e.id as "endpointId" from outgoing_endpoints e
    where e.switched_off_at is null and exists (
      select from outgoing_events o where o.endpoint_id = e.id and o.state = 'queued' and o.due_at <= ${clock.now()}
    )
  `.execute(db.engine);
  return rows;
}

/** Sends what is due to one endpoint, the first to come first. */
export async function serve(deps: SendingDeps, served: Served): Promise<void> {
  const endpoint = await findEndpoint(deps, served);
  if (endpoint === undefined) return;
  const { secret, old_secret } = endpoint;
  const sealed = old_secret === null ? [secret] : [secret, old_secret];
  const secrets = sealed.map((one) => open(deps.keys.encryptionKeys, one));
  const events = await findDue(deps, served);
  const results = await Promise.allSettled(events.map((event) => deliver(deps, endpoint, secrets, event)));
  // The results of these are not noted: the database is away. They are sent again.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function findEndpoint({ db, clock }: SendingDeps, { creatorId, endpointId }: Served) {
  const { rows } = await sql<Endpoint>`
    select creator_id, id, url, secret, case when old_secret_until > ${clock.now()} then old_secret end as old_secret
    from outgoing_endpoints where creator_id = ${creatorId} and id = ${endpointId} and switched_off_at is null
  `.execute(db.engine);
  return rows[0];
}

async function findDue({ db, clock }: SendingDeps, { creatorId, endpointId }: Served): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select id, type, data, happened_at, expires_at, attempts + 1 as attempts from outgoing_events
    where creator_id = ${creatorId} and endpoint_id = ${endpointId} and state = 'queued' and due_at <= ${clock.now()}
    order by due_at limit ${AT_A_TIME}
  `.execute(db.engine);
  return rows;
}

async function deliver(deps: SendingDeps, endpoint: Endpoint, secrets: string[], event: Event): Promise<void> {
  const { id, type, data, happened_at } = event;
  const at = deps.clock.now();
  const body = JSON.stringify({ id, type, creatorId: endpoint.creator_id, happenedAt: happened_at, data });
  const began = performance.now();
  const answer = await deps.fetching.request({
    url: endpoint.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Creator-HQ/1',
      [SIGNATURE_HEADER]: signatureOf(secrets, body, at),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
  const attempt = { at, ms: Math.round(performance.now() - began), ...inWords(answer) };
  if (attempt.error === null) await noteSuccess(deps, endpoint, event, attempt);
  else await noteFailure(deps, endpoint, event, attempt);
}

type Attempt = { at: Date; ms: number; status: number | null; error: string | null };

function inWords(answer: GuardedAnswer): Pick<Attempt, 'status' | 'error'> {
  if (answer.kind !== 'answer') return { status: null, error: answer.says };
  const { status } = answer;
  if (status >= 200 && status < 300) return { status, error: null };
  if (status >= 300 && status < 400) return { status, error: 'It redirects. Enter the final URL.' };
  return { status, error: `The receiver responded with ${status}.` };
}

async function noteSuccess({ db }: SendingDeps, endpoint: Endpoint, event: Event, attempt: Attempt): Promise<void> {
  await note(db, endpoint, event, attempt, { state: 'delivered', dueAt: attempt.at });
  await db.engine
    .updateTable('outgoing_endpoints')
    .set({ last_delivered_at: attempt.at, failing_since: null })
    .where('creator_id', '=', endpoint.creator_id)
    .where('id', '=', endpoint.id)
    .execute();
}

async function noteFailure(deps: SendingDeps, endpoint: Endpoint, event: Event, attempt: Attempt): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const dueAt = new Date(now.getTime() + backOffMs(event.attempts, LONGEST_PAUSE_MS));
  const isOver = dueAt >= event.expires_at;
  await note(db, endpoint, event, attempt, { state: isOver ? 'failed' : 'queued', dueAt });
  const { failing_since } = await db.engine
    .updateTable('outgoing_endpoints')
    .set({ failing_since: sql<Date>`coalesce(failing_since, ${now})` })
    .where('creator_id', '=', endpoint.creator_id)
    .where('id', '=', endpoint.id)
    .returning('failing_since')
    .executeTakeFirstOrThrow();
  if (attempt.status === GONE) return switchOff(deps, endpoint, 'The receiver says this URL no longer exists (410).');
  if (now.getTime() - failing_since!.getTime() >= OFF_AFTER_MS) {
    await switchOff(deps, endpoint, `Every attempt failed for 3 days. The last error: ${attempt.error}`);
  }
}

async function note(
  db: Database,
  endpoint: Endpoint,
  event: Event,
  attempt: Attempt,
  { state, dueAt }: { state: 'queued' | 'delivered' | 'failed'; dueAt: Date },
): Promise<void> {
  await sql`
    update outgoing_events set state = ${state}, due_at = ${dueAt}, attempts = ${event.attempts}, log = log || ${JSON.stringify([attempt])}::jsonb
    where creator_id = ${endpoint.creator_id} and id = ${event.id}
  `.execute(db.engine);
}

/** Owners are told by mail, once. */
async function switchOff(deps: SendingDeps, endpoint: Endpoint, because: string): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('outgoing_endpoints')
      .set({ switched_off_at: deps.clock.now(), switched_off_because: because })
      .where('creator_id', '=', endpoint.creator_id)
      .where('id', '=', endpoint.id)
      .where('switched_off_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const owners = await trx
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select(['users.name', 'users.email'])
      .where('memberships.creator_id', '=', endpoint.creator_id)
      .where('memberships.role', '=', 'owner')
      .execute();
    const { host } = new URL(endpoint.url);
    for (const { name, email } of owners) {
      await mailLater(trx, deps, {
        kind: 'webhook_off',
        to: email,
        aboutCreatorId: endpoint.creator_id,
        letter: {
          subject: `Webhooks to ${host} are off`,
          heading: `Webhooks to ${host} are off`,
          paragraphs: [
            `Hello ${name}, ${host} no longer gets events. ${because}`,
            'Your followers still get their messages.',
          ],
          button: {
            label: 'Open Settings',
            url: `${deps.config.baseUrl}/creator-hq/settings?tab=other-tools`,
          },
          footnote: 'When the receiver works again, turn the webhook back on in Settings.',
        },
      });
    }
  });
}
