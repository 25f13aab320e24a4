/** How long a creator's data is kept: the operator's days, or fewer where the creator chose fewer. */
import type { RequestOf, ResponseOf } from '#contract/endpoint.ts';
import type { changeRetention, getRetention } from '#contract/settings.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

type Deps = { clock: Clock; config: Pick<Config, 'keep'> };
type Choices = RequestOf<typeof changeRetention>['body'];

export async function readRetention(
  { config }: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<ResponseOf<typeof getRetention>> {
  const row = await trx
    .selectFrom('retention_choices')
    .select(['history_days', 'texts_days', 'webhook_log_days'])
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  const { historyDays, textsDays, webhookLogDays } = config.keep;
  return {
    historyDays: row?.history_days ?? null,
    textsDays: row?.texts_days ?? null,
    webhookLogDays: row?.webhook_log_days ?? null,
    most: { historyDays, textsDays, webhookLogDays },
  };
}

/** Carried out by the next turn of the job in forget-old.ts. */
export async function chooseRetention(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, userId }: { creatorId: string; userId: string },
  choices: Choices,
): Promise<ResponseOf<typeof getRetention>> {
  const row = {
    history_days: choices.historyDays,
    texts_days: choices.textsDays,
    webhook_log_days: choices.webhookLogDays,
    changed_at: deps.clock.now(),
    changed_by: userId,
  };
  await trx
    .insertInto('retention_choices')
    .values({ creator_id: creatorId, ...row })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(row))
    .execute();
  return readRetention(deps, trx, creatorId);
}
