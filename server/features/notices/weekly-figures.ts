/** Last week's figures, every Monday at 07:00 UTC, to whoever wants them; nothing where nothing happened. */
import { API_BASE } from '#contract/endpoint.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { readFigures } from '#server/features/home/home.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import type { Keys } from '#server/secrets.ts';
import { weeklyFigures } from './mails.ts';
import * as queries from './queries.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 07:00 on the first Monday after 1970 began (a Thursday). */
const FIRST_MONDAY_MS = 4 * DAY_MS + 7 * HOUR_MS;
/** Later it is no news: workers were away for a day. */
const WORTH_TELLING_MS = DAY_MS;
const CREATORS_AT_A_TIME = 200;

type Deps = {
  config: Pick<Config, 'baseUrl'>;
  db: Database;
  clock: Clock;
  ids: Ids;
  keys: Pick<Keys, 'secretKey'>;
};

export const UNSUBSCRIBE_PATH = (token: string) => `${API_BASE}/notices/unsubscribe/${token}`;

export async function mailWeeklyFigures(deps: Deps): Promise<void> {
  const now = deps.clock.now().getTime();
  const monday = FIRST_MONDAY_MS + Math.floor((now - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  if (now - monday >= WORTH_TELLING_MS) return;
  const days = Array.from({ length: 7 }, (_, index) => dayOf(monday - (7 - index) * DAY_MS));
  const week = { days, about: `week:${days[0]}` };
  await queries.forgetOtherWeeks(deps.db.engine, week.about);
  for (;;) {
    const creators = await queries.findUntold(deps.db.engine, week.about, CREATORS_AT_A_TIME);
    for (const creator of creators) await mailFigures(deps, creator, week);
    if (creators.length < CREATORS_AT_A_TIME) return;
  }
}

async function mailFigures(
  deps: Deps,
  creator: { id: string; handle: string },
  week: { days: string[]; about: string },
): Promise<void> {
  const { config, db, clock, keys } = deps;
  const figures = await db.withCreator(creator.id, (trx) => readFigures(trx, creator.id, week.days));
  const quiet = Object.values(figures).every((figure) => figure === 0);
  for (const recipient of await queries.findRecipients(db.engine, creator.id, 'weekly_figures')) {
    const whom = { creatorId: creator.id, userId: recipient.user_id };
    await db.engine.transaction().execute(async (trx) => {
      // Also of a quiet week: she was thought of, nobody looks at her again.
      const fresh = await queries.noteTold(trx, whom, [week.about], clock.now());
      if (fresh.length === 0 || quiet) return;
      const unsubscribeUrl = config.baseUrl + UNSUBSCRIBE_PATH(unsubscribeToken(keys.secretKey, whom));
      const mail = weeklyFigures(recipient, config.baseUrl, { handle: creator.handle, days: week.days, figures });
      await mailLater(trx, deps, { ...mail, unsubscribeUrl, aboutCreatorId: creator.id });
    });
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
