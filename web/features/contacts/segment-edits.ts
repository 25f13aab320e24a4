/** A segment while it is edited: its values may be empty or wrong still. */
import {
  type Condition,
  type ConditionGroup,
  MOST_CONDITIONS,
  SEGMENT_FIELDS,
  type Segment,
} from '#contract/segments.ts';
import type { GroupMatch } from '#web/features/contacts/segment-words.ts';

const BLANK: Condition = { field: 'status', negated: false, value: '' };

export function blankSegment(): Segment {
  return { match: 'all', groups: [blankGroup()] };
}

function blankGroup(): ConditionGroup {
  return { match: 'all', negated: false, conditions: [BLANK] };
}

export function isComplete({ field, value }: Condition): boolean {
  return SEGMENT_FIELDS[field].test(value);
}

export function isWhole({ groups }: Segment): boolean {
  return groups.every(({ conditions }) => conditions.every(isComplete));
}

export function isFull({ groups }: Segment): boolean {
  return groups.flatMap(({ conditions }) => conditions).length >= MOST_CONDITIONS;
}

export function addGroup(segment: Segment): Segment {
  return { ...segment, groups: [...segment.groups, blankGroup()] };
}

export function addCondition(segment: Segment, groupAt: number): Segment {
  return changeGroup(segment, groupAt, ({ conditions }) => ({ conditions: [...conditions, BLANK] }));
}

/** Another field begins with no value. */
export function changeCondition(
  segment: Segment,
  groupAt: number,
  conditionAt: number,
  change: Partial<Condition>,
): Segment {
  return changeGroup(segment, groupAt, ({ conditions }) => ({
    conditions: conditions.map((one, at) =>
      at === conditionAt ? { ...one, ...(change.field !== undefined && { value: '' }), ...change } : one,
    ),
  }));
}

/** The last condition of a group takes the group along; the last of all leaves a blank one. */
export function removeCondition(segment: Segment, groupAt: number, conditionAt: number): Segment {
  const { groups } = changeGroup(segment, groupAt, ({ conditions }) => ({
    conditions: conditions.filter((_, at) => at !== conditionAt),
  }));
  const left = groups.filter(({ conditions }) => conditions.length > 0);
  return left.length === 0 ? blankSegment() : { ...segment, groups: left };
}

export function readGroupMatch({ match, negated }: ConditionGroup): GroupMatch {
  if (!negated) return match;
  return match === 'any' ? 'none' : 'not_all';
}

export function changeGroupMatch(segment: Segment, groupAt: number, to: GroupMatch): Segment {
  const negated = to === 'none' || to === 'not_all';
  return changeGroup(segment, groupAt, () => ({ match: to === 'any' || to === 'none' ? 'any' : 'all', negated }));
}

function changeGroup(
  segment: Segment,
  groupAt: number,
  change: (group: ConditionGroup) => Partial<ConditionGroup>,
): Segment {
  return {
    ...segment,
    groups: segment.groups.map((group, at) => (at === groupAt ? { ...group, ...change(group) } : group)),
  };
}
