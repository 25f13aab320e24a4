import type { SettingsTab } from '#web/paths.ts';

/** Parts of the settings in the order of their list; connections come first, where trouble is mended. */
export const SETTINGS_SECTIONS: { value: SettingsTab; label: string }[] = [
  { value: 'connections', label: 'Connections' },
  { value: 'profile', label: 'Profile' },
  { value: 'security', label: 'Security' },
  { value: 'team', label: 'Team' },
  { value: 'notifications', label: 'Notifications' },
  { value: 'answering', label: 'When you reply' },
  { value: 'api-key', label: 'API key' },
  { value: 'other-tools', label: 'Integrations' },
  { value: 'plan', label: 'Plan and billing' },
  { value: 'data', label: 'Data' },
  { value: 'visits', label: 'Support visits' },
  { value: 'appearance', label: 'Appearance' },
];

/** What belongs to the person who is signed in, whichever creator she works in. */
const OWN: readonly SettingsTab[] = ['profile', 'security', 'notifications'];

export function isOwn(section: SettingsTab): boolean {
  return OWN.includes(section);
}

/** The part that `?tab=` names; an unknown one leads to the first. */
export function sectionOf(wanted: string | null): SettingsTab {
  return SETTINGS_SECTIONS.find(({ value }) => value === wanted)?.value ?? 'connections';
}
