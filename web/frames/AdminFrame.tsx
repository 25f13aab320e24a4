import type { Me } from '#contract/session.ts';
import { usePendingInvites } from '#web/features/switching/use-pending-invites.ts';
import { AccountTools } from '#web/frames/AccountTools.tsx';
import { Frame } from '#web/frames/Frame.tsx';
import { AdminLayout } from '#web/shell/AdminLayout.tsx';

/** The admin area; its screens say so to who is no admin. */
export function Component() {
  return <Frame group="admin">{(me) => <Inside me={me} />}</Frame>;
}

function Inside({ me }: { me: Me }) {
  const invites = usePendingInvites(me);
  const tools = <AccountTools me={me} flags={null} withSettings={me.creatorAccount !== null} invites={invites} />;
  return <AdminLayout admin={me.account.isAdmin} tools={tools} />;
}
