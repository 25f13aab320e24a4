import { expect, it } from 'vitest';
import { peopleOf } from '#web/features/contacts/people.ts';

const line = (personId: string, username: string | null, minute = 0) => ({
  personId,
  username,
  receivedAt: `2026-01-01T10:0${minute}:00.000Z`,
});

it('leaves out people without a handle', () => {
  expect(peopleOf([line('1', null)], 'a')).toEqual([]);
});

it('names everybody once, with the latest time', () => {
  const people = peopleOf([line('1', 'anna', 5), line('2', 'annika', 4), line('1', 'anna', 1)], 'ann');
  expect(people.map(({ username, lastAt }) => [username, lastAt.slice(11, 16)])).toEqual([
    ['anna', '10:05'],
    ['annika', '10:04'],
  ]);
});

it('takes the exact handle, with or without @, before those that begin like it', () => {
  expect(peopleOf([line('2', 'annika'), line('1', 'anna')], '@Anna').map((one) => one.personId)).toEqual(['1']);
});
