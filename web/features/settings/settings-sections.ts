import type { SettingsTab } from '#web/paths.ts';

type Section = {
  label: string;
  /** Its cards; an address (`?tab=`) names one of them. The first stands for the whole. */
  parts: readonly [SettingsTab, ...SettingsTab[]];
};

/** By what people look for, in the order of their list; connections come first, where trouble is mended. */
export const SETTINGS_SECTIONS: readonly Section[] = [
  { label: 'Connections', parts: ['connections'] },
  { label: 'Profile', parts: ['profile', 'security', 'appearance'] },
  { label: 'Replies & notifications', parts: ['answering', 'notifications'] },
  { label: 'Team', parts: ['team'] },
  { label: 'Integrations', parts: ['other-tools', 'api-key'] },
  { label: 'Plan and billing', parts: ['plan'] },
  { label: 'Privacy & data', parts: ['data', 'visits'] },
];

/** Sections of the person who is signed in, whichever creator they work in. */
const OWN: readonly SettingsTab[] = ['profile', 'security', 'notifications'];

export function isOwn(part: SettingsTab): boolean {
  return OWN.includes(part);
}

/** The section and the part of it that `?tab=` names; an unknown one leads to the first. */
export function sectionOf(wanted: string | null): { section: Section; part: SettingsTab } {
  const section = SETTINGS_SECTIONS.find(({ parts }) => parts.some((part) => part === wanted)) ?? SETTINGS_SECTIONS[0]!;
  return { section, part: section.parts.find((part) => part === wanted) ?? section.parts[0] };
}
