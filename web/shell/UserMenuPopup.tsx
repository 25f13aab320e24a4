import { LogOut, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Me } from '#contract/session.ts';
import { paths } from '#web/paths.ts';
import type { MenuEntry } from '#web/shell/menu-entry.ts';
import { useSignOut } from '#web/shell/use-sign-out.ts';
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/DropdownMenu.tsx';

type Props = { me: Me; withSettings: boolean; entries: MenuEntry[]; trigger: ReactNode; defaultOpen: boolean };

export function UserMenuPopup({ me, withSettings, entries, trigger, defaultOpen }: Props) {
  const { account, creatorAccount } = me;
  const navigate = useNavigate();
  const { signOut } = useSignOut({ onSignedOut: () => navigate(paths.login) });

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
      <MenuItem onSelect={signOut}>
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
