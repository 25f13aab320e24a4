import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { logout, type Me } from '#contract/session.ts';
import { paths } from '#web/paths.ts';
import { dropAllDrafts } from '#web/shell/drafts.ts';
import type { MenuEntry } from '#web/shell/menu-entry.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { forgetSession } from '#web/shell/session.ts';
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/DropdownMenu.tsx';

type Props = { me: Me; withSettings: boolean; entries: MenuEntry[]; trigger: ReactNode; defaultOpen: boolean };

export function UserMenuPopup({ me, withSettings, entries, trigger, defaultOpen }: Props) {
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
      {entries.filter(({ before }) => before).map(drawEntry)}
      <MenuItem onSelect={() => signOut.mutate({})}>
        <LogOut aria-hidden="true" className="size-4" />
        Sign out
      </MenuItem>
      {entries.filter(({ before }) => !before).map(drawEntry)}
    </DropdownMenu>
  );
}

function drawEntry(entry: MenuEntry) {
  const inside = (
    <>
      <entry.icon aria-hidden="true" className="size-4" />
      {entry.label}
    </>
  );
  if ('onSelect' in entry) {
    return (
      <MenuItem key={entry.label} onSelect={entry.onSelect}>
        {inside}
      </MenuItem>
    );
  }
  return (
    <MenuItem key={entry.label} asChild>
      {'to' in entry ? (
        <Link to={entry.to}>{inside}</Link>
      ) : (
        <a href={entry.href} target="_blank" rel="noopener">
          {inside}
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </MenuItem>
  );
}
