import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { applyNewsletterAct } from './address-contacts.ts';
import { readRowOf } from './contact-rows.ts';
import type { SecretDeps } from './creator-secret.ts';
import { findHuman } from './human.ts';

/**
 * The team unsubscribes somebody who asked for it: at every address of theirs. Only they themselves can come back.
 *
 * @throws AppError not_found; not_possible_now for who has no newsletter to leave
 */
export async function unsubscribe(
  deps: SecretDeps & { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<void> {
  const human = await findHuman(trx, creatorId, id, { lock: true });
  const { newsletter } = await readRowOf(trx, human);
  if (human.contactId === null || (newsletter !== 'confirmed' && newsletter !== 'unconfirmed')) {
    throw new AppError('not_possible_now', 'They don’t get your newsletter.');
  }
  const { contactId } = human;
  const at = deps.clock.now();
  await applyNewsletterAct(trx, deps, { creatorId, contactId, act: 'unsubscribes', at, how: 'by_hand', place: 'team' });
}
