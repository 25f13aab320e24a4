import { paths } from '#web/paths.ts';

export type UnbuiltScreen = {
  title: string;
  /** The planned content. */
  says: string;
};

/** Screens that have an address but no content yet. Patterns as in `routes.tsx`. */
export const UNBUILT_SCREENS: Record<string, UnbuiltScreen> = {
  [paths.memberships]: {
    title: 'Memberships',
    says: 'Paid memberships for your blog: fewer ads, members-only recipes.',
  },
};
