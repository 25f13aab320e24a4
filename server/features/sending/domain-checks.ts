/** Asks name servers for the records of sending domains: every minute for an hour, then every hour for a day, then daily. */
import type { Selectable } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import type { SendingDomainsTable } from '#server/db/types.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { forgetDomainTrouble, mailDomainTrouble } from '#server/features/notices/domain-trouble.ts';
import { findTextRecords } from '#server/platforms/dns/text-records.ts';
import { dkimName, dmarcName, judgeDkim, judgeDmarc, organizationOf, type Seen } from './records.ts';
import { domainGone } from './sending.ts';
import { sendsFrom } from './whom-from.ts';

type Row = Selectable<SendingDomainsTable>;
export type CheckDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'baseUrl' | 'dnsServers'>;
  live: Pick<LiveUpdates, 'publish'>;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 20;
/** Whoever presses twice asks once. */
const FRESH_MS = 3_000;
/** Two looks that are closer than this see the same slip of a name server. */
const TWICE_APART_MS = 30 * MINUTE_MS;

export const checkDueDomains: RecurringJob<CheckDeps> = {
  name: 'check-sending-domains',
  everyMs: MINUTE_MS,
  run: async (deps) => {
    for (;;) {
      const due = await deps.db.engine
        .selectFrom('sending_domains')
        .selectAll()
        .where('due_at', '<=', deps.clock.now())
        .orderBy('due_at')
        .limit(AT_ONCE)
        .execute();
      await Promise.all(due.map((row) => look(deps, row)));
      if (due.length < AT_ONCE) return;
    }
  },
};

/** @throws AppError not_found */
export async function checkNow(deps: CheckDeps, of: { creatorId: string; domainId: string }): Promise<void> {
  const row = await deps.db.engine
    .selectFrom('sending_domains')
    .selectAll()
    .where('creator_id', '=', of.creatorId)
    .where('id', '=', of.domainId)
    .executeTakeFirst();
  if (row === undefined) throw domainGone();
  if (row.checked_at !== null && deps.clock.now().getTime() - row.checked_at.getTime() < FRESH_MS) return;
  await look(deps, row);
}

async function look(deps: CheckDeps, row: Row): Promise<void> {
  const { db, clock, live } = deps;
  const { dnsServers } = deps.config;
  const { domain, selector, public_key: publicKey } = row;
  const organization = organizationOf(domain);
  const [dkim, own, inherited] = await Promise.all([
    findTextRecords(dnsServers, dkimName(domain, selector)),
    findTextRecords(dnsServers, dmarcName(domain)),
    organization === domain ? null : findTextRecords(dnsServers, dmarcName(organization)),
  ]);
  const seen = { dkim: judgeDkim(dkim, publicKey), dmarc: judgeDmarc(own, inherited) };
  const now = clock.now();
  const after = follow(row, seen, now);
  const isNew = row.state === 'waiting' && after.state === 'verified';
  await db.engine
    .updateTable('sending_domains')
    .set({ ...after, seen: JSON.stringify(seen), checked_at: now, ...(isNew && { verified_at: now }) })
    .where('creator_id', '=', row.creator_id)
    .where('id', '=', row.id)
    .execute();
  if (after.state !== row.state) await tellOwners(deps, row, after.state);
  const before = row.seen as Seen | null;
  const isNews = after.state !== row.state || JSON.stringify(states(seen)) !== JSON.stringify(before && states(before));
  if (isNews) live.publish(row.creator_id, { what: 'account' });
}

async function tellOwners(deps: CheckDeps, { creator_id: creatorId, domain }: Row, state: Row['state']): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    if (state === 'verified') await forgetDomainTrouble(trx, creatorId, domain);
    else if (await sendsFrom(trx, creatorId, domain)) await mailDomainTrouble(trx, deps, { creatorId, domain });
  });
}

const states = ({ dkim, dmarc }: Seen) => [dkim.state, dmarc.state, dmarc.policy];

type Followed = Pick<Row, 'state' | 'added_at' | 'missing_since'>;

/** What a look makes of a domain, and when the next one is. */
export function follow(
  { state, added_at: addedAt, missing_since: missingSince }: Followed,
  { dkim }: Pick<Seen, 'dkim'>,
  now: Date,
): Pick<Row, 'state' | 'missing_since' | 'due_at'> {
  const at = (ms: number) => new Date(now.getTime() + ms);
  const since = (then: Date) => now.getTime() - then.getTime();
  const stays = { state, missing_since: missingSince };
  if (dkim.state === 'found') return { state: 'verified', missing_since: null, due_at: at(DAY_MS) };
  if (state === 'waiting') {
    const age = since(addedAt);
    return { ...stays, due_at: at(age < HOUR_MS ? MINUTE_MS : age < DAY_MS ? HOUR_MS : DAY_MS) };
  }
  // A name server that does not answer says nothing about the domain.
  if (dkim.state === 'no_answer') return { ...stays, due_at: at(HOUR_MS) };
  if (missingSince === null) return { state, missing_since: now, due_at: at(HOUR_MS) };
  const isForGood = since(missingSince) >= TWICE_APART_MS;
  const nextMs = since(missingSince) < DAY_MS ? HOUR_MS : DAY_MS;
  return { state: isForGood ? 'shaky' : state, missing_since: missingSince, due_at: at(nextMs) };
}
