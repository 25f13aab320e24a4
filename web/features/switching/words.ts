import type { Me } from '#contract/session.ts';

/** What to say in a tab that still had `shown` open when the session went on to `now`. */
export function movedWords(shown: Me, now: Me): { title: string; detail: string; go: string } {
  const old = shown.creatorAccount ? `@${shown.creatorAccount.handle}` : shown.account.email;
  const detail = `This tab still had ${old} open. Reload it to go on.`;
  const next = now.creatorAccount && `@${now.creatorAccount.handle}`;
  const go = next ? `Continue as ${next}` : 'Reload';
  if (shown.account._id !== now.account._id)
    return { title: `You logged in as ${now.account.email} in another tab`, detail, go };
  if (shown.adminAccess && !now.adminAccess) return { title: `Admin access to ${old} has ended`, detail, go };
  if (!next) return { title: `You no longer have access to ${old}`, detail, go };
  if (!shown.adminAccess && now.adminAccess) return { title: `You entered ${next} in another tab`, detail, go };
  return { title: `You switched to ${next} in another tab`, detail, go };
}
