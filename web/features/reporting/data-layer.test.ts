import { expect, it } from 'vitest';
import { identityEvent, NOBODY } from '#web/features/reporting/data-layer.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

const BASE = 'https://hq.example.com';

it('carries no address and no name of a person', () => {
  expect(JSON.stringify(identityEvent(EXAMPLE_ME, BASE))).not.toMatch(/ada@|"Ada"/);
});

it('carries identity, plan and admin-panel links', () => {
  expect(identityEvent(EXAMPLE_ME, BASE)).toMatchObject({
    event: 'identity',
    user_id: EXAMPLE_ME.account._id,
    creator_handle: 'ada.cooks',
    plan_id: 'creator-plan',
    admin_creator_url: `${BASE}/creator-hq/admin?search=ada.cooks`,
  });
});

it('leaves nothing of a person behind after logging out', () => {
  const { event: _, ...left } = NOBODY;
  expect(Object.keys(NOBODY)).toEqual(Object.keys(identityEvent(EXAMPLE_ME, BASE)));
  expect(Object.values(left).every((value) => value === null)).toBe(true);
});
