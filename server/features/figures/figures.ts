/** Figures by day of one automation, one post, or the whole account. */
import { sql } from 'kysely';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import type { getFigures } from '#contract/figures.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { figuresOf, readCounts } from '#server/engine/outcomes/counts.ts';
import { AppError } from '#server/errors.ts';
import { dayAfter, daysUpTo, readDay } from './days.ts';

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
  const days = daysBetween(await readDay(trx, creatorId, clock.now()), from, to);
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
    return { countedBy: 'automation_day' as const, idOf: (day: string) => `${day} ${automationId}` };
  }
  if (postId !== undefined) return { countedBy: 'post_day' as const, idOf: (day: string) => `${day} ${postId}` };
  return { countedBy: 'day' as const, idOf: (day: string) => day };
}

function daysBetween(today: string, from: string | undefined, to: string | undefined): string[] {
  const last = to ?? today;
  const count = from === undefined ? DAYS : (Date.parse(last) - Date.parse(from)) / DAY_MS + 1;
  if (count < 1 || count > MOST_DAYS) {
    const message = count < 1 ? 'The first day can’t be after the last.' : `At most ${MOST_DAYS} days.`;
    throw new AppError('invalid_input', message, { fields: [{ path: 'from', message }] });
  }
  return daysUpTo(last, count);
}

/** People who agreed to be written to, once a day each. */
async function readAddresses(trx: CreatorTransaction, creatorId: string, of: Of, days: string[]) {
  const whose =
    of.automationId !== undefined
      ? sql`automation_id = ${of.automationId}`
      : of.postId !== undefined
        ? sql`post_id = ${of.postId}`
        : sql`automation_id is not null`;
  // By moments first, which have an index: a zone is at most 14 hours from UTC.
  const { rows } = await sql<{ day: string; count: number }>`
    select day_of(creator_id, agreed_at)::text as day, count(distinct email) as count
    from consents
    where creator_id = ${creatorId} and ${whose}
      and agreed_at between ${`${dayAfter(days[0]!, -1)}T00:00:00Z`} and ${`${dayAfter(days.at(-1)!, 2)}T00:00:00Z`}
      and day_of(creator_id, agreed_at) between ${days[0]!}::date and ${days.at(-1)!}::date
    group by 1
  `.execute(trx);
  return new Map(rows.map(({ day, count }) => [day, count]));
}
