import { Users } from 'lucide-react';
import { useState } from 'react';
import { adminListCreators } from '#contract/admin.ts';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { CreatorCard } from '#web/features/admin/CreatorCard.tsx';
import type { AdminCreator } from '#web/features/admin/creator-words.ts';
import { EnterDialog } from '#web/features/admin/EnterDialog.tsx';
import { useFilters } from '#web/features/admin/filters.ts';
import { GrantPlanDialog } from '#web/features/admin/GrantPlanDialog.tsx';
import { OwnAccountDialog } from '#web/features/admin/OwnAccountDialog.tsx';
import { CREATORS_PAGE } from '#web/features/admin/words.ts';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Trouble = 'connection' | 'queue';

/** `?search=` and `?trouble=connection|queue` say which creators are listed. */
export function Component() {
  const filters = useFilters();
  const search = filters.get('search');
  const trouble = troubleOf(filters.get('trouble'));
  const [entering, setEntering] = useState<AdminCreator | null>(null);
  const [granting, setGranting] = useState<AdminCreator | null>(null);
  const [owning, setOwning] = useState<AdminCreator | null>(null);
  const creators = useEndpointPages(
    adminListCreators,
    { query: { ...(search && { search }), ...(trouble && { trouble }) } },
    { keepPrevious: true },
  );
  return (
    <>
      <PageHeader title={CREATORS_PAGE.creators} />
      <div className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-[1fr_16rem]">
          <SearchField
            label={CREATORS_PAGE.handleOrAnOwners}
            search={search}
            onSearch={(next) => filters.set('search', next)}
          />
          <Field label={CREATORS_PAGE.problems}>
            {(wiring) => (
              <Select
                {...wiring}
                value={trouble ?? ''}
                onChange={(event) => filters.set('trouble', event.target.value)}
              >
                <option value="">{CREATORS_PAGE.allCreators}</option>
                <option value="connection">{CREATORS_PAGE.connectionProblems}</option>
                <option value="queue">{CREATORS_PAGE.waitingMessages}</option>
              </Select>
            )}
          </Field>
        </div>
        <AdminList
          query={creators}
          what="creators"
          keyOf={({ creatorId }) => creatorId}
          empty={
            <EmptyState icon={<Users className="size-7" />} title={CREATORS_PAGE.noCreatorsFound}>
              {trouble ? CREATORS_PAGE.noneOfTheMatching : CREATORS_PAGE.checkTheSpellingOr}
            </EmptyState>
          }
        >
          {(creator) => (
            <CreatorCard
              creator={creator}
              onEnter={() => setEntering(creator)}
              onGrant={() => setGranting(creator)}
              onOwnAccount={() => setOwning(creator)}
            />
          )}
        </AdminList>
      </div>
      {entering && <EnterDialog creator={entering} onClose={() => setEntering(null)} />}
      {owning && <OwnAccountDialog creator={owning} onClose={() => setOwning(null)} />}
      {granting && <GrantPlanDialog creator={granting} onClose={() => setGranting(null)} />}
    </>
  );
}

function troubleOf(value: string): Trouble | undefined {
  return value === 'connection' || value === 'queue' ? value : undefined;
}
