import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { logout, type Me } from '#contract/session.ts';
import { paths } from '#web/paths.ts';
import { dropAllDrafts } from '#web/shell/drafts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { forgetSession } from '#web/shell/session.ts';
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/DropdownMenu.tsx';

type Props = { me: Me; withSettings: boolean; trigger: ReactNode; defaultOpen: boolean };

export function UserMenuPopup({ me, withSettings, trigger, defaultOpen }: Props) {
  const { account, creatorAccount } = me;
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = useEndpointMutation(logout, {
    errorToast: { title: 'Failed to logout' },
    onSuccess: () => {
      dropAllDrafts();
      forgetSession(client, { onPurpose: true });
      return navigate(paths.login);
    },
  });

  return (
    <DropdownMenu trigger={trigger} defaultOpen={defaultOpen}>
      <MenuLabel>
        <span className="block truncate font-medium text-ink">
          {creatorAccount ? `@${creatorAccount.handle}` : account.name}
        </span>
        <span className="block truncate">{account.email}</span>
      </MenuLabel>
      <MenuSeparator />
      {withSettings && (
        <MenuItem asChild>
          <Link to={paths.settings}>
            <Settings aria-hidden="true" className="size-4" />
            Settings
          </Link>
        </MenuItem>
      )}
      <MenuItem onSelect={() => signOut.mutate({})}>
        <LogOut aria-hidden="true" className="size-4" />
        Sign out
      </MenuItem>
    </DropdownMenu>
  );
}
