import { expect, test } from 'vitest';
import { pluginState } from '#web/features/settings/plugin-state.ts';

test('a key that no site has used yet is not registered', () => {
  expect(pluginState({ pluginVersion: null, expectedPluginVersion: '1.2' })).toMatchObject({
    label: 'Not registered',
    tone: 'warning',
  });
});

test('an older plugin can be updated, and both versions are named', () => {
  const state = pluginState({ pluginVersion: '1.9', expectedPluginVersion: '1.10' });
  expect(state.label).toBe('Update available');
  expect(state.words).toContain('1.9');
  expect(state.words).toContain('1.10');
});

test('a newer plugin than expected is up to date, and so is one when nothing is expected', () => {
  expect(pluginState({ pluginVersion: '1.10', expectedPluginVersion: '1.9' }).label).toBe('Up to date');
  expect(pluginState({ pluginVersion: '1.0', expectedPluginVersion: null }).label).toBe('Up to date');
});
