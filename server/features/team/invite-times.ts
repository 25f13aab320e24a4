/** How long an invite is good, and what can still be answered. Pure. */
import type { InvitesTable } from '#server/db/types.ts';

export const LASTS_DAYS = 7;
const LASTS_MS = LASTS_DAYS * 24 * 60 * 60_000;

type Answers = Pick<InvitesTable, 'accepted_at' | 'declined_at' | 'revoked_at'>;

export function endOfInvite(sentAt: Date): Date {
  return new Date(sentAt.getTime() + LASTS_MS);
}

export function isTooOld({ expires_at }: Pick<InvitesTable, 'expires_at'>, now: Date): boolean {
  return expires_at <= now;
}

/** Of one that nobody has accepted yet. */
export function canBeAccepted(invite: Answers & Pick<InvitesTable, 'expires_at'>, now: Date): boolean {
  return (
    invite.accepted_at === null && invite.declined_at === null && invite.revoked_at === null && !isTooOld(invite, now)
  );
}

/** Declining twice, or late, does no harm; who accepted leaves the team instead. */
export function canBeDeclined({ accepted_at, revoked_at }: Answers): boolean {
  return accepted_at === null && revoked_at === null;
}
