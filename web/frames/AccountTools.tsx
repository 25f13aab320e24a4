import { ArrowLeftRight, Gift, MessageCircle, ShieldCheck } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { Flags } from '#contract/flags.ts';
import type { Me } from '#contract/session.ts';
import type { Invite } from '#contract/team.ts';
import { useLiveChat } from '#web/features/chat/use-live-chat.ts';
import { useReferral } from '#web/features/refer/use-referral.ts';
import { ExitAdminAccess } from '#web/frames/ExitAdminAccess.tsx';
import { paths } from '#web/paths.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import type { MenuEntry } from '#web/shell/menu-entry.ts';
import { UserMenu } from '#web/shell/UserMenu.tsx';
import { buttonClass } from '#web/ui/button-class.ts';
import { NowProvider } from '#web/ui/RelativeTime.tsx';

const SwitchCreatorDialog = lazyPart(
  async () => (await import('#web/features/switching/SwitchCreatorDialog.tsx')).SwitchCreatorDialog,
);
const PendingInvitesDialog = lazyPart(
  async () => (await import('#web/features/switching/PendingInvitesDialog.tsx')).PendingInvitesDialog,
);

type Props = {
  me: Me;
  flags: Flags | null;
  withSettings: boolean;
  invites: { invites: readonly Invite[] | null; open: boolean; setOpen: (open: boolean) => void };
};

/**
 * Right end of the top bar: live chat and Refer & Earn, or for an admin the way out of an account; then the user menu.
 * The dialogs that open from here come with them.
 */
export function AccountTools({ me, flags, withSettings, invites }: Props) {
  const chat = useLiveChat(me);
  const referral = useReferral(me, flags);
  const [switching, setSwitching] = useState<'never' | 'open' | 'closed'>('never');
  const { isAdmin, needsTwoStep } = me.account;

  const openSwitcher = () => setSwitching('open');
  const entries: MenuEntry[] = [
    { label: 'Switch Creator', icon: ArrowLeftRight, before: true, onSelect: openSwitcher },
  ];
  if ((isAdmin || needsTwoStep) && !me.adminAccess)
    entries.push({ label: 'Admin area', icon: ShieldCheck, before: true, to: paths.admin });
  if (referral) entries.push({ label: 'Refer & Earn', icon: Gift, href: referral });
  if (chat) entries.push({ label: 'Live Chat', icon: MessageCircle, onSelect: chat });

  return (
    <NowProvider everyMs={5000}>
      {isAdmin && <ExitAdminAccess until={me.adminAccess?.until ?? null} />}
      {chat && (
        <button type="button" className={TOOL} onClick={chat}>
          <MessageCircle aria-hidden="true" className="size-5" />
          <ToolLabel>Live chat</ToolLabel>
        </button>
      )}
      {referral && !isAdmin && (
        <a href={referral} target="_blank" rel="noopener" className={TOOL}>
          <Gift aria-hidden="true" className="size-5" />
          <ToolLabel>Refer &amp; Earn</ToolLabel>
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
      <UserMenu me={me} withSettings={withSettings} entries={entries} />
      <Suspense>
        {switching !== 'never' && (
          <SwitchCreatorDialog
            me={me}
            open={switching === 'open'}
            onOpenChange={(open) => setSwitching(open ? 'open' : 'closed')}
          />
        )}
        {invites.invites && (invites.open || invites.invites.length > 0) && (
          <PendingInvitesDialog me={me} invites={invites.invites} open={invites.open} onOpenChange={invites.setOpen} />
        )}
      </Suspense>
    </NowProvider>
  );
}

const TOOL = buttonClass('quiet', 'small', 'max-md:w-11 max-md:min-w-0 max-md:px-0');

/** A phone has room for the icon only. */
function ToolLabel({ children }: { children: ReactNode }) {
  return <span className="max-md:sr-only">{children}</span>;
}
