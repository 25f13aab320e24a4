import { useState } from 'react';
import type { Me } from '#contract/session.ts';
import { listInvites } from '#contract/team.ts';
import { useEndpoint } from '#web/shell/queries.ts';

/**
 * Invites of the person signed in, and whether their dialog is open: by itself when they belong to no creator yet, else when
 * they asked for it; they may close it either way.
 */
export function usePendingInvites(me: Me) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const answer = useEndpoint(listInvites, { params: { userId: me.account._id } }, { enabled: me.adminAccess === null });
  const invites = answer.data?.invites ?? null;
  const opensByItself = invites !== null && invites.length > 0 && me.memberships.length === 0;
  return { invites, open: chosen ?? opensByItself, setOpen: setChosen };
}
