/** Figures by day of one automation, one post, or the whole account. */
import { sql } from 'kysely';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import type { getFigures } from '#contract/figures.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { readCounts } from '#server/engine/outcomes/counts.ts';
import { AppError } from '#server/errors.ts';
import { figuresOf } from '#server/features/home/home.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS = 30;
const MOST_DAYS = 366;

type Of = Pick<QueryOf<typeof getFigures>, 'automationId' | 'postId'>;

/** @throws AppError invalid_input for days in the wrong order, or too many */
export async function figuresByDay(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { from, to, ...of }: QueryOf<typeof getFigures>,
): Promise<ResponseOf<typeof getFigures>> {
  const days = daysBetween(clock.now(), from, to);
  const { countedBy, idOf } = keysOf(of);
  const counts = await readCounts(trx, creatorId, countedBy, days.map(idOf));
  const addresses = await readAddresses(trx, creatorId, of, days);
  const account = countedBy === 'day' ? counts : await readCounts(trx, creatorId, 'day', days);
  return {
    total: {
      ...figuresOf([...counts.values()].flat()),
      addresses: [...addresses.values()].reduce((sum, count) => sum + count, 0),
    },
    days: days.map((day) => ({
      day,
      ...figuresOf(counts.get(idOf(day)) ?? []),
      addresses: addresses.get(day) ?? 0,
    })),
    usual: figuresOf([...account.values()].flat()),
  };
}

function keysOf({ automationId, postId }: Of) {
  if (automationId !== undefined && postId !== undefined) {
    throw new AppError('invalid_input', 'Choose an automation or a post, not both.');
  }
  if (automationId !== undefined) {
    return { countedBy: 'automation_day' as const, idOf: (day: string) => `${automationId} ${day}` };
  }
  if (postId !== undefined) return { countedBy: 'post_day' as const, idOf: (day: string) => `${postId} ${day}` };
  return { countedBy: 'day' as const, idOf: (day: string) => day };
}

function daysBetween(now: Date, from: string | undefined, to: string | undefined): string[] {
  const last = to === undefined ? Date.parse(dayOf(now)) : Date.parse(to);
  const first = from === undefined ? last - (DAYS - 1) * DAY_MS : Date.parse(from);
  const count = (last - first) / DAY_MS + 1;
  if (count < 1 || count > MOST_DAYS) {
    const message = count < 1 ? 'The first day can’t be after the last.' : `At most ${MOST_DAYS} days.`;
    throw new AppError('invalid_input', message, { fields: [{ path: 'from', message }] });
  }
  return Array.from({ length: count }, (_, index) => dayOf(new Date(first + index * DAY_MS)));
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** People who agreed to be written to, once a day each. */
async function readAddresses(trx: CreatorTransaction, creatorId: string, of: Of, days: string[]) {
  const whose =
    of.automationId !== undefined
      ? sql`automation_id = ${of.automationId}`
      : of.postId !== undefined
        ? sql`post_id = ${of.postId}`
        : sql`automation_id is not null`;
  const { rows } = await sql<{ day: string; count: number }>`
    select (agreed_at at time zone 'UTC')::date::text as day, count(distinct email) as count
    from consents
    where creator_id = ${creatorId} and ${whose} and agreed_at >= ${`${days[0]}T00:00:00Z`}::timestamptz
      and agreed_at < ${`${days.at(-1)}T00:00:00Z`}::timestamptz + interval '1 day'
    group by 1
  `.execute(trx);
  return new Map(rows.map(({ day, count }) => [day, count]));
}
