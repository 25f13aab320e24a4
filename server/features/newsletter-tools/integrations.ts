/** Connecting newsletter tools, and what creators see and choose of them. The one writer of `data_integrations`. */
import { sql, type Updateable } from 'kysely';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import {
  type changeIntegration,
  type DataIntegration,
  type listFailures,
  TOOL_NAMES,
  type ToolName,
} from '#contract/newsletter-tools.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { DataIntegrationsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { mailNewAccess } from '#server/features/notices/new-access.ts';
import { forgetToolTrouble } from '#server/features/notices/tool-trouble.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { kitTool } from '#server/platforms/newsletter-tools/kit.ts';
import type { KitTokens } from '#server/platforms/newsletter-tools/kit-login.ts';
import { dataCenterOf } from '#server/platforms/newsletter-tools/mailchimp.ts';
import { type NewsletterTool, ToolFailure, type ToolTarget } from '#server/platforms/newsletter-tools/tool.ts';
import { seal } from '#server/secrets.ts';
import { endLogin, sealedTokens } from './kit-tokens.ts';
import { needsReconnect, type ReconnectDeps } from './reconnect.ts';
import type { IntegrationRow, ToolDeps } from './tool-deps.ts';
import { connectedTool, HOOKS_PATH, toolOf } from './tools.ts';

type Deps = ReconnectDeps;
type InCreator = <T>(work: (trx: CreatorTransaction) => Promise<T>) => Promise<T>;

const TOKEN_CHARACTERS = 40;
const PAGE_SIZE = 50;

type Counts = { sent: number; waiting: number; failed: number; unsent: number; last_sent_at: Date | null };

export async function list(deps: ToolDeps, trx: CreatorTransaction, creatorId: string): Promise<DataIntegration[]> {
  const { rows } = await sql<IntegrationRow & Counts>`
    select i.*, k.* from data_integrations i
    cross join lateral (
      select count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state in ('waiting', 'removing'))::int as waiting,
        count(*) filter (where state = 'failed')::int as failed, max(sent_at) as last_sent_at,
        (select count(*) from (
          select id from contacts where creator_id = ${creatorId} and newsletter = 'confirmed'
          except select contact_id from integration_contacts where creator_id = ${creatorId} and integration_id = i.id
        ) as never)::int as unsent
      from integration_contacts where creator_id = ${creatorId} and integration_id = i.id
    ) as k
    where i.creator_id = ${creatorId} order by i.connected_at, i.id
  `.execute(trx);
  return rows.map((row) => viewOf(deps, row));
}

/** @throws AppError not_found */
async function view(deps: ToolDeps, trx: CreatorTransaction, creatorId: string, id: string): Promise<DataIntegration> {
  const found = (await list(deps, trx, creatorId)).find((one) => one.id === id);
  if (found === undefined) throw nothingHere();
  return found;
}

function viewOf(deps: ToolDeps, row: IntegrationRow & Counts): DataIntegration {
  const tool = connectedTool(deps, row);
  return {
    id: row.id,
    tool: row.tool,
    state: row.state,
    because: row.because,
    accountName: row.account_name,
    target: row.target_id === null ? null : { id: row.target_id, name: row.target_name ?? row.target_id },
    sent: row.sent,
    waiting: row.waiting,
    failed: row.failed,
    unsent: row.unsent,
    minutesLeft: Math.ceil(row.waiting / (tool.callsPerMinute * tool.atOnce)),
    lastSentAt: row.last_sent_at?.toISOString() ?? null,
    connectedAt: row.connected_at.toISOString(),
  };
}

/**
 * Asks the tool before anything is kept. One that is connected gets the new key, and goes on where it was. Without a target that it
 * needs it is off.
 *
 * @throws AppError invalid_input, tool_refused, tool_unreachable
 */
export async function connect(
  deps: Deps,
  byEngine: <T>(work: (trx: Parameters<typeof mailNewAccess>[0]) => Promise<T>) => Promise<T>,
  inCreator: InCreator,
  {
    creatorId,
    name,
    by,
    user,
  }: {
    creatorId: string;
    name: ToolName;
    by: { apiKey: string } | KitTokens;
    user: { id: string; name: string; email: string };
  },
): Promise<DataIntegration> {
  if (name === 'mailchimp' && 'apiKey' in by && dataCenterOf(by.apiKey) === null) {
    throw new AppError('invalid_input', 'That isn’t a Mailchimp API key.', {
      fields: [{ path: 'apiKey', message: 'A Mailchimp key ends with a data center, like -us21.' }],
    });
  }
  const tool =
    'apiKey' in by ? toolOf(deps, name, by.apiKey) : kitTool(deps.config.kit.url, { token: async () => by.token });
  const { accountName } = await asking(name, () => tool.verify());
  const sealed =
    'apiKey' in by
      ? { secret: seal(deps.keys.encryptionKeys, by.apiKey), refresh_secret: null, expires_at: null }
      : sealedTokens(deps.keys, by);
  const now = deps.clock.now();
  const id = await byEngine(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      insert into data_integrations as i (creator_id, id, tool, secret, refresh_secret, expires_at, account_name, state, hook_token, asked_at, connected_at, connected_by)
      values (${creatorId}, ${deps.ids.uuid(now)}, ${name}, ${sealed.secret}, ${sealed.refresh_secret}, ${sealed.expires_at}, ${accountName},
        ${name === 'kit' ? 'on' : 'off'}, ${deps.ids.code(TOKEN_CHARACTERS)}, ${now}, ${now}, ${user.id})
      on conflict (creator_id, tool) do update set secret = excluded.secret, refresh_secret = excluded.refresh_secret, expires_at = excluded.expires_at, account_name = excluded.account_name, because = null,
        failures = 0, paused_until = null, state = case when i.state = 'reconnect' then 'on' else i.state end
      returning id
    `.execute(trx);
    await forgetToolTrouble(trx, creatorId, name);
    await mailNewAccess(trx, deps, {
      creatorId,
      by: user,
      access: { kind: 'newsletter tool', name: TOOL_NAMES[name] },
    });
    return rows[0]!.id;
  });
  await listen(deps, inCreator, creatorId, id);
  return inCreator((trx) => view(deps, trx, creatorId, id));
}

/** A tool that does not want to tell us of changes is asked once a day. */
async function listen(deps: Deps, inCreator: InCreator, creatorId: string, id: string): Promise<void> {
  const row = await inCreator((trx) => find(trx, creatorId, id));
  if (row.hook_id !== null || (row.tool === 'mailchimp' && row.target_id === null)) return;
  const url = `${deps.config.baseUrl}${HOOKS_PATH}/${row.tool}/${row.hook_token}`;
  const tool = connectedTool(deps, row);
  const hook = await tool.listenAt(url, row.target_id).catch(ignoring);
  if (hook === null) return;
  const secret = hook.secret === null ? null : seal(deps.keys.encryptionKeys, hook.secret);
  const { numUpdatedRows } = await inCreator((trx) =>
    trx
      .updateTable('data_integrations')
      .set({ hook_id: hook.id, hook_secret: secret })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('hook_id', 'is', null)
      .executeTakeFirst(),
  );
  // Somebody else was faster, or it was disconnected meanwhile.
  if (numUpdatedRows === 0n) await tool.stopListening(hook.id, row.target_id).catch(ignoring);
}

async function stopListening(deps: ToolDeps, row: IntegrationRow): Promise<void> {
  if (row.hook_id === null) return;
  await connectedTool(deps, row).stopListening(row.hook_id, row.target_id).catch(ignoring);
}

function ignoring(error: unknown): null {
  if (error instanceof ToolFailure) return null;
  throw error;
}

/** @throws AppError not_found, not_possible_now without the audience it needs, tool_refused, tool_unreachable */
export async function change(
  deps: Deps,
  inCreator: InCreator,
  { creatorId, id, on, targetId }: { creatorId: string; id: string } & BodyOf<typeof changeIntegration>,
): Promise<DataIntegration> {
  const before = await inCreator((trx) => find(trx, creatorId, id));
  const target = targetId === undefined ? undefined : await chosen(deps, before, targetId);
  const isOtherAudience = before.tool === 'mailchimp' && target !== undefined && target?.id !== before.target_id;
  if (isOtherAudience) await stopListening(deps, before);
  await inCreator(async (trx) => {
    const row = await find(trx, creatorId, id, true);
    const next = target === undefined ? row.target_id : (target?.id ?? null);
    if (row.tool === 'mailchimp' && next === null && (on ?? row.state === 'on')) {
      throw new AppError('not_possible_now', 'Choose the audience that contacts are added to first.');
    }
    const changed: Updateable<DataIntegrationsTable> = {
      ...(target !== undefined && { target_id: next, target_name: target?.name ?? null }),
      ...(on !== undefined && { state: on ? 'on' : 'off', because: null, failures: 0, paused_until: null }),
      ...(isOtherAudience && { hook_id: null, hook_secret: null }),
    };
    if (Object.keys(changed).length > 0) await update(trx, row, changed);
  });
  await listen(deps, inCreator, creatorId, id);
  return inCreator((trx) => view(deps, trx, creatorId, id));
}

async function chosen(deps: Deps, row: IntegrationRow, targetId: string | null): Promise<ToolTarget | null> {
  if (targetId === null) return null;
  const targets = await askingConnected(deps, row, (tool) => tool.targets());
  const target = targets.find(({ id }) => id === targetId);
  if (target !== undefined) return target;
  throw new AppError('invalid_input', 'It’s no longer there. Choose another one.', {
    fields: [{ path: 'targetId', message: 'It’s no longer there.' }],
  });
}

/** @throws AppError not_found, tool_refused, tool_unreachable */
export async function targets(deps: Deps, inCreator: InCreator, creatorId: string, id: string): Promise<ToolTarget[]> {
  const row = await inCreator((trx) => find(trx, creatorId, id));
  return askingConnected(deps, row, (tool) => tool.targets());
}

/** @throws AppError not_found */
export async function disconnect(deps: ToolDeps, inCreator: InCreator, creatorId: string, id: string): Promise<void> {
  const row = await inCreator((trx) => find(trx, creatorId, id));
  await stopListening(deps, row);
  await endLogin(deps, row).catch(ignoring);
  await inCreator((trx) =>
    trx.deleteFrom('data_integrations').where('creator_id', '=', creatorId).where('id', '=', id).execute(),
  );
}

/** @throws AppError not_found, not_possible_now */
export async function backFill(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<DataIntegration> {
  const row = await find(trx, creatorId, id);
  if (row.state !== 'on') throw new AppError('not_possible_now', `Turn ${TOOL_NAMES[row.tool]} on first.`);
  await sql`
    insert into integration_contacts (creator_id, integration_id, contact_id, state, due_at)
    select creator_id, ${id}, id, 'waiting', ${deps.clock.now()} from contacts
    where creator_id = ${creatorId} and newsletter = 'confirmed'
    on conflict (creator_id, integration_id, contact_id) do nothing
  `.execute(trx);
  return view(deps, trx, creatorId, id);
}

/** @throws AppError not_found */
export async function retry(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, id, contactId }: { creatorId: string; id: string; contactId: string | undefined },
): Promise<DataIntegration> {
  await find(trx, creatorId, id);
  await sql`
    update integration_contacts set state = 'waiting', failure = null, due_at = ${deps.clock.now()}
    where creator_id = ${creatorId} and integration_id = ${id} and state = 'failed'
      ${contactId === undefined ? sql`` : sql`and contact_id = ${contactId}`}
  `.execute(trx);
  return view(deps, trx, creatorId, id);
}

/** What the tool refused is not counted as a failure any more; it hears of them again when they change. @throws AppError not_found */
export async function leave(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, id, contactId }: { creatorId: string; id: string; contactId: string },
): Promise<DataIntegration> {
  await find(trx, creatorId, id);
  await trx
    .updateTable('integration_contacts')
    .set({ state: 'left', failure: null })
    .where('creator_id', '=', creatorId)
    .where('integration_id', '=', id)
    .where('contact_id', '=', contactId)
    .where('state', '=', 'failed')
    .execute();
  return view(deps, trx, creatorId, id);
}

/** By address. @throws AppError not_found, invalid_input */
export async function failures(
  trx: CreatorTransaction,
  { creatorId, id, query }: { creatorId: string; id: string; query: QueryOf<typeof listFailures> },
) {
  await find(trx, creatorId, id);
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid', 'name');
  const { rows } = await sql<{ id: string; position: string; email: string; failure: string }>`
    select c.id, c.email_key as position, c.email, o.failure from integration_contacts o
    join contacts c on c.creator_id = o.creator_id and c.id = o.contact_id
    where o.creator_id = ${creatorId} and o.integration_id = ${id} and o.state = 'failed'
      ${after === null ? sql`` : sql`and (c.email_key, c.id) > (${after.at}, ${after.id}::uuid)`}
    order by c.email_key, c.id limit ${limit + 1}
  `.execute(trx);
  const { items, next } = pageFrom(rows, limit);
  return { next, items: items.map((row) => ({ contactId: row.id, email: row.email, reason: row.failure })) };
}

async function find(trx: CreatorTransaction, creatorId: string, id: string, lock = false): Promise<IntegrationRow> {
  let query = trx.selectFrom('data_integrations').selectAll().where('creator_id', '=', creatorId).where('id', '=', id);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (row === undefined) throw nothingHere();
  return row;
}

async function update(
  trx: CreatorTransaction,
  { creator_id: creatorId, id }: IntegrationRow,
  changed: Updateable<DataIntegrationsTable>,
): Promise<void> {
  await trx
    .updateTable('data_integrations')
    .set(changed)
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

function nothingHere(): AppError {
  return new AppError('not_found', 'This tool is no longer connected.');
}

async function askingConnected<T>(
  deps: Deps,
  row: IntegrationRow,
  ask: (tool: NewsletterTool) => Promise<T>,
): Promise<T> {
  return asking(row.tool, () =>
    ask(connectedTool(deps, row)).catch(async (error: unknown) => {
      if (error instanceof ToolFailure && error.kind === 'reconnect') await needsReconnect(deps, row, error.message);
      throw error;
    }),
  );
}

/** A question that somebody waits for. */
async function asking<T>(name: ToolName, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (error.kind === 'later') throw new AppError('tool_unreachable', `${error.message} Try again in a minute.`);
    const says = error.kind === 'reconnect' ? `${TOOL_NAMES[name]} doesn’t accept this API key.` : error.message;
    throw new AppError('tool_refused', says);
  }
}
