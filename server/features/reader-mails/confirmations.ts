/**
 * One tap says yes to the newsletter. Programs open every link of a mail, some in a browser that looks like a person's, so:
 *
 * - fetching the page changes nothing; its script says that somebody looked at it, its button that somebody pressed it;
 * - a look counts after a quiet minute, in which a link of the same mail that no person aims at (the tripwire) undoes it;
 * - a look right after the tripwire, from its network, by a known program or one that says it is steered, asks for the press;
 * - a press counts at once, and alone where the form wants one.
 */
import { createHmac } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { applyNewsletterAct, noteConsent } from '#server/features/contacts/address-contacts.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import type { Keys } from '#server/secrets.ts';
import { hashOfToken } from './reader-links.ts';

const MINUTE_MS = 60_000;
const QUIET_MS = MINUTE_MS;
/** How long the network that followed the tripwire is not believed. */
const SAME_NETWORK_MS = 10 * MINUTE_MS;

type Deps = { db: Pick<Database, 'engine' | 'withCreator'>; clock: Clock; ids: Ids; keys: Keys };

export type Confirmation = {
  creatorId: string;
  id: string;
  contactId: string;
  creatorName: string;
  newsletter: string;
  expiresAt: Date;
  trippedAt: Date | null;
  trippedNetwork: string | null;
  openedAt: Date | null;
  confirmedAt: Date | null;
  /** The form's choice: a look is not enough. */
  needsPress: boolean;
};

/** The states of the page. `left`: they unsubscribed since the mail was sent, which a tap does not undo. */
export type Standing = 'open' | 'done' | 'old' | 'left';

export async function findConfirmation(db: Kysely<Tables>, token: string): Promise<Confirmation | null> {
  const { rows } = await sql<Confirmation>`
    select f.creator_id as "creatorId", f.id, f.contact_id as "contactId", ${creatorName(sql`f.creator_id`)} as "creatorName",
      c.newsletter, f.expires_at as "expiresAt", f.tripped_at as "trippedAt", f.tripped_network as "trippedNetwork",
      f.opened_at as "openedAt", f.confirmed_at as "confirmedAt", exists (
        select from reader_mails m join submissions s on s.creator_id = m.creator_id and s.id = m.submission_id
          join forms on forms.creator_id = s.creator_id and forms.id = s.form_id
        where m.creator_id = f.creator_id and m.id = f.id and forms.design ->> 'confirm' = 'mail_and_press'
      ) as "needsPress"
    from confirmations f join contacts c on c.creator_id = f.creator_id and c.id = f.contact_id
    where f.token_hash = ${hashOfToken(token)}
  `.execute(db);
  return rows[0] ?? null;
}

export function standingOf({ newsletter, confirmedAt, openedAt, expiresAt }: Confirmation, now: Date): Standing {
  if (newsletter === 'confirmed') return 'done';
  if (newsletter !== 'unconfirmed' && newsletter !== 'bounced') return 'left';
  if (openedAt !== null && confirmedAt === null) return 'done';
  return expiresAt <= now ? 'old' : 'open';
}

export type Visit = {
  /** `opened`: the page's script, when it was looked at; `pressed`: its button. */
  how: 'opened' | 'pressed';
  /** Of the caller, as `networksOf` gives it. */
  network: string;
  /** A program that is known for it, or says so. */
  isProgram: boolean;
  /** What the button says of who left and comes back. */
  comesBackBy: string;
};

/** @returns `ask`: this visit proves nobody, and the page asks for the press */
export async function confirm(
  deps: Deps,
  found: Confirmation,
  { how, network, isProgram, comesBackBy }: Visit,
): Promise<Standing | 'ask'> {
  const now = deps.clock.now();
  const standing = standingOf(found, now);
  if (standing === 'left' && how === 'pressed' && found.newsletter === 'unsubscribed' && found.expiresAt > now) {
    await comeBack(deps, found, comesBackBy);
    return 'done';
  }
  // A press need not wait for the minute of a look.
  if (standing !== 'open' && !(how === 'pressed' && found.newsletter === 'unconfirmed' && standing === 'done'))
    return standing;
  if (how === 'pressed') {
    await settle(deps, found, 'pressed');
    return 'done';
  }
  const sinceTripped = found.trippedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - found.trippedAt.getTime();
  const isOfTripped = found.trippedNetwork === networkHash(deps.keys, network) && sinceTripped < SAME_NETWORK_MS;
  if (found.needsPress || isProgram || sinceTripped < QUIET_MS || isOfTripped) return 'ask';
  await deps.db.engine
    .updateTable('confirmations')
    .set({ opened_at: now })
    .where('creator_id', '=', found.creatorId)
    .where('id', '=', found.id)
    .where('opened_at', 'is', null)
    .execute();
  return 'done';
}

/** The link that only programs follow. What a look said in the minute before is undone. */
export async function trip({ db, clock, keys }: Pick<Deps, 'db' | 'clock' | 'keys'>, token: string, network: string) {
  await db.engine
    .updateTable('confirmations')
    .set({
      tripped_at: clock.now(),
      tripped_network: networkHash(keys, network),
      opened_at: sql`case when confirmed_at is null then null else opened_at end`,
    })
    .where('tripwire_hash', '=', hashOfToken(token))
    .execute();
}

/** Looks that were followed by a quiet minute count. */
export const settleConfirmations: RecurringJob<Deps> = {
  name: 'settle-confirmations',
  everyMs: 5_000,
  run: async (deps) => {
    const quiet = await deps.db.engine
      .selectFrom('confirmations')
      .select(['creator_id as creatorId', 'id', 'contact_id as contactId'])
      .where('confirmed_at', 'is', null)
      .where('opened_at', '<=', new Date(deps.clock.now().getTime() - QUIET_MS))
      .orderBy('opened_at')
      .limit(500)
      .execute();
    for (const one of quiet) await settle(deps, one, 'opened');
  },
};

/** Twice is as once. A look that the tripwire undid meanwhile is none. */
function settle(
  deps: Deps,
  { creatorId, id, contactId }: Pick<Confirmation, 'creatorId' | 'id' | 'contactId'>,
  how: Visit['how'],
): Promise<void> {
  const at = deps.clock.now();
  return deps.db.withCreator(creatorId, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('confirmations')
      .set({ confirmed_at: at })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('confirmed_at', 'is', null)
      .$if(how === 'opened', (query) => query.where('opened_at', 'is not', null))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await applyNewsletterAct(trx, deps, { creatorId, contactId, act: 'taps', at, how });
  });
}

/** People who left and press the page's offer agree again, in its words. */
function comeBack(deps: Deps, { creatorId, id, contactId }: Confirmation, wording: string): Promise<void> {
  const at = deps.clock.now();
  const of = { creatorId, contactId, at, how: 'pressed' };
  return deps.db.withCreator(creatorId, async (trx) => {
    await noteConsent(trx, deps, { ...of, purpose: 'newsletter', act: 'given', wording, place: 'mail' });
    await applyNewsletterAct(trx, deps, { ...of, act: 'ticks' });
    await applyNewsletterAct(trx, deps, { ...of, act: 'taps' });
    await trx
      .updateTable('confirmations')
      .set({ confirmed_at: at })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .execute();
  });
}

/** Nobody reads a network's address out of it. */
function networkHash({ secretKey }: Pick<Keys, 'secretKey'>, network: string): string {
  return createHmac('sha256', secretKey).update(`confirmation network\0${network}`).digest('base64url').slice(0, 22);
}
