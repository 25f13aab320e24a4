import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Settings } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { logout, type Me } from '#contract/session.ts';
import { paths } from '#web/paths.ts';
import { dropAllDrafts } from '#web/shell/drafts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { forgetSession } from '#web/shell/session.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/DropdownMenu.tsx';

/** Avatar rule of the spec: Instagram's, else Facebook's, else the person's own, else the handle's first letter. */
export function UserMenu({ me, withSettings }: { me: Me; withSettings: boolean }) {
  const { account, creatorAccount } = me;
  const handle = creatorAccount?.handle;
  const name = handle ?? account.name;
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = useEndpointMutation(logout, {
    successToast: { title: 'Logged out successfully' },
    errorToast: { title: 'Failed to logout' },
    onSuccess: () => {
      dropAllDrafts();
      forgetSession(client, { onPurpose: true });
      return navigate(paths.login);
    },
  });

  return (
    <DropdownMenu
      trigger={
        <button type="button" className="flex min-h-11 items-center gap-3 rounded-md px-1.5 text-left hover:bg-sunken">
          <Avatar
            size="small"
            sources={[creatorAccount?.instagramAvatarUrl, creatorAccount?.facebookAvatarUrl, account.avatarUrl]}
            name={name}
          />
          <span className="hidden min-w-0 flex-col leading-tight lg:flex">
            {handle && <span className="max-w-48 truncate font-medium text-sm">@{handle}</span>}
            <span className="max-w-48 truncate text-muted text-xs">{account.email}</span>
          </span>
          <span className="sr-only">Account menu</span>
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-medium text-ink">{handle ? `@${handle}` : account.name}</span>
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
