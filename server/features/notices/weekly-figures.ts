/** Last week's figures, every Monday at 07:00 of the creator's time, to whoever wants them; nothing where nothing happened. */
import { API_BASE } from '#contract/endpoint.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { dayAfter, daysUpTo } from '#server/features/figures/days.ts';
import { readFigures } from '#server/features/home/home.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import type { Keys } from '#server/secrets.ts';
import { weeklyFigures } from './mails.ts';
import * as queries from './queries.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

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
  const now = deps.clock.now();
  await queries.forgetOldWeeks(deps.db.engine, now);
  for (;;) {
    const creators = await queries.findUntold(deps.db.engine, now, CREATORS_AT_A_TIME);
    for (const creator of creators) await mailFigures(deps, creator);
    if (creators.length < CREATORS_AT_A_TIME) return;
  }
}

async function mailFigures(deps: Deps, creator: { id: string; handle: string; week: string }): Promise<void> {
  const days = daysUpTo(dayAfter(creator.week, 6), 7);
  const { config, db, clock, keys } = deps;
  const figures = await db.withCreator(creator.id, (trx) => readFigures(trx, creator.id, days));
  const quiet = Object.values(figures).every((figure) => figure === 0);
  for (const recipient of await queries.findRecipients(db.engine, creator.id, 'weekly_figures')) {
    const whom = { creatorId: creator.id, userId: recipient.user_id };
    await db.engine.transaction().execute(async (trx) => {
      // Also of a quiet week: its creator was thought of, nobody looks at them again.
      const fresh = await queries.noteTold(trx, whom, [queries.aboutWeek(creator.week)], clock.now());
      if (fresh.length === 0 || quiet) return;
      const unsubscribeUrl = config.baseUrl + UNSUBSCRIBE_PATH(unsubscribeToken(keys.secretKey, whom));
      const mail = weeklyFigures(recipient, config.baseUrl, { handle: creator.handle, days, figures });
      await mailLater(trx, deps, { ...mail, unsubscribeUrl, aboutCreatorId: creator.id });
    });
  }
}
