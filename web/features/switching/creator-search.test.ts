import { expect, it } from 'vitest';
import { searchMemberships } from '#web/features/switching/creator-search.ts';

const memberships = ['ada.cooks', 'Crème.Brûlée', 'ben_bakes'].map((displayName) => ({
  membershipId: displayName,
  displayName,
  displayImage: null,
  current: false,
}));
const found = (wanted: string) => searchMemberships(memberships, wanted).map(({ displayName }) => displayName);

it('finds nothing for words that no creator has', () => {
  expect(found('zoe')).toEqual([]);
  expect(found('ada bakes')).toEqual([]);
});

it('finds creators by any part, without minding case, accents or the @', () => {
  expect(found('')).toHaveLength(3);
  expect(found('@ADA')).toEqual(['ada.cooks']);
  expect(found('brulee creme')).toEqual(['Crème.Brûlée']);
});
