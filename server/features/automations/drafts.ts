/** Drafts: changes to an automation that wait beside the live version until they are published. */
import type { Automation, AutomationInput } from '#contract/automations.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import * as automations from './automations.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Seen = { version: number; draftVersion: number };

/**
 * Checked like a saved automation, so that publishing holds no surprise.
 *
 * @throws AppError invalid_input, not_found, changed_meanwhile
 */
export async function save(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  { version, draftVersion, ...input }: AutomationInput & Seen,
  by: { name: string },
): Promise<Automation> {
  const row = await automations.findForChange(trx, creatorId, id);
  refuseOthers(row, { version, draftVersion });
  await automations.checkInput(deps, trx, creatorId, input, row);
  const savedAt = deps.clock.now().toISOString();
  await queries.setDraft(trx, creatorId, id, { base: version, savedAt, savedBy: by.name, input });
  return automations.get(trx, creatorId, id);
}

/** @throws AppError invalid_input, not_found, changed_meanwhile */
export async function publish(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  seen: Seen,
): Promise<automations.Changed> {
  const row = await automations.findForChange(trx, creatorId, id);
  refuseOthers(row, seen);
  const draft = automations.draftOf(row);
  if (draft === null)
    throw new AppError('changed_meanwhile', 'The draft no longer exists. Reload to see the live version.');
  if (draft.base !== row.version) {
    throw new AppError(
      'changed_meanwhile',
      'The live version changed after you started this draft. Compare the two, save the draft again, then publish it.',
    );
  }
  await queries.setDraft(trx, creatorId, id, null);
  return automations.change(deps, trx, creatorId, id, { ...draft.input, version: row.version });
}

/** @throws AppError not_found, changed_meanwhile */
export async function discard(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  draftVersion: number,
): Promise<Automation> {
  const row = await automations.findForChange(trx, creatorId, id);
  refuseOthers(row, { version: row.version, draftVersion });
  await queries.setDraft(trx, creatorId, id, null);
  return automations.get(trx, creatorId, id);
}

function refuseOthers(row: queries.AutomationRow, seen: Seen): void {
  if (row.version !== seen.version) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else changed the live version while you were editing. Your version is still here: compare the two.',
    );
  }
  if (row.draft_version !== seen.draftVersion) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else saved, published or discarded the draft. Your version is still here: compare the two.',
    );
  }
}
