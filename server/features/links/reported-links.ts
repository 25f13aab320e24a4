/** Short links that strangers report, and that the operator stops. The one writer of `reported_links`. */
import { type Kysely, sql } from 'kysely';
import { REASONS_KEPT, type ReportedLink, type ReportReason } from '#contract/link-reports.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { writeAudit } from '#server/features/admin/audit.ts';
import { findOwners } from '#server/features/notices/owners.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { linksAllowed, linksStopped } from './stop-mails.ts';

type Deps = { db: Database; clock: Clock; ids: Ids; config: { baseUrl: string } };
type Of = { creatorId: string; id: string; code: string };

const PAGE_SIZE = 50;

export async function report(
  { db, clock }: Pick<Deps, 'clock'> & { db: { engine: Kysely<Tables> } },
  { creatorId, linkId }: { creatorId: string; linkId: string },
  reason: ReportReason,
): Promise<void> {
  await sql`
    insert into reported_links as r (creator_id, link_id, times, reasons, last_reported_at)
    values (${creatorId}, ${linkId}, 1, array[${reason}], ${clock.now()})
    on conflict (creator_id, link_id) do update set times = r.times + 1, last_reported_at = excluded.last_reported_at,
      reasons = (excluded.reasons || r.reasons)[1:${sql.lit(REASONS_KEPT)}]
  `.execute(db.engine);
}

export async function listReported(
  { db }: Pick<Deps, 'db'>,
  { after, limit = PAGE_SIZE }: { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: ReportedLink[]; next: string | null }> {
  const at = readPosition(after, 'uuid', 'time');
  const when = sql`greatest(r.last_reported_at, r.stopped_at)`;
  const { rows } = await sql<
    Omit<ReportedLink, 'lastReportedAt'> & { id: string; position: string; lastReportedAt: Date | null }
  >`
    select l.id, l.code, coalesce(p.address, l.url) as url, r.creator_id as "creatorId", c.handle, r.times, r.reasons, r.why,
      r.last_reported_at as "lastReportedAt", ${when}::text as position,
      case when r.stopped_at is null then 'no' when r.stops_all then 'all' else 'this' end as stopped
    from reported_links r
    join links l on l.creator_id = r.creator_id and l.id = r.link_id
    join creators c on c.id = r.creator_id
    left join app_links p on p.creator_id = l.creator_id and p.id = l.app_link_id
    where ${at === null ? sql`true` : sql`(${when}, r.link_id) < (${at.at}::timestamptz, ${at.id}::uuid)`}
    order by ${when} desc, r.link_id desc limit ${limit + 1}
  `.execute(db.engine);
  const { items, next } = pageFrom(rows, limit);
  return {
    items: items.map(({ id: _, position: __, lastReportedAt, ...link }) => ({
      ...{ ...link, lastReportedAt: lastReportedAt?.toISOString() ?? null },
    })),
    next,
  };
}

/** @throws AppError not_found */
export function stop(
  deps: Deps,
  by: SignedIn,
  code: string,
  { all, why }: { all: boolean; why: string },
): Promise<void> {
  return change(deps, by, code, all ? 'Stopped all short links' : 'Stopped a short link', why, async (trx, of) => {
    const stopped = { stopped_at: deps.clock.now(), stops_all: all, why };
    await trx
      .insertInto('reported_links')
      .values({ creator_id: of.creatorId, link_id: of.id, ...stopped })
      .onConflict((conflict) => conflict.columns(['creator_id', 'link_id']).doUpdateSet(stopped))
      .execute();
    return (person) => linksStopped(person, deps.config.baseUrl, { code: of.code, all, why });
  });
}

/** Of the link, and of all links of its creator. @throws AppError not_found */
export function allow(deps: Deps, by: SignedIn, code: string): Promise<void> {
  return change(deps, by, code, 'Let short links work again', code, async (trx, of) => {
    await trx
      .updateTable('reported_links')
      .set({ stopped_at: null, stops_all: false })
      .where('creator_id', '=', of.creatorId)
      .where((eb) => eb.or([eb('link_id', '=', of.id), eb('stops_all', '=', true)]))
      .execute();
    await forgetEmpty(trx, of.creatorId);
    return (person) => linksAllowed(person, deps.config.baseUrl);
  });
}

/** @throws AppError not_found */
export function dismiss(deps: Deps, by: SignedIn, code: string): Promise<void> {
  return change(deps, by, code, 'Dismissed reports of a short link', code, async (trx, of) => {
    await trx
      .updateTable('reported_links')
      .set({ times: 0, reasons: [], last_reported_at: null })
      .where('creator_id', '=', of.creatorId)
      .where('link_id', '=', of.id)
      .execute();
    await forgetEmpty(trx, of.creatorId);
    return null;
  });
}

/** Neither reported nor stopped. */
async function forgetEmpty(trx: Kysely<Tables>, creatorId: string): Promise<void> {
  await trx
    .deleteFrom('reported_links')
    .where('creator_id', '=', creatorId)
    .where('last_reported_at', 'is', null)
    .where('stopped_at', 'is', null)
    .execute();
}

type Letter = Parameters<typeof mailLater>[2];

/** @param act returns what its owners are told */
async function change(
  deps: Deps,
  { user }: SignedIn,
  code: string,
  what: string,
  detail: string,
  act: (trx: Kysely<Tables>, of: Of) => Promise<((person: { name: string; email: string }) => Letter) | null>,
): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    const link = await trx.selectFrom('links').select(['creator_id', 'id']).where('code', '=', code).executeTakeFirst();
    if (link === undefined) throw new AppError('not_found', 'There is no short link with this code.');
    const letterTo = await act(trx, { creatorId: link.creator_id, id: link.id, code });
    await writeAudit(trx, deps, {
      ...{ admin_id: user.id, admin_name: user.name, creator_id: link.creator_id, visit_id: null },
      ...{ what, detail: `${code}: ${detail}` },
    });
    if (letterTo === null) return;
    const owners = await findOwners(trx, link.creator_id);
    for (const owner of owners) await mailLater(trx, deps, letterTo(owner));
  });
}
