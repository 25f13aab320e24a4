/** Hosts of creators for their short links: the one writer of `link_domains`, and the check whether a host leads here. */
import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { parse } from 'tldts';
import type { DomainProblem, LinkDomain } from '#contract/link-domains.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { LinkDomainsTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { findRecipients } from '#server/features/link-guard/recipients.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import type { GuardedFailure, GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { linkDomainLost } from './mails.ts';

type Row = Selectable<LinkDomainsTable>;
type Deps = { clock: Clock; ids: Ids; config: Pick<Config, 'baseUrl'> };
export type CheckDeps = Deps & {
  db: Pick<Database, 'engine'>;
  fetching: Pick<GuardedFetch, 'request'>;
  live: Pick<LiveUpdates, 'publish'>;
};

export const PROOF_PATH = '/.well-known/creator-hq';
const TOKEN_BYTES = 18;
const CHECK_EVERY_MS = 10 * 60_000;
/** One slip of a name server is no loss. */
const LOST_AFTER_MS = 15 * 60_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024;

const PROBLEMS: Record<GuardedFailure, DomainProblem> = {
  bad_address: 'no_entry',
  unreachable: 'no_entry',
  private_address: 'private_address',
  certificate: 'no_certificate',
  timeout: 'no_answer',
  broken_off: 'no_answer',
};

export async function list(trx: CreatorTransaction, creatorId: string): Promise<LinkDomain[]> {
  const rows = await trx
    .selectFrom('link_domains')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('created_at')
    .execute();
  return rows.map(show);
}

/** @throws AppError invalid_input, already_exists */
export async function add(deps: Deps, trx: CreatorTransaction, creatorId: string, host: string): Promise<LinkDomain> {
  const refuse = (code: 'invalid_input' | 'already_exists', message: string) =>
    new AppError(code, message, { fields: [{ path: 'host', message }] });
  const because = refusedBecause(deps.config, host);
  if (because !== null) throw refuse('invalid_input', because);
  const now = deps.clock.now();
  const row = await trx
    .insertInto('link_domains')
    .values({
      ...{ creator_id: creatorId, id: deps.ids.uuid(now), host, token: randomBytes(TOKEN_BYTES).toString('base64url') },
      ...{ created_at: now, due_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) return show(row);
  const isOwn = (await list(trx, creatorId)).some((one) => one.host === host);
  throw refuse('already_exists', isOwn ? 'You already have this host.' : 'Another creator uses this host.');
}

/** A host that is ours, or that nobody owns alone, must not become a creator's. */
function refusedBecause({ baseUrl }: Pick<Config, 'baseUrl'>, host: string): string | null {
  const ours = new URL(baseUrl).hostname;
  const { domain, isIp, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (isIp || (!isIcann && !isPrivate)) return 'Enter a host that everyone can reach, like go.yourblog.com.';
  if (domain === null) return 'This is a public suffix, under which anyone can have a host. Enter a host of your own.';
  if (host === ours || host.endsWith(`.${ours}`) || ours.endsWith(`.${host}`)) {
    return 'This host belongs to Creator HQ. Enter a host of your own.';
  }
  return null;
}

/** @throws AppError not_found */
export async function remove(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('link_domains')
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw gone();
}

/** What a host that leads here answers under `PROOF_PATH`; null: no such host and token. */
export async function proofOf(db: Kysely<Tables>, host: string, token: string): Promise<string | null> {
  const { rows } = await sql<{ token: string }>`
    select token from link_domains where host = ${host} and token = ${token}
  `.execute(db);
  return rows[0]?.token ?? null;
}

/** For the proxy, which asks before it gets a certificate. */
export async function isKnown(db: Kysely<Tables>, host: string): Promise<boolean> {
  const { rows } = await sql`select from link_domains where host = ${host.toLowerCase()}`.execute(db);
  return rows.length > 0;
}

export async function checkDue(deps: CheckDeps): Promise<void> {
  const due = await deps.db.engine
    .selectFrom('link_domains')
    .selectAll()
    .where('due_at', '<=', deps.clock.now())
    .orderBy('due_at')
    .limit(50)
    .execute();
  await Promise.all(due.map((row) => check(deps, row)));
}

/** @throws AppError not_found */
export async function checkNow(deps: CheckDeps, creatorId: string, id: string): Promise<LinkDomain> {
  const find = () =>
    deps.db.engine
      .selectFrom('link_domains')
      .selectAll()
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .executeTakeFirst();
  const row = await find();
  if (row === undefined) throw gone();
  await check(deps, row);
  const after = await find();
  if (after === undefined) throw gone();
  return show(after);
}

async function check(deps: CheckDeps, row: Row): Promise<void> {
  const { db, clock, config, live } = deps;
  const problem = await look(deps, row);
  const now = clock.now();
  const failedSince = problem === null ? null : (row.failed_since ?? now);
  const isLost =
    row.state === 'works' && failedSince !== null && now.getTime() - failedSince.getTime() >= LOST_AFTER_MS;
  const state = problem === null ? 'works' : isLost ? 'lost' : row.state;
  await db.engine.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('link_domains')
      .set({
        state,
        problem,
        failed_since: failedSince,
        checked_at: now,
        due_at: new Date(now.getTime() + CHECK_EVERY_MS),
      })
      .where('creator_id', '=', row.creator_id)
      .where('id', '=', row.id)
      // Of two that look at once, one tells.
      .where('state', '=', row.state)
      .executeTakeFirst();
    if (!isLost || numUpdatedRows === 0n) return;
    for (const person of await findRecipients(trx, row.creator_id)) {
      await mailLater(trx, deps, linkDomainLost(person, config.baseUrl, { host: row.host, problem: problem! }));
    }
  });
  if (state !== row.state || problem !== row.problem) live.publish(row.creator_id, { what: 'account' });
}

/** @returns null: it leads here */
async function look({ config, fetching }: CheckDeps, { host, token }: Row): Promise<DomainProblem | null> {
  const { protocol, port } = new URL(config.baseUrl);
  const ask = async (scheme: string): Promise<DomainProblem | null> => {
    const answer = await fetching.request({
      url: `${scheme}//${host}${port === '' ? '' : `:${port}`}${PROOF_PATH}/${token}`,
      method: 'GET',
      headers: { 'user-agent': `CreatorHQ-domain-check/1.0 (+${config.baseUrl})` },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.kind !== 'answer') return PROBLEMS[answer.because];
    return answer.status === 200 && answer.text.trim() === token ? null : 'elsewhere';
  };
  const problem = await ask(protocol);
  if (problem === null || protocol === 'http:') return problem;
  // Without encryption it may lead here already: then all that is missing is a certificate.
  return (await ask('http:')) === null ? 'no_certificate' : problem;
}

function show({ id, host, state, problem, checked_at }: Row): LinkDomain {
  return {
    ...{ id, host, state: state as LinkDomain['state'], problem: problem as LinkDomain['problem'] },
    checkedAt: checked_at?.toISOString() ?? null,
  };
}

function gone(): AppError {
  return new AppError('not_found', 'This host isn’t one of yours, or was removed.');
}
