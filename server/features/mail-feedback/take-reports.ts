/** What reports on a mail change: the mail's fate, and whether its address is written to again. */
import type { FastifyBaseLogger } from 'fastify';
import { type Selectable, sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import { scrub } from '#server/observability/scrub.ts';
import { fateInWords, type MailFate, type MailReport } from '#server/platforms/email/bounces/fates.ts';
import type { Keys } from '#server/secrets.ts';

export type ReportDeps = {
  db: Pick<Database, 'engine' | 'withCreator'>;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

type State = Selectable<Tables['reader_mails']>['state'];
/** From these states a mail gets to the next; a later report never takes an earlier, worse one back. */
const NEXT: Record<MailFate, { state: State; from: State[] }> = {
  delivered: { state: 'delivered', from: ['accepted', 'deferred'] },
  delayed: { state: 'deferred', from: ['accepted'] },
  hard: { state: 'bounced', from: ['sending', 'accepted', 'deferred', 'delivered'] },
  soft: { state: 'bounced', from: ['sending', 'accepted', 'deferred', 'delivered'] },
  about_us: { state: 'bounced', from: ['sending', 'accepted', 'deferred', 'delivered'] },
  unknown: { state: 'bounced', from: ['sending', 'accepted', 'deferred', 'delivered'] },
  complaint: { state: 'complained', from: ['sending', 'accepted', 'deferred', 'delivered', 'bounced'] },
};

/** So many mails in a row that could not be delivered, within so many days: nobody reads there. */
const SOFT_BOUNCES = 5;
const SOFT_BOUNCE_DAYS = 14;

/**
 * Counts an event once; one that was interrupted is taken again, which changes nothing twice.
 *
 * @param source.eventId the service's own id of it, or the message's in the mailbox
 * @returns what the event told: of the first report its fate, or `another_mail` when it is of none of ours
 */
export async function takeReports(
  deps: ReportDeps,
  source: { name: string; eventId: string },
  reports: MailReport[],
): Promise<string> {
  const event = { source: source.name, id: source.eventId };
  const known = await deps.db.engine
    .selectFrom('feedback_events')
    .select('what')
    .where('source', '=', event.source)
    .where('id', '=', event.id)
    .executeTakeFirst();
  if (known !== undefined) return known.what;
  const told: string[] = [];
  for (const report of reports) told.push(await takeReport(deps, report));
  const what = told[0] ?? 'nothing';
  await deps.db.engine
    .insertInto('feedback_events')
    .values({ ...event, what, received_at: deps.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return what;
}

async function takeReport(deps: ReportDeps, { fate, says, mail }: MailReport): Promise<string> {
  if (fate === 'not_understood') return fate;
  if (mail === null) return 'another_mail';
  const row = await deps.db.engine
    .selectFrom('reader_mails')
    .select('creator_id')
    .where('id', '=', mail.id)
    .executeTakeFirst();
  if (row === undefined) return 'another_mail';
  if (fate === 'auto_reply') return fate;
  if (fate === 'about_us')
    deps.log.warn({ mail: mail.id, failure: scrub(says) }, 'a mail server refuses mails from us');
  await deps.db.withCreator(row.creator_id, (trx) =>
    noteFate(trx, deps, { creatorId: row.creator_id, mailId: mail.id, fate, says }),
  );
  return fate;
}

type Noted = { creatorId: string; mailId: string; fate: MailFate; says: string };

async function noteFate(trx: CreatorTransaction, deps: ReportDeps, { creatorId, mailId, fate, says }: Noted) {
  const at = deps.clock.now();
  const { state, from } = NEXT[fate];
  const changed = await trx
    .updateTable('reader_mails')
    .set({
      ...{ state, reported: fate, reported_at: at, lease_id: null },
      last_failure: fateInWords(fate, says)?.slice(0, 300) ?? null,
      finished_at: sql`coalesce(finished_at, ${at})`,
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', mailId)
    .where('state', 'in', from)
    .returning(['contact_id', 'finished_at'])
    .executeTakeFirst();
  if (changed === undefined) return;
  const { contact_id: contactId, finished_at: sentAt } = changed;
  const isDead = await isAddressDead(trx, { creatorId, contactId, fate, sentAt: sentAt! });
  const act = fate === 'complaint' ? 'complains' : isDead ? 'bounces' : null;
  if (act !== null) await applyNewsletterAct(trx, deps, { creatorId, contactId, act, at, how: 'report' });
}

/** Whether nobody is written to there any more, after a mail with this fate that is noted already. */
export async function isAddressDead(
  trx: CreatorTransaction,
  { fate, ...mail }: { creatorId: string; contactId: string; fate: MailFate; sentAt: Date },
): Promise<boolean> {
  return fate === 'hard' || (fate === 'soft' && (await countSoftBounces(trx, mail)) >= SOFT_BOUNCES);
}

/** Up to this mail, since the last one that arrived or that nobody complained of. */
async function countSoftBounces(
  trx: CreatorTransaction,
  { creatorId, contactId, sentAt }: { creatorId: string; contactId: string; sentAt: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with mails as (
      select reported, finished_at, reported is distinct from 'soft' and state in ('accepted', 'delivered') as arrived
      from reader_mails
      where creator_id = ${creatorId} and contact_id = ${contactId} and finished_at <= ${sentAt}
        and finished_at > ${sentAt}::timestamptz - make_interval(days => ${SOFT_BOUNCE_DAYS})
    )
    select count(*) from mails where reported = 'soft'
      and finished_at > coalesce((select max(finished_at) from mails where arrived), '-infinity')
  `.execute(trx);
  return rows[0]!.count;
}

/** Reports are in the mails' own rows; of their events only the ids are kept. */
const KEPT_MS = 30 * 24 * 3_600_000;

export async function forgetEvents({ db, clock }: Pick<ReportDeps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await db.engine.deleteFrom('feedback_events').where('received_at', '<', before).execute();
}
