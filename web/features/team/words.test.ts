import { expect, test } from 'vitest';
import { isLastOwner, type TeamMember } from './words.ts';

function member(membershipId: string, role: TeamMember['role']): TeamMember {
  return {
    membershipId,
    role,
    name: membershipId,
    email: `${membershipId}@example.com`,
    avatarUrl: null,
    you: false,
    since: '2026-11-20T12:00:00.000Z',
    webhooks: 0,
    apiKey: false,
  };
}

const anna = member('anna', 'owner');
const ben = member('ben', 'collaborator');
const cleo = member('cleo', 'owner');

test('the only owner is the last one, however many collaborators there are', () => {
  expect(isLastOwner(anna, [anna, ben])).toBe(true);
});

test('an owner beside another owner may go, and a collaborator always', () => {
  expect(isLastOwner(anna, [anna, ben, cleo])).toBe(false);
  expect(isLastOwner(ben, [anna, ben])).toBe(false);
});
