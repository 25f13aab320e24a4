import { expect, it } from 'vitest';
import type { CatchUpPreview } from '#contract/catch-up.ts';
import { CatchUpOffer } from '#web/features/catch-up/CatchUpOffer.tsx';
import { draw } from '#web/shell/testing/draw.tsx';

const CURRY = { people: 20, text: 'Hey {{username|there}}, here is the curry', buttons: ['Get the curry'] };
const SOUP = { people: 1, text: 'Your soup', buttons: [] };

function offer(messages: CatchUpPreview['messages']): string {
  const preview: CatchUpPreview = {
    ...{ people: 21, atMost: 20_000, doneAt: null, expiring: 0, firstExpiryAt: null },
    ...{ leftOut: { haveIt: 0, unwanted: 0 }, posts: [], messages, first: [] },
  };
  return draw(<CatchUpOffer postId={null} preview={preview} level={2} />);
}

it('the card shows the message that they get, with its buttons and without the marks of variables', () => {
  const html = offer([CURRY]);
  expect(html).toContain('aria-label="Message"');
  expect(html).toMatch(/Hey [^{<]*, here is the curry/);
  expect(html).toContain('Get the curry');
  expect(html).not.toContain('to 20 people');
});

it('of several messages the card says who gets which', () => {
  const html = offer([CURRY, SOUP]);
  expect(html).toContain('aria-label="Messages"');
  expect(html).toMatch(/here is the curry.*to 20 people.*Your soup.*to 1 person/s);
});
