import { useSearchParams } from 'react-router';
import { ConnectionsPanel } from '#web/features/connections/ConnectionsPanel.tsx';
import { AppearancePanel } from '#web/features/settings/AppearancePanel.tsx';
import { PasswordCard } from '#web/features/settings/PasswordCard.tsx';
import { ProfilePanel } from '#web/features/settings/ProfilePanel.tsx';
import { SecondFactorCard } from '#web/features/settings/SecondFactorCard.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

const TABS = [
  { value: 'connections', label: 'Connections' },
  { value: 'profile', label: 'Profile' },
  { value: 'security', label: 'Security' },
  { value: 'appearance', label: 'Appearance' },
];

/** `?tab=` chooses the part; connections come first, where trouble is mended. */
export function Component() {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('tab');
  const tab = TABS.find(({ value }) => value === wanted)?.value ?? 'connections';
  const choose = (value: string) => setSearch({ tab: value }, { replace: true });
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Settings" />
      <Tabs value={tab} onValueChange={choose} label="Settings" tabs={TABS}>
        <TabPanel value="connections">
          <ConnectionsPanel />
        </TabPanel>
        <TabPanel value="profile">
          <ProfilePanel />
        </TabPanel>
        <TabPanel value="security">
          <div className="flex flex-col gap-5">
            <PasswordCard />
            <SecondFactorCard />
          </div>
        </TabPanel>
        <TabPanel value="appearance">
          <AppearancePanel />
        </TabPanel>
      </Tabs>
    </div>
  );
}
