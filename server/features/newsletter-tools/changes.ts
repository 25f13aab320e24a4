/**
 * What newsletter tools tell us: who left, whose address is dead, who complained. It counts here at once, and is not told back to
 * the tool that it came from. A tool confirms nobody.
 */
import { sql } from 'kysely';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import { readKitDelivery } from '#server/platforms/newsletter-tools/kit.ts';
import { readMailchimpDelivery } from '#server/platforms/newsletter-tools/mailchimp.ts';
import { type RemoteState, type ToolEvent, ToolFailure } from '#server/platforms/newsletter-tools/tool.ts';
import { open } from '#server/secrets.ts';
import { needsReconnect, type ReconnectDeps } from './reconnect.ts';
import type { IntegrationRow } from './tool-deps.ts';
import { connectedTool } from './tools.ts';

type Deps = ReconnectDeps & { db: Pick<Database, 'engine' | 'withCreator'> };

/** Instead of a hash in `integration_contacts.sent`: the tool knows that they get no newsletter. */
export const LEFT = 'left';

const ACTS: Partial<Record<RemoteState, NewsletterAct>> = {
  unsubscribed: 'unsubscribes',
  bounced: 'bounces',
  complained: 'complains',
};

/**
 * A delivery of the tool's to the address that has this token.
 *
 * @returns false: nobody's address, or not signed by the tool
 */
export async function readDelivery(
  deps: Deps,
  { tool, token, bytes, signature }: { tool: string; token: string; bytes: Buffer; signature: string | undefined },
): Promise<boolean> {
  const row = await deps.db.engine
    .selectFrom('data_integrations')
    .selectAll()
    .where('hook_token', '=', token)
    .executeTakeFirst();
  if (row?.tool !== tool) return false;
  const events = readEvents(deps, row, bytes, signature);
  if (events === null) return false;
  if (row.state === 'off') return true;
  for (const event of events) await applyEvent(deps, row, event);
  return true;
}

function readEvents(deps: Deps, row: IntegrationRow, bytes: Buffer, signature: string | undefined): ToolEvent[] | null {
  if (row.tool === 'mailchimp') return readMailchimpDelivery(bytes);
  if (row.hook_secret === null) return null;
  return readKitDelivery(bytes, signature, open(deps.keys.encryptionKeys, row.hook_secret), deps.clock.now());
}

/** The same event counts once. */
async function applyEvent(deps: Deps, row: IntegrationRow, event: ToolEvent): Promise<void> {
  await deps.db.withCreator(row.creator_id, async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('integration_events')
      .values({ creator_id: row.creator_id, integration_id: row.id, event_id: event.id, read_at: deps.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) await leave(deps, trx, row, event);
  });
}

/** What an answer of the tool's says of somebody. */
export async function applyRemote(deps: Deps, row: IntegrationRow, remote: { email: string; state: RemoteState }) {
  await deps.db.withCreator(row.creator_id, (trx) => leave(deps, trx, row, remote));
}

async function leave(
  deps: Deps,
  trx: CreatorTransaction,
  row: IntegrationRow,
  { email, state }: { email: string; state: RemoteState },
): Promise<void> {
  const [act, key] = [ACTS[state], parseEmailAddress(email)?.key];
  if (act === undefined || key === undefined) return;
  const contact = await trx
    .selectFrom('contacts')
    .select('id')
    .where('creator_id', '=', row.creator_id)
    .where('email_key', '=', key)
    .executeTakeFirst();
  if (contact === undefined) return;
  const given = { creatorId: row.creator_id, contactId: contact.id, act, at: deps.clock.now(), how: row.tool };
  await applyNewsletterAct(trx, deps, given);
  await sql`
    update integration_contacts set sent = ${LEFT}, state = case when state = 'removing' then state else 'sent' end, failure = null
    where creator_id = ${row.creator_id} and integration_id = ${row.id} and contact_id = ${contact.id}
  `.execute(trx);
}

const HOUR_MS = 3_600_000;
const ASKED_EVERY_MS = 24 * HOUR_MS;
/** Clocks differ, and a page takes a while. */
const OVERLAP_MS = HOUR_MS;
const PAGES_AT_MOST = 100;

/** Events get lost; once a day each tool is asked who left. Those who were in it as far as we knew left there. */
export const askTools: RecurringJob<Deps> = {
  name: 'ask-newsletter-tools',
  everyMs: 10 * 60_000,
  run: async (deps) => {
    const now = deps.clock.now();
    const rows = await deps.db.engine
      .selectFrom('data_integrations')
      .selectAll()
      .where('state', '=', 'on')
      .where('asked_at', '<=', new Date(now.getTime() - ASKED_EVERY_MS))
      .execute();
    for (const row of rows) await ask(deps, row, now);
  },
};

async function ask(deps: Deps, row: IntegrationRow, now: Date): Promise<void> {
  const tool = connectedTool(deps, row);
  const since = new Date(row.asked_at.getTime() - OVERLAP_MS);
  try {
    let after: string | null = null;
    for (let page = 0; page < PAGES_AT_MOST; page++) {
      const { contacts, next } = await tool.leftSince(since, after, row.target_id);
      for (const remote of contacts)
        if (await isBelievedIn(deps, row, remote.remoteId)) await applyRemote(deps, row, remote);
      if (next === null) break;
      after = next;
    }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (error.kind === 'reconnect') await needsReconnect(deps, row, error.message);
    // Else the next turn asks again.
    return;
  }
  await deps.db.engine
    .updateTable('data_integrations')
    .set({ asked_at: now })
    .where('creator_id', '=', row.creator_id)
    .where('id', '=', row.id)
    .execute();
}

async function isBelievedIn({ db }: Deps, row: IntegrationRow, remoteId: string): Promise<boolean> {
  const { rows } = await sql`
    select from integration_contacts where creator_id = ${row.creator_id} and integration_id = ${row.id}
      and remote_id = ${remoteId} and sent is not null and sent <> ${LEFT}
  `.execute(db.engine);
  return rows.length > 0;
}
