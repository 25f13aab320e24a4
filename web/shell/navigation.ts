import { BookHeart, House, type LucideIcon, Mail, MessageCircle, Users, UtensilsCrossed } from 'lucide-react';
import { paths } from '#web/paths.ts';

export type NavItem = { label: string; to: string; icon: LucideIcon; children?: { label: string; to: string }[] };

/** The sidebar from top to bottom. Settings and Help Docs have their own place at its end. */
export const NAVIGATION: NavItem[] = [
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
  { label: 'Contacts', to: paths.contacts, icon: Users },
  { label: 'Save to Email', to: paths.saveToEmail, icon: Mail },
  { label: 'Memberships', to: paths.memberships, icon: BookHeart },
  {
    label: 'Shop the Recipe',
    to: paths.shopTheRecipe,
    icon: UtensilsCrossed,
    children: [
      { label: 'Recipes', to: paths.recipes },
      { label: 'Recipe settings', to: paths.shopTheRecipeSettings },
    ],
  },
];
