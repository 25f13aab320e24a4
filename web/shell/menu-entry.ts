import type { LucideIcon } from 'lucide-react';

/** An entry of the user menu that another part of the app brings. `before`: in front of Sign out. */
export type MenuEntry = { label: string; icon: LucideIcon; before?: boolean } & (
  | { onSelect: () => void }
  /** An address of the app. */
  | { to: string }
  /** Another site, in a new tab. */
  | { href: string }
);
