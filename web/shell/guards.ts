import { paths } from '#web/paths.ts';
import type { Session } from '#web/shell/session.ts';

/**
 * `public`: for those who are logged out. `setup` and `admin`: need somebody (whether they are an admin is the admin frame's
 * question). `main`: needs somebody with a creator.
 */
export type RouteGroup = 'public' | 'setup' | 'main' | 'admin';

/** Where a visitor of a screen must go instead; null: they may stay. */
export function redirectFor(group: RouteGroup, session: Session): string | null {
  if (group === 'public') return session ? paths.home : null;
  if (!session) return paths.login;
  if (group === 'main' && !session.creatorAccount) return paths.accountSetup;
  return null;
}
