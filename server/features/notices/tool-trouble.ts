/** Owners hear that a newsletter tool does not take its key any more. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { findOwners } from './queries.ts';

/** The transaction must be the engine role's. */
export async function mailToolTrouble(
  trx: Transaction<Tables>,
  deps: { config: { baseUrl: string }; clock: Clock; ids: Ids },
  { creatorId, tool }: { creatorId: string; tool: string },
): Promise<void> {
  for (const { name, email } of await findOwners(trx, creatorId)) {
    await mailLater(trx, deps, {
      kind: 'tool_trouble',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Reconnect ${tool}`,
        heading: `${tool} no longer accepts your API key`,
        paragraphs: [
          `Hello ${name}, until you paste a new key, ${tool} doesn’t hear of new contacts, and not of those who unsubscribe. Nothing is lost: they wait here.`,
        ],
        button: { label: `Reconnect ${tool}`, url: `${deps.config.baseUrl}/creator-hq/settings?tab=other-tools` },
        footnote: 'We’ll send this once.',
      },
    });
  }
}
