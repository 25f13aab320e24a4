/**
 * The free plan is for creators with under 25,000 followers. They are told before they pass it, and have a month afterwards; then
 * new comments, stories and first messages get no answer until they are on another plan (`plan_limit`). What is under way goes on.
 */
import { sql, type Transaction } from 'kysely';
import { FREE_PLAN_FOLLOWER_LIMIT, FREE_PLAN_ID, isFree, LIKE_FREE } from '#contract/plans.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { dayOfPassing, type Reading } from './forecast.ts';
import { dayOf, mailPayers, type TellingDeps } from './mails.ts';
import { standingOfRow } from './subscriptions.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 60;
const READ_DAYS = 28;
const MOST_A_ROUND = 2000;

const GRACE_DAYS = 30;
/** From the moment at which the mail server took the mail about it. */
const AFTER_MAIL_DAYS = 14;
const MAIL_ON_DAYS = [0, 16, 27];
const MAIL_KIND = 'plan_limit';

const FORESEEN_DAYS = 60;
const FORETOLD_DAYS = 21;
const FORETOLD_FROM = 24_000;
const FORETOLD_EVERY_DAYS = 30;

type Deps = TellingDeps & Pick<JobDeps, 'automationsChanged' | 'live' | 'log'>;

/** Each account's followers, once a day. */
export async function countFollowers({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql`
    insert into follower_days (creator_id, connection_id, day, followers)
    select creator_id, id, (${now}::timestamptz at time zone 'UTC')::date, followers_count from connections
    where disconnected_at is null and followers_count is not null
    on conflict do nothing
  `.execute(db.engine);
}

export async function forgetFollowerDays({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = dateOf(dayNumber(clock.now()) - KEPT_DAYS);
  await db.engine.deleteFrom('follower_days').where('day', '<', before).execute();
}

/** Everybody once a day; those who passed the limit at every round. */
export async function followLimits(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const { rows } = await sql<{ creatorId: string }>`
    select c.id as "creatorId" from creators c left join follower_limits f on f.creator_id = c.id
    where c.delete_at is null and (
      f.crossed_at is not null
      or exists (select from follower_days d where d.creator_id = c.id and d.day >= ${dateOf(dayNumber(now) - 1)}::date)
        and (f.checked_on is null or f.checked_on < ${dateOf(dayNumber(now))}::date)
    )
    order by f.checked_on nulls first limit ${MOST_A_ROUND}
  `.execute(deps.db.engine);
  for (const { creatorId } of rows) {
    try {
      await followLimit(deps, creatorId);
    } catch (error) {
      deps.log.error({ err: error, creatorId }, 'a creator’s followers could not be looked at');
    }
  }
}

/** Where nothing can be paid there is no limit, and nobody's days begin. */
export async function endLimits(deps: Deps): Promise<void> {
  const gone = await deps.db.engine.deleteFrom('follower_limits').returning(['creator_id', 'limited_since']).execute();
  for (const { creator_id: creatorId, limited_since } of gone) {
    if (limited_since !== null) await deps.automationsChanged({ creatorId });
  }
}

type Limit = {
  crossed_at: Date | null;
  mails: number;
  accepted_at: Date | null;
  limited_since: Date | null;
  forecast_on: string | null;
  foretold_at: Date | null;
};
const NOTHING: Limit = {
  ...{ crossed_at: null, mails: 0, accepted_at: null, limited_since: null },
  ...{ forecast_on: null, foretold_at: null },
};

/** Looks at one creator, as their followers and their plan are now. */
export async function followLimit(deps: Deps, creatorId: string): Promise<void> {
  const now = deps.clock.now();
  const { was, is } = await deps.db.engine.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('follower_limits')
      .select(['crossed_at', 'mails', 'accepted_at', 'limited_since', 'forecast_on', 'foretold_at'])
      .where('creator_id', '=', creatorId)
      .forUpdate()
      .executeTakeFirst();
    const before: Limit = row ?? NOTHING;
    const readings = await readFollowers(trx, creatorId, now);
    const subscription = await trx
      .selectFrom('subscriptions')
      .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
      .select(['status', 'plan_id', 'stripe_subscription_id', 'cancel_at', 'late_since', 'plans.name'])
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    const isOfFreePlan =
      subscription === undefined ||
      isFree(subscription) ||
      subscription.plan_id === FREE_PLAN_ID ||
      LIKE_FREE.includes(standingOfRow(subscription, now));
    const after = isOfFreePlan ? await follow(trx, deps, { creatorId, before, readings, now }) : NOTHING;
    // Whoever was told once is not told again for a month, also after another plan.
    const values = { ...after, foretold_at: after.foretold_at ?? before.foretold_at };
    const written = { ...values, checked_on: dateOf(dayNumber(now)) };
    await trx
      .insertInto('follower_limits')
      .values({ creator_id: creatorId, ...written })
      .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(written))
      .execute();
    return { was: before, is: values };
  });
  const isChanged = (was.limited_since === null) !== (is.limited_since === null);
  if (isChanged) await deps.automationsChanged({ creatorId });
  const isShown = isChanged || was.forecast_on !== is.forecast_on || !isSame(was.crossed_at, is.crossed_at);
  if (isShown) deps.live.publish(creatorId, { what: 'account' });
}

async function follow(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, before, readings, now }: { creatorId: string; before: Limit; readings: Reading[]; now: Date },
): Promise<Limit> {
  const after = { ...before, crossed_at: crossedAt(before.crossed_at, readings, now) };
  if (after.crossed_at === null) {
    const day = dayOfPassing(readings, { limit: FREE_PLAN_FOLLOWER_LIMIT, withinDays: FORESEEN_DAYS });
    const calm = { ...NOTHING, foretold_at: before.foretold_at, forecast_on: day === null ? null : dateOf(day) };
    if (!isToBeForetold(calm, { day, readings, now })) return calm;
    await foretell(trx, deps, creatorId, { day, followers: readings.at(-1)!.followers });
    return { ...calm, foretold_at: now };
  }
  if (before.crossed_at === null) Object.assign(after, { ...NOTHING, crossed_at: after.crossed_at });
  after.accepted_at ??= await findAccepted(trx, creatorId, after.crossed_at);
  const end = graceEnd(after.crossed_at, after.accepted_at);
  const due = MAIL_ON_DAYS.filter((days) => now.getTime() >= after.crossed_at!.getTime() + days * DAY_MS).length;
  if (due > after.mails) {
    await tellLimit(trx, deps, creatorId, { end: end ?? graceEnd(after.crossed_at, now)! });
    after.mails = due;
  }
  after.limited_since = end !== null && now >= end ? (before.limited_since ?? now) : null;
  return after;
}

/** Both of the last two days count: a platform's figures flicker. */
function crossedAt(before: Date | null, readings: readonly Reading[], now: Date): Date | null {
  const lastTwo = readings.slice(-2).map(({ followers }) => followers >= FREE_PLAN_FOLLOWER_LIMIT);
  if (lastTwo.length === 2 && lastTwo.every(Boolean)) return before ?? now;
  if (lastTwo.length === 2 && !lastTwo.some(Boolean)) return null;
  return before;
}

/** @returns null while no mail server took the mail about it: then nothing ends */
export function graceEnd(crossedAt: Date, acceptedAt: Date | null): Date | null {
  if (acceptedAt === null) return null;
  return new Date(Math.max(crossedAt.getTime() + GRACE_DAYS * DAY_MS, acceptedAt.getTime() + AFTER_MAIL_DAYS * DAY_MS));
}

function isToBeForetold(
  { foretold_at }: Limit,
  { day, readings, now }: { day: number | null; readings: Reading[]; now: Date },
): boolean {
  if (foretold_at !== null && now.getTime() < foretold_at.getTime() + FORETOLD_EVERY_DAYS * DAY_MS) return false;
  const followers = readings.at(-1)?.followers ?? 0;
  return followers >= FORETOLD_FROM || (day !== null && day - dayNumber(now) <= FORETOLD_DAYS);
}

/** Of all connected accounts together, oldest first. */
async function readFollowers(trx: Transaction<Tables>, creatorId: string, now: Date): Promise<Reading[]> {
  const { rows } = await sql<{ day: number; followers: number }>`
    select (d.day - date '1970-01-01')::integer as day, sum(d.followers)::integer as followers
    from follower_days d join connections c on c.creator_id = d.creator_id and c.id = d.connection_id
    where d.creator_id = ${creatorId} and c.disconnected_at is null and d.day > ${dateOf(dayNumber(now) - READ_DAYS)}::date
    group by d.day order by d.day
  `.execute(trx);
  return rows;
}

async function findAccepted(trx: Transaction<Tables>, creatorId: string, crossedAt: Date): Promise<Date | null> {
  const { accepted } = await trx
    .selectFrom('mails')
    .select((eb) => eb.fn.min('finished_at').as('accepted'))
    .where('about_creator_id', '=', creatorId)
    .where('kind', '=', MAIL_KIND)
    .where('state', '=', 'sent')
    .where('created_at', '>=', crossedAt)
    .executeTakeFirstOrThrow();
  return accepted;
}

const LIMIT = FREE_PLAN_FOLLOWER_LIMIT.toLocaleString('en-US');

async function tellLimit(trx: Transaction<Tables>, deps: Deps, creatorId: string, { end }: { end: Date }) {
  await mailPayers(trx, deps, creatorId, {
    kind: MAIL_KIND,
    letter: {
      subject: `You passed ${LIMIT} followers: choose a plan by ${dayOf(end)}`,
      paragraphs: [
        `Congratulations! The free plan is for creators with under ${LIMIT} followers on Instagram and Facebook combined.`,
        `Until ${dayOf(end)} everything goes on as it is. After that, new comments, stories and first messages aren’t answered until you’re on another plan. Conversations that have begun, your contacts and your links go on either way.`,
      ],
      button: { label: 'Compare plans', url: deps.config.baseUrl + PLANS },
    },
  });
}

async function foretell(
  trx: Transaction<Tables>,
  deps: Deps,
  creatorId: string,
  { day, followers }: { day: number | null; followers: number },
) {
  const pace = day === null ? '' : ` At your pace you pass ${LIMIT} around ${dayOf(new Date(day * DAY_MS))}.`;
  await mailPayers(trx, deps, creatorId, {
    kind: 'plan_limit_ahead',
    letter: {
      subject: `You’re close to ${LIMIT} followers`,
      paragraphs: [
        `You have ${followers.toLocaleString('en-US')}.${pace}`,
        `The free plan is for creators with under ${LIMIT}. Nothing changes when you pass it: you then have ${GRACE_DAYS} days to choose another plan.`,
      ],
      button: { label: 'Compare plans', url: deps.config.baseUrl + PLANS },
    },
  });
}

const PLANS = '/creator-hq/settings/plan-upgrade';

/** @param trx of the engine's role @throws AppError not_possible_now: no days are running */
export async function giveDays(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('follower_limits')
    .set({ crossed_at: sql`crossed_at + ${AFTER_MAIL_DAYS} * interval '1 day'` })
    .where('creator_id', '=', creatorId)
    .where('crossed_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_possible_now', 'No days are running for this creator.');
}

/** @throws AppError not_possible_now: automations cannot be switched on */
export async function refuseOverLimit(trx: Pick<Transaction<Tables>, 'selectFrom'>, creatorId: string): Promise<void> {
  const over = await trx
    .selectFrom('follower_limits')
    .select('creator_id')
    .where('creator_id', '=', creatorId)
    .where('limited_since', 'is not', null)
    .executeTakeFirst();
  if (over === undefined) return;
  throw new AppError('not_possible_now', `The free plan is for under ${LIMIT} followers. Choose another plan first.`);
}

function dayNumber(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** @param day since 1970 */
function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function isSame(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
