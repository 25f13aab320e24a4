import { expect, it } from 'vitest';
import { MOST_CONDITIONS, readSegment, writeSegment } from '#contract/segments.ts';
import {
  addCondition,
  addGroup,
  blankSegment,
  changeCondition,
  changeGroupMatch,
  isFull,
  isWhole,
  readGroupMatch,
  removeCondition,
} from '#web/features/contacts/segment-edits.ts';
import {
  fixedChoices,
  GROUP_MATCH,
  type GroupMatch,
  READY_MADE,
  segmentWords,
} from '#web/features/contacts/segment-words.ts';

it('is whole only once every condition has a value it can have', () => {
  const begun = blankSegment();
  expect(isWhole(begun)).toBe(false);
  const days = changeCondition(begun, 0, 0, { field: 'seen_within' });
  expect(isWhole(changeCondition(days, 0, 0, { value: '0' }))).toBe(false);
  const whole = changeCondition(days, 0, 0, { value: '90', negated: true });
  expect(isWhole(whole)).toBe(true);
  expect(writeSegment(whole)).toBe('all;all,!seen_within:90');
});

it('forgets the value with the field', () => {
  const days = changeCondition(blankSegment(), 0, 0, { field: 'saves', value: '3' });
  expect(changeCondition(days, 0, 0, { field: 'seen_within' }).groups[0]!.conditions[0]!.value).toBe('');
});

it('takes a group away with its last condition, and never the last of all', () => {
  const two = addGroup(changeCondition(blankSegment(), 0, 0, { value: 'confirmed' }));
  expect(two.groups).toHaveLength(2);
  const one = removeCondition(two, 1, 0);
  expect(writeSegment(one)).toBe('all;all,status:confirmed');
  expect(removeCondition(one, 0, 0)).toEqual(blankSegment());
});

it('holds twenty conditions', () => {
  let segment = blankSegment();
  for (let at = 1; at < MOST_CONDITIONS; at++) {
    expect(isFull(segment)).toBe(false);
    segment = at % 2 === 0 ? addGroup(segment) : addCondition(segment, 0);
  }
  expect(isFull(segment)).toBe(true);
});

it.each(Object.keys(GROUP_MATCH) as GroupMatch[])('keeps the choice “%s” of a group', (match) => {
  expect(readGroupMatch(changeGroupMatch(blankSegment(), 0, match).groups[0]!)).toBe(match);
});

it('says a segment in words', () => {
  const choices = { ...fixedChoices(), tag: [] };
  const says = (text: string) => segmentWords(readSegment(text)!, choices);
  for (const { segment } of READY_MADE) expect(readSegment(segment)).not.toBeNull();
  expect(says(READY_MADE[1]!.segment)).toBe('Newsletter is Confirmed, and Last seen not within 365 days');
  expect(says('any;!any,language:en,saves:2;all,source:blog,tag:00000000-0000-7000-8000-000000000000')).toBe(
    'not (Language is English, or Saves at least 2), or (Source is Your blog, and Tags include something deleted)',
  );
});
