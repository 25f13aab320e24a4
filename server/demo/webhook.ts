/** The demo's webhook: it told a newsletter tool of new contacts, until that tool took its address away and it was turned off. */
import type { AppDeps } from '#server/features/app-deps.ts';
import * as endpoints from '#server/features/outgoing-webhooks/endpoints.ts';
import { findWithDue, serve } from '#server/features/outgoing-webhooks/webhook-calls.ts';
import { DEMO } from '#server/features/people/demo.ts';
import { answering } from './pretended-sites.ts';

const URL = 'https://newsletter.example.com/hooks/the-golden-spoon';

export async function addWebhook(deps: AppDeps, { creatorId, userId }: { creatorId: string; userId: string }) {
  const maker = { creatorId, role: 'owner' as const, user: { ...DEMO, id: userId } };
  const adding = deps.db.engine.transaction();
  const { id } = await adding.execute((trx) => endpoints.add(deps, trx, maker, { url: URL, types: ['contact'] }));
  await deps.db.withCreator(creatorId, (trx) => endpoints.sendTest(deps, trx, creatorId, id));
  await deps.automationsChanged({ creatorId });
  await sendWebhooks(deps, 200);
}

/** @param status what the tool answers; 410 turns the webhook off */
export async function sendWebhooks(deps: AppDeps, status: 200 | 410): Promise<void> {
  const sending = { ...deps, fetching: answering(() => status) };
  for (let due = await findWithDue(deps); due.length > 0; due = await findWithDue(deps)) {
    for (const served of due) await serve(sending, served);
  }
}

/** Somebody tried it once more: whatever hour the demo was made at, something is told, and the tool's answer turns the webhook off. */
export async function tryGoneTool(deps: AppDeps, creatorId: string): Promise<void> {
  const { id } = await deps.db.engine
    .selectFrom('outgoing_endpoints')
    .select('id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
  await deps.db.withCreator(creatorId, (trx) => endpoints.sendTest(deps, trx, creatorId, id));
  await sendWebhooks(deps, 410);
}
