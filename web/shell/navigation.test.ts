import { expect, it } from 'vitest';
import type { Flags } from '#contract/flags.ts';
import { navigationFor } from '#web/shell/navigation.ts';

const OFF: Flags = {
  mealPlansEnabled: false,
  appLinksEnabled: false,
  storyMentions: false,
  referralFactoryEnabled: false,
};

const labels = (flags: Flags, hasFans = false) =>
  navigationFor(flags, { hasFans }).flatMap(({ label, children = [] }) => [
    label,
    ...children.map((child) => `  ${child.label}`),
  ]);

it('leaves out what its flag does not allow', () => {
  expect(labels(OFF)).toEqual([
    'Home',
    'Comment for DM',
    '  Posts & Reels',
    '  Stories & Lives',
    'Save to Email',
    'Contacts',
    'Recipes',
  ]);
});

it('shows Memberships only where there are any', () => {
  expect(labels(OFF, true)).toContain('Memberships');
});

it('shows App Links only if appLinksEnabled', () => {
  expect(labels({ ...OFF, appLinksEnabled: true })).toContain('App Links');
});

it('shows Story Mentions only if the storyMentions flag is on', () => {
  expect(labels({ ...OFF, storyMentions: true })).toContain('Story Mentions');
});

it('shows Meal Plans, indented, only if mealPlansEnabled', () => {
  expect(labels({ ...OFF, mealPlansEnabled: true })).toContain('  Meal Plans');
});
