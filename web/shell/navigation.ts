import {
  AppWindow,
  AtSign,
  House,
  type LucideIcon,
  Mail,
  MessageCircle,
  Ticket,
  Users,
  UtensilsCrossed,
} from 'lucide-react';
import type { Flags } from '#contract/flags.ts';
import { paths } from '#web/paths.ts';

export type NavItem = { label: string; to: string; icon: LucideIcon; children?: { label: string; to: string }[] };

/** The sidebar from top to bottom: screens that are built. Settings and Help Docs have their own place at its end. */
export function navigationFor(flags: Flags, { hasFans }: { hasFans: boolean }): NavItem[] {
  return [
    { label: 'Home', to: paths.home, icon: House },
    {
      label: 'Comment for DM',
      to: paths.commentForDm,
      icon: MessageCircle,
      children: [
        { label: 'Posts & Reels', to: paths.postsAndReels },
        { label: 'Stories & Lives', to: paths.storiesAndLives },
      ],
    },
    ...only(flags.storyMentions, { label: 'Story Mentions', to: paths.storyMentions, icon: AtSign }),
    { label: 'Save to Email', to: paths.saveToEmail, icon: Mail },
    { label: 'Contacts', to: paths.contacts, icon: Users },
    {
      label: 'Recipes',
      to: paths.recipes,
      icon: UtensilsCrossed,
      children: only(flags.mealPlansEnabled, { label: 'Meal Plans', to: paths.mealPlans }),
    },
    ...only(hasFans, { label: 'Memberships', to: paths.memberships, icon: Ticket }),
    ...only(flags.appLinksEnabled, { label: 'App Links', to: paths.appLinks, icon: AppWindow }),
  ];
}

function only<Item>(on: boolean, item: Item): Item[] {
  return on ? [item] : [];
}
