/** Owners hear of every new way into their account's data, of those that somebody left behind, and of support inside. */
import type { Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { type Mail, mailLater } from '#server/platforms/email/mail-later.ts';
import * as mails from './mails.ts';
import { findOwners } from './owners.ts';
import { findRecipients } from './queries.ts';

type Deps = { config: { baseUrl: string }; clock: Clock; ids: Ids };

/** In the same transaction as what is made; the transaction must be the engine role's. */
export async function mailNewAccess(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, by, access }: { creatorId: string; by: { name: string; email: string }; access: mails.Access },
): Promise<void> {
  const given = { by, access, handle: await handleOf(trx, creatorId), at: deps.clock.now() };
  await mailOwners(trx, deps, creatorId, (owner) => mails.newAccess(owner, deps.config.baseUrl, given));
}

/** After somebody left by themselves. As for `mailNewAccess`. */
export async function mailLeftBehind(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, ...left }: { creatorId: string; name: string; webhookHosts: string[]; apiKey: boolean },
): Promise<void> {
  const handle = await handleOf(trx, creatorId);
  await mailOwners(trx, deps, creatorId, (owner) => mails.leftBehind(owner, deps.config.baseUrl, { ...left, handle }));
}

/** As for `mailNewAccess`, but nobody can choose not to hear of it. */
export async function mailSupportVisit(
  trx: Transaction<Tables>,
  deps: Deps,
  { creatorId, ...visit }: { creatorId: string; adminName: string; reason: string; until: Date },
): Promise<void> {
  const handle = await handleOf(trx, creatorId);
  for (const owner of await findOwners(trx, creatorId)) {
    const mail = mails.supportVisit(owner, deps.config.baseUrl, { ...visit, handle });
    await mailLater(trx, deps, { ...mail, aboutCreatorId: creatorId });
  }
}

async function mailOwners(
  trx: Transaction<Tables>,
  deps: Deps,
  creatorId: string,
  write: (owner: { name: string; email: string }) => Mail,
): Promise<void> {
  for (const owner of await findRecipients(trx, creatorId, 'new_access')) {
    await mailLater(trx, deps, { ...write(owner), aboutCreatorId: creatorId });
  }
}

async function handleOf(trx: Transaction<Tables>, creatorId: string): Promise<string> {
  const { handle } = await trx
    .selectFrom('creators')
    .select('handle')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  // With the sign, mail programs do not take `ada.cooks` for the address of a website.
  return `@${handle}`;
}
