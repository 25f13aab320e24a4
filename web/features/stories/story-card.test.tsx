import { expect, it } from 'vitest';
import type { Story } from '#contract/stories.ts';
import { StoryCard } from '#web/features/stories/StoryCard.tsx';
import { draw } from '#web/shell/testing/draw.tsx';

const NONE = { replies: 0, matched: 0, sent: 0, waiting: 0, failed: 0, missed: 0, noKeyword: 0, notSent: 0, own: 0 };
const STORY: Story = {
  ...{ id: 'sauce', kind: 'story', connectionId: '0197a0aa-0000-7000-8000-0000000000c1', caption: 'Reply SAUCE' },
  ...{ permalink: null, pictureUrl: null, postedAt: '2026-11-20T12:00:00Z', expiresAt: '2100-01-01T00:00:00Z' },
  ...{ endedAt: null, takenDown: false, automation: 'none', automationWords: [], asksFor: 'SAUCE', insights: null },
  figures: { ...NONE, opened: 0, clicked: 0, addresses: 0 },
};
const card = (over: Partial<Story>) =>
  draw(<StoryCard story={{ ...STORY, ...over }} to="/" />).replaceAll(/<[^>]*>/g, '');

const ASKS = 'Asks for SAUCE · nothing replies yet';

it('the card of a story whose text asks for a word says so while nothing replies', () => {
  expect(card({})).toContain(ASKS);
  expect(card({})).not.toContain('No automation');
  const off = card({ automation: 'off' });
  expect(off).toContain(ASKS);
  expect(off).toContain('Off');
});

it.each<[string, Partial<Story>]>([
  ['something replies', { automation: 'on' }],
  ['its text asks for nothing', { asksFor: null }],
  ['it is over', { endedAt: '2026-11-21T12:00:00Z' }],
])('it does not when %s', (_when, over) => {
  expect(card(over)).not.toContain('Asks for');
});
