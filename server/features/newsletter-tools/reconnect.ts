/** A tool does not take its key or login any more: nothing is asked until somebody connects it again. Owners hear of it once. */
import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import type { Ids } from '#server/clock.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { mailToolTrouble } from '#server/features/notices/tool-trouble.ts';
import type { IntegrationRow, ToolDeps } from './tool-deps.ts';

export type ReconnectDeps = ToolDeps & { ids: Ids; live: Pick<LiveUpdates, 'publish'> };

/** Not of one that was connected again meanwhile. */
export async function needsReconnect(deps: ReconnectDeps, row: IntegrationRow, because: string): Promise<void> {
  const isNew = await deps.db.engine.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('data_integrations')
      .set({ state: 'reconnect', because })
      .where('creator_id', '=', row.creator_id)
      .where('id', '=', row.id)
      .where('state', '=', 'on')
      .where((is) => is.or([is('refresh_secret', 'is not', null), is('secret', '=', row.secret)]))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await mailToolTrouble(trx, deps, { creatorId: row.creator_id, tool: row.tool, name: TOOL_NAMES[row.tool] });
    return true;
  });
  if (isNew) deps.live.publish(row.creator_id, { what: 'account' });
}
