import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { Me } from '#contract/session.ts';
import { whenIdle } from '#web/shell/idle.ts';
import type { MenuEntry } from '#web/shell/menu-entry.ts';
import type { UserMenuPopup } from '#web/shell/UserMenuPopup.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';

type Popup = ComponentType<Parameters<typeof UserMenuPopup>[0]>;

/**
 * Avatar rule of the spec: Instagram's, else Facebook's, else the person's own, else the handle's first letter.
 * The button is there at once; the menu behind it is fetched when the page has settled, or when it is pressed.
 */
export function UserMenu({ me, withSettings, entries }: { me: Me; withSettings: boolean; entries: MenuEntry[] }) {
  const { account, creatorAccount } = me;
  const handle = creatorAccount?.handle;
  const [popup, setPopup] = useState<{ Popup: Popup; open: boolean } | null>(null);
  const button = useRef<HTMLButtonElement>(null);

  const load = (open: boolean) =>
    import('#web/shell/UserMenuPopup.tsx').then((code) => {
      // The button is made again inside the menu: not under somebody's fingers.
      if (open || document.activeElement !== button.current) setPopup({ Popup: code.UserMenuPopup, open });
    });
  // Without a connection the next press tries again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the page has come
  useEffect(() => whenIdle(() => void load(false).catch(() => {})), []);

  const trigger = (
    <button
      ref={button}
      type="button"
      className="flex min-h-11 items-center gap-3 rounded-md px-1.5 text-left hover:bg-sunken"
      {...(!popup && { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => void load(true) })}
    >
      <Avatar
        size="small"
        sources={[creatorAccount?.instagramAvatarUrl, creatorAccount?.facebookAvatarUrl, account.avatarUrl]}
        name={handle ?? account.name}
      />
      <span className="hidden min-w-0 flex-col leading-tight lg:flex">
        {handle && <span className="max-w-48 truncate font-medium text-sm">@{handle}</span>}
        <span className="max-w-48 truncate text-muted text-xs">{account.email}</span>
      </span>
      <span className="sr-only">Account menu</span>
    </button>
  );
  if (!popup) return trigger;
  return (
    <popup.Popup me={me} withSettings={withSettings} entries={entries} trigger={trigger} defaultOpen={popup.open} />
  );
}
