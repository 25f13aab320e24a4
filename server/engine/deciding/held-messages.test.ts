import { describe, expect, test } from 'vitest';
import { automation, DAY_MS, in_, NOW, onComment } from '#server/engine/testing/deciding-examples.ts';
import type { EngineConnection } from './connections.ts';
import type { Decision } from './decision.ts';
import { holdBack } from './held-messages.ts';

describe('a message whose link is broken', () => {
  const holding = new Set(['automation']);
  const held = (decision: Decision, now = NOW) => {
    holdBack(decision, holding, now);
    return decision;
  };

  test('waits until the last seventh of its time', () => {
    const { interaction, delivery } = held(onComment());
    expect(delivery).toMatchObject({ held_from: NOW, due_at: in_(6 * DAY_MS) });
    expect(interaction).toMatchObject({ reason: 'link_broken', waiting_until: in_(6 * DAY_MS) });
  });

  test('says that first only where nothing else keeps it', () => {
    const reasonOf = (of: Partial<EngineConnection>, turn: Date | null = null) =>
      held(onComment({}, { of, given: { turn } })).interaction;
    expect(reasonOf({}, in_(1)).reason).toBe('link_broken');
    expect(reasonOf({ paused: true })).toMatchObject({ reason: 'paused', waiting_until: null });
    expect(held(onComment({}, { of: { paused: true } })).delivery).toHaveProperty('held_from');
  });

  test.each<[string, Parameters<typeof onComment>]>([
    ['of another automation', [{}, { by: [automation({ id: 'other' })] }]],
    ['in a live', [{ kind: 'live_comment' }, { by: [automation({ trigger: 'live_comment' })] }]],
    ['that comes after a tap', [{}, { by: [automation({ opening: { text: 'Hi', buttonTitle: 'Go' } })] }]],
    ['that is none', [{ text: 'lovely' }]],
  ])('%s is not held back', (_name, given) => {
    expect(held(onComment(...given))).toEqual(onComment(...given));
  });

  test.each(['next', 'delivery', 'follow_up'] as const)('and is the step %s is held back', (step) => {
    const decision = onComment();
    decision.delivery!.content = { ...decision.delivery!.content, step };
    expect(held(decision).delivery).toHaveProperty('held_from');
  });
});
