/** Owners hear that a sending domain lost its record: once, until it was well in between. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { findOwners } from './owners.ts';
import { noteTold } from './queries.ts';

const aboutOf = (domain: string) => `domain:${domain}`;

/** The transaction must be the engine role's. */
export async function mailDomainTrouble(
  trx: Transaction<Tables>,
  deps: { config: { baseUrl: string }; clock: Clock; ids: Ids },
  { creatorId, domain }: { creatorId: string; domain: string },
): Promise<void> {
  for (const { user_id: userId, name, email } of await findOwners(trx, creatorId)) {
    const fresh = await noteTold(trx, { creatorId, userId }, [aboutOf(domain)], deps.clock.now());
    if (fresh.length === 0) continue;
    await mailLater(trx, deps, {
      kind: 'domain_trouble',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Emails from ${domain} can’t be signed`,
        heading: `The record of ${domain} is gone`,
        paragraphs: [
          `Hello ${name}, we no longer find our key in the DNS of ${domain}. Newsletters wait until it’s back. Saved recipes still go out, from our own address.`,
        ],
        button: { label: 'See the record', url: `${deps.config.baseUrl}/creator-hq/save-to-email/sending` },
        footnote: 'We’ll send this once.',
      },
    });
  }
}

/** It is well again. The transaction must be the engine role's. */
export async function forgetDomainTrouble(trx: Transaction<Tables>, creatorId: string, domain: string): Promise<void> {
  const about = aboutOf(domain);
  await trx.deleteFrom('notices_sent').where('creator_id', '=', creatorId).where('about', '=', about).execute();
}
