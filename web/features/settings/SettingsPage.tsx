import { type ComponentType, useId } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ConnectionsPanel } from '#web/features/connections/ConnectionsPanel.tsx';
import { OtherToolsPanel } from '#web/features/other-tools/OtherToolsPanel.tsx';
import { AnsweringPanel } from '#web/features/settings/AnsweringPanel.tsx';
import { ApiKeyPanel } from '#web/features/settings/ApiKeyPanel.tsx';
import { AppearancePanel } from '#web/features/settings/AppearancePanel.tsx';
import { DataPanel } from '#web/features/settings/DataPanel.tsx';
import { NotificationsPanel } from '#web/features/settings/NotificationsPanel.tsx';
import { OwnLater } from '#web/features/settings/OwnLater.tsx';
import { PlanPanel } from '#web/features/settings/PlanPanel.tsx';
import { ProfilePanel } from '#web/features/settings/ProfilePanel.tsx';
import { SecurityPanel } from '#web/features/settings/SecurityPanel.tsx';
import { isOwn, SETTINGS_SECTIONS, sectionOf } from '#web/features/settings/settings-sections.ts';
import { VisitsPanel } from '#web/features/settings/VisitsPanel.tsx';
import { SETTINGS_PAGE } from '#web/features/settings/words.ts';
import { TeamPanel } from '#web/features/team/TeamPanel.tsx';
import { type SettingsTab, settingsPath } from '#web/paths.ts';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useCreator } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { Select } from '#web/ui/inputs.tsx';

const PANELS: Record<SettingsTab, ComponentType> = {
  connections: ConnectionsPanel,
  profile: ProfilePanel,
  security: SecurityPanel,
  team: TeamPanel,
  notifications: NotificationsPanel,
  answering: AnsweringPanel,
  'api-key': ApiKeyPanel,
  'other-tools': OtherToolsPanel,
  plan: PlanPanel,
  data: DataPanel,
  visits: VisitsPanel,
  appearance: AppearancePanel,
};

/** `?tab=` chooses the section and what of it is scrolled to, so that one can be sent to somebody. */
export function Component() {
  const [search] = useSearchParams();
  const { section, part } = sectionOf(search.get('tab'));
  return (
    <div className="mx-auto max-w-5xl">
      <PageHeader title={SETTINGS_PAGE.settings} />
      <div className="flex flex-col gap-5 md:flex-row md:gap-8">
        <SectionPicker current={section.parts[0]} />
        <SectionList current={section.parts[0]} />
        <Parts key={part} parts={section.parts} shown={part} />
      </div>
    </div>
  );
}

function Parts({ parts, shown }: { parts: readonly SettingsTab[]; shown: SettingsTab }) {
  const { role } = useCreator();
  const isForeign = (part: SettingsTab) => role === 'admin' && isOwn(part);
  const foreign = parts.find(isForeign);
  const scrollTo = (part: SettingsTab) => (place: HTMLDivElement | null) => {
    if (part === shown && part !== parts[0]) place?.scrollIntoView();
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-5">
      {parts.map((part) => {
        // Support reads once that what is the person's own stays out of reach.
        if (isForeign(part) && part !== foreign) return null;
        const Panel = isForeign(part) ? OwnLater : PANELS[part];
        return (
          <div key={part} ref={scrollTo(part)} className="scroll-mt-20">
            <Panel />
          </div>
        );
      })}
    </div>
  );
}

function SectionList({ current }: { current: SettingsTab }) {
  return (
    <nav aria-label={SETTINGS_PAGE.settings} className="hidden w-48 shrink-0 md:block">
      <ul className="sticky top-20 flex flex-col gap-1">
        {SETTINGS_SECTIONS.map(({ label, parts: [first] }) => (
          <li key={label}>
            <Link
              to={settingsPath(first)}
              replace
              aria-current={first === current ? 'page' : undefined}
              className={cx(
                'flex min-h-9 items-center rounded-md px-3 font-medium',
                first === current ? 'bg-accent-soft text-accent-ink' : 'text-muted hover:bg-sunken hover:text-ink',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Seven entries are too many for a strip of tabs on a phone. */
function SectionPicker({ current }: { current: SettingsTab }) {
  const id = useId();
  const navigate = useNavigate();
  return (
    <div className="md:hidden">
      <label htmlFor={id} className="sr-only">
        {SETTINGS_PAGE.section}
      </label>
      <Select
        id={id}
        value={current}
        onChange={(event) => navigate(settingsPath(sectionOf(event.target.value).part), { replace: true })}
      >
        {SETTINGS_SECTIONS.map(({ label, parts: [first] }) => (
          <option key={label} value={first}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
