/** The welcome series, and how far each contact is in it. Runs begin where a yes is recorded (server/events/product-events.ts). */
import { sql } from 'kysely';
import type { EmailDesign } from '#contract/email-templates.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeWelcomeMail, WelcomeSeries } from '#contract/welcome-series.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { findLiveDesign } from '#server/features/email-templates/live-templates.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { requireGoodDesign } from './broadcasts.ts';
import { figuresOf } from './figures.ts';
import { type ReadinessDeps, readWriter, toolWrites, whatIsMissing } from './readiness.ts';

type Deps = ReadinessDeps & { clock: Clock; ids: Ids };
type Whose = { creatorId: string; welcomeMailId: string };

const FIRST = { days: 0, hour: 9 };
const LATER = { days: 2, hour: 9 };

export async function read(trx: CreatorTransaction, creatorId: string): Promise<WelcomeSeries> {
  const mails = await findMails(trx, creatorId);
  const figures = await readFigures(trx, creatorId);
  const { rows } = await sql<Omit<WelcomeSeries, 'mails'>>`
    select coalesce((select welcome from newsletter_settings where creator_id = ${creatorId}), false) as "isOn",
      count(*) filter (where ended_at is null) as "underWay", count(*) filter (where ended_at is not null and because is null) as done,
      count(because) as stopped
    from welcome_runs where creator_id = ${creatorId}
  `.execute(trx);
  return {
    ...rows[0]!,
    mails: mails.map(({ id, days, hour, version, design, changed_by: changedBy, changed_at: at }) => ({
      ...{ id, days, hour, version, design: design as unknown as EmailDesign, figures: figures.get(id)! },
      ...{ changedBy, changedAt: at.toISOString() },
    })),
  };
}

type Figures = WelcomeSeries['mails'][number]['figures'];

/** By the mail's id. */
async function readFigures(trx: CreatorTransaction, creatorId: string): Promise<Map<string, Figures>> {
  const { rows } = await sql<Figures & { id: string }>`
    select w.id, sent::int, bounced::int, complained::int, unsubscribed::int, clicked::int
    from welcome_mails w cross join lateral (${figuresOf(creatorId, sql`w.id`)}) as counted where w.creator_id = ${creatorId}
  `.execute(trx);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}

/** @throws AppError invalid_input, not_possible_now */
export async function switchOn(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<WelcomeSeries> {
  const mails = await findMails(trx, creatorId);
  if (mails.length === 0) throw new AppError('not_possible_now', 'Add an email first.');
  for (const { design } of mails) requireGoodDesign('welcome', design as unknown as EmailDesign);
  const tool = toolWrites(await readWriter(trx, creatorId));
  const missing = [...(tool === null ? [] : [tool]), ...(await whatIsMissing(deps, trx, creatorId))];
  if (missing.length > 0) throw new AppError('not_possible_now', missing.join(' '));
  await setOn(trx, creatorId, true);
  return read(trx, creatorId);
}

/** Whoever is in it gets no more: later it would come out of nowhere. */
export async function switchOff(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<WelcomeSeries> {
  await setOn(trx, creatorId, false);
  await sql`
    update welcome_runs set ended_at = ${clock.now()}, because = 'The series was turned off.'
    where creator_id = ${creatorId} and ended_at is null
  `.execute(trx);
  return read(trx, creatorId);
}

async function setOn(trx: CreatorTransaction, creatorId: string, welcome: boolean): Promise<void> {
  await trx
    .insertInto('newsletter_settings')
    .values({ creator_id: creatorId, welcome })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet({ welcome }))
    .execute();
}

/** At the end. */
export async function addMail(
  { clock, ids }: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  by: { name: string },
): Promise<WelcomeSeries> {
  const now = clock.now();
  const last = (await findMails(trx, creatorId)).at(-1);
  const design = await findLiveDesign(trx, creatorId, last === undefined ? 'welcome' : 'sequence');
  await trx
    .insertInto('welcome_mails')
    .values({
      ...{ creator_id: creatorId, id: ids.uuid(now), position: (last?.position ?? 0) + 1 },
      ...(last === undefined ? FIRST : LATER),
      ...{ design: JSON.stringify(design), changed_by: by.name, changed_at: now },
    })
    .execute();
  await lookAgain(trx, creatorId, now);
  return read(trx, creatorId);
}

/** @throws AppError not_found, invalid_input, changed_meanwhile */
export async function changeMail(
  { clock }: Deps,
  trx: CreatorTransaction,
  { creatorId, welcomeMailId: id }: Whose,
  { version, days, hour, design }: BodyOf<typeof changeWelcomeMail>,
  by: { name: string },
): Promise<WelcomeSeries> {
  const { isOn, mails } = await read(trx, creatorId);
  const mail = mails.find((one) => one.id === id);
  if (mail === undefined) throw gone();
  if (mail.version !== version) throw changedMeanwhile();
  if (isOn) requireGoodDesign('welcome', design);
  const now = clock.now();
  const { numUpdatedRows } = await trx
    .updateTable('welcome_mails')
    .set({ days, hour, design: JSON.stringify(design), version: version + 1, changed_by: by.name, changed_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw changedMeanwhile();
  await lookAgain(trx, creatorId, now);
  return read(trx, creatorId);
}

/** @throws AppError not_found */
export async function removeMail(
  { clock }: Deps,
  trx: CreatorTransaction,
  { creatorId, welcomeMailId }: Whose,
): Promise<WelcomeSeries> {
  const { numDeletedRows } = await trx
    .deleteFrom('welcome_mails')
    .where('creator_id', '=', creatorId)
    .where('id', '=', welcomeMailId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw gone();
  await lookAgain(trx, creatorId, clock.now());
  return read(trx, creatorId);
}

function gone(): AppError {
  return new AppError('not_found', 'This email of the series was deleted meanwhile.');
}

function changedMeanwhile(): AppError {
  return new AppError(
    'changed_meanwhile',
    'Someone else changed this email while you were editing. Your version is still here: compare the two.',
  );
}

/** What comes next, and when, may be another one now. */
async function lookAgain(trx: CreatorTransaction, creatorId: string, now: Date): Promise<void> {
  await trx
    .updateTable('welcome_runs')
    .set({ next_at: now })
    .where('creator_id', '=', creatorId)
    .where('ended_at', 'is', null)
    .execute();
}

function findMails(trx: CreatorTransaction, creatorId: string) {
  return trx.selectFrom('welcome_mails').selectAll().where('creator_id', '=', creatorId).orderBy('position').execute();
}

type RunDeps = Omit<ReadinessDeps, 'config'> & {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  config: Pick<Config, 'smtpUrl' | 'trying'>;
  live: Pick<LiveUpdates, 'publish'>;
};

const RUNS_A_STEP = 500;
/** Before newsletters, after what was asked for one by one. */
const LANE = 1;
const WAIT_FOR_DOMAIN_HOURS = 1;

export const goOnWithWelcomes: RecurringJob<RunDeps> = {
  name: 'go-on-with-welcomes',
  everyMs: 15_000,
  run: async (deps) => {
    const moved = new Set<string>();
    while ((await step(deps, deps.clock.now(), moved)) === RUNS_A_STEP);
    // The next mail may go at once, too.
    while ((await step(deps, deps.clock.now(), moved)) > 0);
    for (const creatorId of moved) deps.live.publish(creatorId, { what: 'account' });
  },
};

/**
 * Each run that is due gets its next mail, or another time, or its end.
 *
 * @param moved creators of whose runs one got a mail or ended, to which it adds
 * @returns how many there were
 */
async function step({ db: { engine }, ...deps }: RunDeps, now: Date, moved: Set<string>): Promise<number> {
  const { rows: due } = await sql<{ creator: string }>`
    select distinct creator_id as creator from (
      select creator_id from welcome_runs where ended_at is null and next_at <= ${now} order by next_at limit ${RUNS_A_STEP}
    ) as due
  `.execute(engine);
  const unready: string[] = [];
  for (const { creator } of due) {
    if ((await whatIsMissing(deps, engine, creator)).length > 0) unready.push(creator);
  }
  const zone = sql`coalesce(k.time_zone, 'UTC')`;
  const { rows } = await sql<{ creator: string; moved: boolean }>`
    with due as materialized (
      select * from welcome_runs where ended_at is null and next_at <= ${now} order by next_at limit ${RUNS_A_STEP} for update skip locked
    ), next as materialized (
      select d.creator_id, d.contact_id, c.email_key, m.id as mail_id, m.position, d.creator_id = any (${unready}::uuid[]) as waits,
        case when s.welcome is not true or s.writer <> 'here' then 'The series was turned off.'
          when c.newsletter <> 'confirmed' then 'They left your newsletter.' end as because,
        case when m.days = 0 then d.last_at
          else ((d.last_at at time zone ${zone})::date + m.days + make_interval(hours => m.hour)) at time zone ${zone} end as due_at
      from due d join contacts c on c.creator_id = d.creator_id and c.id = d.contact_id
      join creators k on k.id = d.creator_id
      left join newsletter_settings s on s.creator_id = d.creator_id
      left join lateral (
        select * from welcome_mails w where w.creator_id = d.creator_id and w.position > d.position order by w.position limit 1
      ) as m on true
    ), going as materialized (
      select * from next where because is null and not waits and mail_id is not null and due_at <= ${now}
    ), queued as (
      insert into reader_mails (creator_id, id, contact_id, kind, part_of, lane, recipient_domain, created_at, due_at)
      select creator_id, gen_random_uuid(), contact_id, 'welcome', mail_id, ${LANE}, split_part(email_key, '@', 2), ${now}, ${now}
      from going
      on conflict (creator_id, part_of, contact_id) where part_of is not null do nothing
    )
    update welcome_runs r set because = n.because,
      ended_at = case when n.because is not null or n.mail_id is null then ${now}::timestamptz end,
      position = coalesce(g.position, r.position), last_at = case when g.position is null then r.last_at else ${now} end,
      next_at = case when g.position is not null then ${now}
        when n.waits then ${now}::timestamptz + make_interval(hours => ${WAIT_FOR_DOMAIN_HOURS})
        else coalesce(n.due_at, ${now}) end
    from next n left join going g on g.creator_id = n.creator_id and g.contact_id = n.contact_id
    where r.creator_id = n.creator_id and r.contact_id = n.contact_id
    returning r.creator_id as creator, g.position is not null or r.ended_at is not null as moved
  `.execute(engine);
  for (const row of rows) if (row.moved) moved.add(row.creator);
  return rows.length;
}
