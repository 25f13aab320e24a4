import { expect, test } from 'vitest';
import { withInvite } from '#web/features/people/invite-address.ts';

test('the token of an invite is kept whole, whatever letters are in it', () => {
  const address = new URL(withInvite('/creator-hq/login', 'a+b/c=&d'), 'http://localhost');
  expect(address.searchParams.get('invite')).toBe('a+b/c=&d');
});

test('without an invite the address stays as it is', () => {
  expect(withInvite('/creator-hq/login', null)).toBe('/creator-hq/login');
});
