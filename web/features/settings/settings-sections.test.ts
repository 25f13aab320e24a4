import { expect, test } from 'vitest';
import { isOwn, SETTINGS_SECTIONS, sectionOf } from '#web/features/settings/settings-sections.ts';

test('there are seven sections', () => {
  expect(SETTINGS_SECTIONS.map(({ label }) => label)).toEqual([
    'Connections',
    'Profile',
    'Replies & notifications',
    'Team',
    'Integrations',
    'Plan and billing',
    'Privacy & data',
  ]);
});

test('an unknown or missing address opens the connections, where trouble is mended', () => {
  for (const wanted of [null, '', 'nonsense']) {
    expect(sectionOf(wanted)).toMatchObject({ section: { label: 'Connections' }, part: 'connections' });
  }
});

test.each([
  ['connections', 'Connections'],
  ['profile', 'Profile'],
  ['security', 'Profile'],
  ['appearance', 'Profile'],
  ['answering', 'Replies & notifications'],
  ['notifications', 'Replies & notifications'],
  ['team', 'Team'],
  ['other-tools', 'Integrations'],
  ['api-key', 'Integrations'],
  ['plan', 'Plan and billing'],
  ['data', 'Privacy & data'],
  ['visits', 'Privacy & data'],
])('the address ?tab=%s of before opens it within %s', (tab, label) => {
  expect(sectionOf(tab)).toMatchObject({ section: { label }, part: tab });
});

test('the password is the person’s own, the team is the creator’s', () => {
  expect(isOwn('security')).toBe(true);
  expect(isOwn('team')).toBe(false);
});
