/** Owners hear that their own mail server takes no emails: once, until it was well in between. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { findOwners } from './owners.ts';
import { noteTold } from './queries.ts';

const ABOUT = 'mail_server';

/** The transaction must be the engine role's. */
export async function mailMailServerTrouble(
  trx: Transaction<Tables>,
  deps: { config: { baseUrl: string }; clock: Clock; ids: Ids },
  { creatorId, host, says }: { creatorId: string; host: string; says: string },
): Promise<void> {
  for (const { user_id: userId, name, email } of await findOwners(trx, creatorId)) {
    const fresh = await noteTold(trx, { creatorId, userId }, [ABOUT], deps.clock.now());
    if (fresh.length === 0) continue;
    await mailLater(trx, deps, {
      kind: 'mail_server_trouble',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: 'Your mail server doesn’t take your emails',
        heading: `${host} doesn’t take your emails`,
        paragraphs: [
          `Hello ${name}, emails to your readers can’t leave through ${host}. ${says}`,
          'They wait, and none is lost. We’ll keep trying.',
        ],
        button: { label: 'Check your mail server', url: `${deps.config.baseUrl}/creator-hq/save-to-email/sending` },
        footnote: 'We’ll send this once.',
      },
    });
  }
}

/** It is well again. The transaction must be the engine role's. */
export async function forgetMailServerTrouble(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  await trx.deleteFrom('notices_sent').where('creator_id', '=', creatorId).where('about', '=', ABOUT).execute();
}
