/**
 * Tells newsletter tools what became of contacts. What waits is a row each, so a run that breaks off goes on where it was, and what
 * was told already is known by its hash. One job for each tool of a creator: it keeps to the calls that the tool allows in a minute.
 */
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import type { Database } from '#server/db/database.ts';
import { backOffMs, later, type QueuedJob, type RecurringJob } from '#server/db/jobs.ts';
import { type NewsletterTool, type RemoteContact, ToolFailure } from '#server/platforms/newsletter-tools/tool.ts';
import { applyRemote, LEFT } from './changes.ts';
import { needsReconnect, type ReconnectDeps } from './reconnect.ts';
import type { IntegrationRow } from './tool-deps.ts';
import { connectedTool } from './tools.ts';

export type SyncDeps = ReconnectDeps & { db: Database; log: Pick<FastifyBaseLogger, 'warn'> };

const MINUTE_MS = 60_000;
const AT_A_TIME = 100;
/** Of one contact: itself, and its tag. */
const MOST_CALLS_EACH = 2;

export const syncTool: QueuedJob<SyncDeps, { creatorId: string; integrationId: string }> = {
  name: 'sync-newsletter-tool',
  payload: z.object({ creatorId: z.uuid(), integrationId: z.uuid() }),
  atOnce: 4,
  run: sync,
};

export const findDueTools: RecurringJob<SyncDeps> = {
  name: 'find-due-newsletter-tools',
  everyMs: 1_000,
  run: async (deps) => {
    const now = deps.clock.now();
    const { rows } = await sql<{ creatorId: string; integrationId: string }>`
      select i.creator_id as "creatorId", i.id as "integrationId" from data_integrations i
      where i.state = 'on' and (i.paused_until is null or i.paused_until <= ${now}) and exists (
        select from integration_contacts c where c.creator_id = i.creator_id and c.integration_id = i.id
          and c.state in ('waiting', 'removing') and c.due_at <= ${now})
    `.execute(deps.db.engine);
    await later(deps.db.engine, deps, syncTool, ...rows);
  },
};

type Due = {
  contact_id: string;
  state: 'waiting' | 'removing';
  remote_id: string | null;
  sent: string | null;
  email: string | null;
  name: string | null;
  newsletter: string | null;
};

async function sync(deps: SyncDeps, { creatorId, integrationId }: { creatorId: string; integrationId: string }) {
  const row = await findOn(deps, creatorId, integrationId);
  if (row === undefined) return;
  const tool = counting(connectedTool(deps, row));
  const now = deps.clock.now().getTime();
  const recent = (row.recent_calls as [number, number][]).filter(([at]) => now - at < MINUTE_MS);
  const left = tool.callsPerMinute - recent.reduce((sum, [, calls]) => sum + calls, 0);
  let pause: { until: Date; because: string | null } | null = null;
  try {
    while (tool.calls() + MOST_CALLS_EACH <= left) {
      const due = await findDue(deps, row, Math.min(AT_A_TIME, Math.floor((left - tool.calls()) / MOST_CALLS_EACH)));
      if (due.length === 0) break;
      await tellAll(deps, tool, row, due);
    }
    if (tool.calls() + MOST_CALLS_EACH > left) pause = { until: new Date(now + MINUTE_MS), because: null };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (error.kind === 'reconnect') await needsReconnect(deps, row, error.message);
    const waitMs = (error.waitMs ?? 0) * 2 ** row.failures || backOffMs(row.failures + 1);
    pause = { until: new Date(deps.clock.now().getTime() + waitMs), because: error.message };
  } finally {
    await noteRun(deps, row, { recent, calls: tool.calls(), pause });
  }
}

type CountingTool = NewsletterTool & { calls(): number };

/** What a run asked of the tool; contacts that were new may have taken a second call. */
function counting(tool: NewsletterTool): CountingTool {
  let calls = 0;
  const counted =
    <Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>, most = 1) =>
    (...given: Given) => {
      calls += most;
      return work(...given);
    };
  return {
    ...tool,
    calls: () => calls,
    subscribe: (contacts, targetId) => {
      const areNew = targetId !== null && contacts.some(({ remoteId }) => remoteId === null);
      return counted(tool.subscribe, areNew ? MOST_CALLS_EACH : 1)(contacts, targetId);
    },
    unsubscribe: counted(tool.unsubscribe),
    remove: counted(tool.remove),
  };
}

type Outcome = {
  contact_id: string;
  becomes: 'sent' | 'failed' | 'forgotten';
  remote_id: string | null;
  sent: string | null;
  failure: string | null;
  /** As it was when the tool was told. */
  newsletter: string | null;
};

/** What was told before a failure is noted. @throws ToolFailure of the tool as a whole */
async function tellAll(deps: SyncDeps, tool: CountingTool, row: IntegrationRow, due: Due[]): Promise<void> {
  const outcomes: Outcome[] = [];
  try {
    const joining = due.filter(isJoining);
    for (const contact of due) if (!isJoining(contact)) outcomes.push(await tellOne(deps, tool, row, contact));
    for (let at = 0; at < joining.length; at += tool.atOnce)
      outcomes.push(...(await subscribe(deps, tool, row, joining.slice(at, at + tool.atOnce))));
  } finally {
    // Erased while the tool was told: it was a moment too late.
    for (const remoteId of await note(deps, row, outcomes)) await tool.remove(remoteId, row.target_id);
  }
}

type Joining = Due & { email: string };
const isJoining = (due: Due): due is Joining =>
  due.state === 'waiting' &&
  due.email !== null &&
  due.newsletter === 'confirmed' &&
  due.sent !== hashOf(due.email, due.name);

function outcomeOf(contact: Due, becomes: Outcome['becomes'], changed: Partial<Outcome> = {}): Outcome {
  const { contact_id, newsletter, remote_id, sent } = contact;
  return { contact_id, newsletter, becomes, remote_id, sent, failure: null, ...changed };
}

/** @throws ToolFailure of the tool as a whole */
async function subscribe(deps: SyncDeps, tool: NewsletterTool, row: IntegrationRow, contacts: Joining[]) {
  const given = contacts.map(({ email, name, remote_id: remoteId }) => {
    return { email, firstName: firstNameOf(name), remoteId };
  });
  const answers = await tool
    .subscribe(given, row.target_id)
    .catch((error: unknown) => contacts.map(() => ofContact(error)));
  return Promise.all(answers.map((answer, at) => outcomeOfAnswer(deps, row, contacts[at]!, answer)));
}

async function outcomeOfAnswer(
  deps: SyncDeps,
  row: IntegrationRow,
  contact: Joining,
  answer: RemoteContact | ToolFailure,
): Promise<Outcome> {
  if (answer instanceof ToolFailure) return failed(deps, row, contact, answer);
  const known = { remote_id: answer.remoteId };
  if (answer.state === 'subscribed' || answer.state === 'pending') {
    return outcomeOf(contact, 'sent', { ...known, sent: hashOf(contact.email, contact.name) });
  }
  // A tool keeps whoever left it. Those who were in it as far as we knew left there, and so they have here.
  if (contact.sent !== null && contact.sent !== LEFT) {
    await applyRemote(deps, row, answer);
    return outcomeOf(contact, 'sent', { ...known, sent: LEFT, newsletter: null });
  }
  const failure = `${TOOL_NAMES[row.tool]} has them as ${answer.state} and takes them back only when they sign up there.`;
  return outcomeOf(contact, 'failed', { ...known, failure });
}

/** Who is to be erased, who left, and who is there already as they are. */
async function tellOne(deps: SyncDeps, tool: NewsletterTool, row: IntegrationRow, contact: Due): Promise<Outcome> {
  const { email, newsletter, remote_id: remoteId } = contact;
  try {
    if (contact.state === 'removing' || email === null) {
      if (remoteId !== null) await tool.remove(remoteId, row.target_id);
      return outcomeOf(contact, 'forgotten');
    }
    if (newsletter === 'confirmed' || contact.sent === LEFT) return outcomeOf(contact, 'sent');
    if (contact.sent !== null) await tool.unsubscribe({ email, firstName: null, remoteId }, row.target_id);
    return outcomeOf(contact, 'sent', { sent: LEFT });
  } catch (error) {
    return failed(deps, row, contact, ofContact(error));
  }
}

function failed({ log }: SyncDeps, { tool }: IntegrationRow, contact: Due, { kind, message }: ToolFailure): Outcome {
  if (kind === 'ours') log.warn({ tool, failure: message }, 'a newsletter tool did not understand a call');
  return outcomeOf(contact, 'failed', { failure: message });
}

/** @throws what is not one contact's alone */
function ofContact(error: unknown): ToolFailure {
  if (error instanceof ToolFailure && (error.kind === 'contact' || error.kind === 'ours')) return error;
  throw error;
}

/** First names alone: what follows the first word may be anything. */
function firstNameOf(name: string | null): string | null {
  return name?.split(' ')[0] ?? null;
}

function hashOf(email: string, name: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([email, firstNameOf(name)]))
    .digest('base64url')
    .slice(0, 22);
}

async function findOn({ db, clock }: SyncDeps, creatorId: string, id: string): Promise<IntegrationRow | undefined> {
  return db.engine
    .selectFrom('data_integrations')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('state', '=', 'on')
    .where((is) => is.or([is('paused_until', 'is', null), is('paused_until', '<=', clock.now())]))
    .executeTakeFirst();
}

async function findDue({ db, clock }: SyncDeps, row: IntegrationRow, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select o.contact_id, o.state, o.remote_id, o.sent, c.email, c.name, c.newsletter from integration_contacts o
    left join contacts c on c.creator_id = o.creator_id and c.id = o.contact_id
    where o.creator_id = ${row.creator_id} and o.integration_id = ${row.id} and o.state in ('waiting', 'removing') and o.due_at <= ${clock.now()}
    order by o.due_at, o.contact_id limit ${limit}
  `.execute(db.engine);
  return rows;
}

/**
 * One that changed meanwhile goes on waiting.
 *
 * @returns the tool's ids of those that are not there any more
 */
async function note({ db, clock }: SyncDeps, row: IntegrationRow, outcomes: Outcome[]): Promise<string[]> {
  if (outcomes.length === 0) return [];
  const { rows } = await sql<{ contact_id: string }>`
    with g as (
      select * from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
        as g(contact_id uuid, becomes text, remote_id text, sent text, failure text, newsletter text)
    ), forgotten as (
      delete from integration_contacts o using g
      where o.creator_id = ${row.creator_id} and o.integration_id = ${row.id} and o.contact_id = g.contact_id and g.becomes = 'forgotten'
      returning o.contact_id
    ), noted as (
      update integration_contacts o set remote_id = g.remote_id, sent = g.sent, failure = g.failure,
        sent_at = case when g.becomes = 'sent' then ${clock.now()} else o.sent_at end,
        state = case when o.state = 'waiting' and not exists (
          select from contacts c where c.creator_id = o.creator_id and c.id = o.contact_id and c.newsletter <> g.newsletter
        ) then g.becomes else o.state end
      from g where o.creator_id = ${row.creator_id} and o.integration_id = ${row.id} and o.contact_id = g.contact_id and g.becomes <> 'forgotten'
      returning o.contact_id
    )
    select contact_id from forgotten union all select contact_id from noted
  `.execute(db.engine);
  const found = new Set(rows.map(({ contact_id: id }) => id));
  return outcomes.flatMap(({ contact_id: id, remote_id: remoteId }) =>
    found.has(id) || remoteId === null ? [] : [remoteId],
  );
}

async function noteRun(
  { db, clock }: SyncDeps,
  row: IntegrationRow,
  {
    recent,
    calls,
    pause,
  }: { recent: [number, number][]; calls: number; pause: { until: Date; because: string | null } | null },
): Promise<void> {
  const at = clock.now().getTime();
  const failed = pause !== null && pause.because !== null;
  await sql`
    update data_integrations set recent_calls = ${JSON.stringify(calls === 0 ? recent : [...recent, [at, calls]])}::jsonb,
      paused_until = ${pause?.until ?? null}, failures = case when ${failed} then failures + 1 else 0 end,
      because = case when state = 'reconnect' then because else ${pause?.because ?? null} end
    where creator_id = ${row.creator_id} and id = ${row.id}
  `.execute(db.engine);
}
