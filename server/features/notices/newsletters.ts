/** Owners hear of newsletters that wait for them. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { findOwners } from './owners.ts';

type Deps = { config: { baseUrl: string }; clock: Clock; ids: Ids };
const PLACE = '/creator-hq/save-to-email/newsletter';

/** Somebody who may not send it asks for it. The transaction must be the engine role's. */
export async function mailNewsletterAsked(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, by, subject }: { creatorId: string; by: string; subject: string },
): Promise<void> {
  for (const { name, email } of await findOwners(trx, creatorId)) {
    await mailLater(trx, deps, {
      kind: 'newsletter_asked',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Ready to send: ${subject}`,
        heading: `${by} asks you to send a newsletter`,
        paragraphs: [`Hello ${name}, “${subject}” is ready. No one gets it until you send it.`],
        button: { label: 'Open the newsletter', url: deps.config.baseUrl + PLACE },
      },
    });
  }
}

/** It stopped by itself. The transaction must be the engine role's. */
export async function mailNewsletterStopped(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, subject, because }: { creatorId: string; subject: string; because: string },
): Promise<void> {
  for (const { name, email } of await findOwners(trx, creatorId)) {
    await mailLater(trx, deps, {
      kind: 'newsletter_stopped',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Your newsletter paused: ${subject}`,
        heading: `“${subject}” paused`,
        paragraphs: [`Hello ${name}, ${because}`, 'The rest isn’t lost: you can go on or cancel it.'],
        button: { label: 'Open the newsletter', url: deps.config.baseUrl + PLACE },
        footnote: 'We’ll send this once.',
      },
    });
  }
}

/** The weekly one waits for somebody to send it. The transaction must be the engine role's. */
export async function mailNewsletterReady(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, subject, missing }: { creatorId: string; subject: string; missing: string[] },
): Promise<void> {
  for (const { name, email } of await findOwners(trx, creatorId)) {
    await mailLater(trx, deps, {
      kind: 'newsletter_ready',
      to: email,
      aboutCreatorId: creatorId,
      letter: {
        subject: `Your weekly recipes are ready: ${subject}`,
        heading: 'Your weekly recipes are ready',
        paragraphs: [
          `Hello ${name}, we put your new recipes into a newsletter. No one gets it until you send it.`,
          ...missing,
        ],
        button: { label: 'Open the newsletter', url: deps.config.baseUrl + PLACE },
      },
    });
  }
}
