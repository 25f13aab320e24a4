/** Once a week a newsletter of the recipes that are new since the last one: as a draft to approve, or by itself; none without any. */
import { sql, type Transaction } from 'kysely';
import type { EmailDesign } from '#contract/email-templates.ts';
import { HOLD_SECONDS, type Newsletter } from '#contract/newsletters.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { findLiveDesign } from '#server/features/email-templates/live-templates.ts';
import { mailNewsletterReady } from '#server/features/notices/newsletters.ts';
import { type ReadinessDeps, whatIsMissing } from './readiness.ts';

type WeeklyDeps = Omit<ReadinessDeps, 'config'> & {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'smtpUrl' | 'trying' | 'baseUrl'>;
};
type Weekly = Newsletter['weekly'];

/** As many as a list of recipes in an email holds. */
const MOST_RECIPES = 12;
/** Of the first one. */
const FIRST_DAYS = 7;
/** A post that came out this long before the last turn is old, whenever its blog told us of it: the first sync has thousands. */
const LATE_DAYS = 7;
const BY = 'Weekly recipes';

/** The turn of this week of theirs, which may be over. */
const turn = (now: Date) => sql`(
  date_trunc('week', ${now}::timestamptz at time zone coalesce(c.time_zone, 'UTC')) + make_interval(days => s.weekly_day - 1, hours => s.weekly_hour)
)`;
const asMoment = (local: ReturnType<typeof sql>) => sql`(${local} at time zone coalesce(c.time_zone, 'UTC'))`;

export async function readWeekly(trx: CreatorTransaction, creatorId: string, now: Date): Promise<Weekly> {
  const { rows } = await sql<{ mode: Weekly['mode']; day: number; hour: number; nextAt: Date }>`
    select s.weekly as mode, s.weekly_day as day, s.weekly_hour as hour,
      case when ${asMoment(turn(now))} > ${now} then ${asMoment(turn(now))}
        else ${asMoment(sql`(${turn(now)} + interval '7 days')`)} end as "nextAt"
    from newsletter_settings s join creators c on c.id = s.creator_id where s.creator_id = ${creatorId}
  `.execute(trx);
  const row = rows[0];
  if (row === undefined) return { mode: 'off', day: 4, hour: 9, nextAt: null };
  return { ...row, nextAt: row.mode === 'off' ? null : row.nextAt.toISOString() };
}

/** The first turn is the next one. */
export async function changeWeekly(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { mode, day, hour }: Omit<Weekly, 'nextAt'>,
): Promise<void> {
  const now = clock.now();
  await sql`
    insert into newsletter_settings as s (creator_id, weekly, weekly_day, weekly_hour, weekly_since, weekly_ran_at)
    values (${creatorId}, ${mode}, ${day}, ${hour}, ${now}::timestamptz - make_interval(days => ${FIRST_DAYS}), ${now})
    on conflict (creator_id) do update set weekly = excluded.weekly, weekly_day = excluded.weekly_day,
      weekly_hour = excluded.weekly_hour, weekly_ran_at = excluded.weekly_ran_at,
      weekly_since = case when s.weekly = 'off' then greatest(s.weekly_since, excluded.weekly_since) else s.weekly_since end
  `.execute(trx);
}

export const makeWeeklyRecipes: RecurringJob<WeeklyDeps> = {
  name: 'make-weekly-recipes',
  everyMs: 5 * 60_000,
  run: async (deps) => {
    const now = deps.clock.now();
    const latest = asMoment(sql`(
      ${turn(now)} - case when ${asMoment(turn(now))} > ${now} then interval '7 days' else interval '0' end)`);
    const { rows } = await sql<{ creatorId: string }>`
      select s.creator_id as "creatorId" from newsletter_settings s join creators c on c.id = s.creator_id
      where s.weekly <> 'off' and s.writer = 'here' and c.delete_at is null and s.weekly_ran_at < ${latest}
    `.execute(deps.db.engine);
    for (const { creatorId } of rows) {
      await deps.db.engine.transaction().execute((trx) => makeOne(trx, deps, creatorId, now));
    }
  },
};

async function makeOne(trx: Transaction<Tables>, deps: WeeklyDeps, creatorId: string, now: Date): Promise<void> {
  const settings = await trx
    .selectFrom('newsletter_settings')
    .select(['weekly', 'weekly_since'])
    .where('creator_id', '=', creatorId)
    .where('weekly', '<>', 'off')
    .where('writer', '=', 'here')
    .forUpdate()
    .executeTakeFirst();
  // Set with the day and the hour.
  const since = settings?.weekly_since ?? null;
  if (settings === undefined || since === null) return;
  const recipes = await trx
    .selectFrom('recipes')
    .select(['id', 'created_at'])
    .where('creator_id', '=', creatorId)
    .where('created_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('blog_posts')
            .select('wordpress_id')
            .where('blog_posts.creator_id', '=', creatorId)
            .whereRef('blog_posts.recipe_id', '=', 'recipes.id')
            .where('published_at', '<', new Date(since.getTime() - LATE_DAYS * 24 * 3_600_000)),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_RECIPES)
    .execute();
  await trx
    .updateTable('newsletter_settings')
    .set({ weekly_ran_at: now, ...(recipes[0] && { weekly_since: recipes[0].created_at }) })
    .where('creator_id', '=', creatorId)
    .execute();
  if (recipes.length === 0) return;
  const design = withRecipes(
    await findLiveDesign(trx, creatorId, 'digest'),
    recipes.map(({ id }) => id),
  );
  const missing = settings.weekly === 'send' ? await whatIsMissing(deps, trx, creatorId) : [];
  const goes = settings.weekly === 'send' && missing.length === 0;
  await trx
    .insertInto('broadcasts')
    .values({
      ...{ creator_id: creatorId, id: deps.ids.uuid(now), kind: 'digest', design: JSON.stringify(design) },
      ...{ changed_by: BY, changed_at: now, because: missing.length === 0 ? null : missing.join(' ') },
      ...(goes && { state: 'scheduled', send_at: new Date(now.getTime() + HOLD_SECONDS * 1000) }),
    })
    .execute();
  if (!goes) await mailNewsletterReady(trx, deps, { creatorId, subject: design.subject, missing });
}

/** In the lists that show the newest ones. */
function withRecipes(design: EmailDesign, recipeIds: string[]): EmailDesign {
  const blocks = design.blocks.map((block) =>
    block.kind === 'recipes' && block.recipeIds.length === 0 ? { ...block, recipeIds } : block,
  );
  return { ...design, blocks };
}
