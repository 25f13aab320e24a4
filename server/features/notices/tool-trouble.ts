/** Owners hear that a newsletter tool is to be connected again: once, until it was well in between. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { findOwners } from './owners.ts';
import { noteTold } from './queries.ts';

const aboutOf = (tool: string) => `tool:${tool}`;

/** The transaction must be the engine role's. */
export async function mailToolTrouble(
  trx: Transaction<Tables>,
  deps: { config: { baseUrl: string }; clock: Clock; ids: Ids },
  { creatorId, tool, name: toolName }: { creatorId: string; tool: string; name: string },
): Promise<void> {
  for (const { user_id: userId, name, email } of await findOwners(trx, creatorId)) {
    const fresh = await noteTold(trx, { creatorId, userId }, [aboutOf(tool)], deps.clock.now());
    if (fresh.length === 0) continue;
    await mailLater(trx, deps, {
      kind: 'tool_trouble',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Reconnect ${toolName}`,
        heading: `${toolName} needs to be reconnected`,
        paragraphs: [
          `Hello ${name}, until you reconnect it, ${toolName} doesn’t hear of new contacts, and not of those who unsubscribe. Nothing is lost: they wait here.`,
        ],
        button: { label: `Reconnect ${toolName}`, url: `${deps.config.baseUrl}/creator-hq/settings?tab=other-tools` },
        footnote: 'We’ll send this once.',
      },
    });
  }
}

/** It is well again. The transaction must be the engine role's. */
export async function forgetToolTrouble(trx: Transaction<Tables>, creatorId: string, tool: string): Promise<void> {
  await trx.deleteFrom('notices_sent').where('creator_id', '=', creatorId).where('about', '=', aboutOf(tool)).execute();
}
