import { useState } from 'react';
import { adminGetFlags, adminListCreators, adminSetFlag } from '#contract/admin.ts';
import { FLAG_NAMES, type FlagName } from '#contract/flags.ts';
import {
  type AllFlags,
  choiceOf,
  FLAG_WORDS,
  type FlagChoice,
  flagValue,
  withPicked,
} from '#web/features/admin/flag-choices.ts';
import { FLAGS_PAGE } from '#web/features/admin/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation, useWholeList } from '#web/shell/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select, Switch } from '#web/ui/inputs.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Picked = { creatorId: string; handle: string };

/** Flags switched on for everyone, and where a creator differs. */
export function Component() {
  const flags = useWholeList(adminGetFlags, {});
  return (
    <>
      <PageHeader title={FLAGS_PAGE.flags} description={FLAGS_PAGE.openPagesPickUp} />
      <Loaded
        query={flags}
        loading={FLAGS_PAGE.loadingTheFlags}
        failed={FLAGS_PAGE.couldntLoadTheFlags}
        skeleton={
          <div className="flex flex-col gap-5">
            <Skeleton className="h-56" />
            <Skeleton className="h-40" />
          </div>
        }
      >
        {(data) => <AllOfThem flags={data} />}
      </Loaded>
    </>
  );
}

function AllOfThem({ flags }: { flags: AllFlags }) {
  const [picked, setPicked] = useState<Picked | null>(null);
  const creators = withPicked(flags.items, picked);
  return (
    <div className="flex flex-col gap-5">
      <Everyone everyone={flags.everyone} />
      <Card title={FLAGS_PAGE.oneCreator} description={FLAGS_PAGE.searchForACreator}>
        <PickCreator onPick={setPicked} />
      </Card>
      {creators.length === 0 ? (
        <p className="text-muted">{FLAGS_PAGE.noCreatorsHaveTheir}</p>
      ) : (
        creators.map((creator) => <OneCreator key={creator.creatorId} creator={creator} everyone={flags.everyone} />)
      )}
    </div>
  );
}

function useSetFlag() {
  return useEndpointMutation(adminSetFlag, { successToast: false, pendingUntilRead: [adminGetFlags] });
}

function Everyone({ everyone }: { everyone: AllFlags['everyone'] }) {
  return (
    <Card title={FLAGS_PAGE.everyone}>
      {FLAG_NAMES.map((flag) => (
        <EveryoneSwitch key={flag} flag={flag} on={everyone[flag]} />
      ))}
    </Card>
  );
}

function EveryoneSwitch({ flag, on }: { flag: FlagName; on: boolean }) {
  const set = useSetFlag();
  return (
    <Switch
      label={FLAG_WORDS[flag]}
      hint={<span className="font-mono">{flag}</span>}
      checked={set.isPending ? (set.variables.body.on ?? on) : on}
      onChange={(event) => {
        set.mutate({ body: { flag, creatorId: null, on: event.target.checked } });
      }}
    />
  );
}

function OneCreator({ creator, everyone }: { creator: AllFlags['items'][number]; everyone: AllFlags['everyone'] }) {
  return (
    <Card title={<span className="break-words">@{creator.handle}</span>}>
      <div className="grid gap-4 sm:grid-cols-2">
        {FLAG_NAMES.map((flag) => (
          <CreatorFlag
            key={flag}
            flag={flag}
            creatorId={creator.creatorId}
            choice={choiceOf(creator.flags, flag)}
            everyone={everyone[flag]}
          />
        ))}
      </div>
    </Card>
  );
}

type CreatorFlagProps = { flag: FlagName; creatorId: string; choice: FlagChoice; everyone: boolean };

function CreatorFlag({ flag, creatorId, choice, everyone }: CreatorFlagProps) {
  const set = useSetFlag();
  const choose = (next: FlagChoice) => {
    set.mutate({ body: { flag, creatorId, on: flagValue(next) } });
  };
  return (
    <Field label={FLAG_WORDS[flag]}>
      {(wiring) => (
        <Select
          {...wiring}
          // Not disabled meanwhile: that would take the focus away.
          aria-busy={set.isPending || undefined}
          value={set.isPending ? choiceOf({ [flag]: set.variables.body.on ?? undefined }, flag) : choice}
          onChange={(event) => choose(event.target.value as FlagChoice)}
        >
          <option value="everyone">Same as everyone ({everyone ? 'on' : 'off'})</option>
          <option value="on">{FLAGS_PAGE.on}</option>
          <option value="off">{FLAGS_PAGE.off}</option>
        </Select>
      )}
    </Field>
  );
}

const SHOWN = 5;

function PickCreator({ onPick }: { onPick: (creator: Picked) => void }) {
  const [search, setSearch] = useState('');
  const found = useEndpoint(adminListCreators, { query: { search, limit: SHOWN } }, { enabled: search !== '' });
  const pick = ({ creatorId, handle }: Picked) => {
    onPick({ creatorId, handle });
    setSearch('');
  };
  return (
    <div className="flex flex-col gap-3">
      <SearchField label={FLAGS_PAGE.handleOrAnOwners} search={search} onSearch={setSearch} />
      {search !== '' && (
        <Loaded
          query={found}
          loading={FLAGS_PAGE.searchingCreators}
          failed={FLAGS_PAGE.searchFailed}
          skeleton={<Skeleton className="h-11" />}
        >
          {({ items }) =>
            items.length === 0 ? (
              <p className="text-muted">{FLAGS_PAGE.noCreatorsFound}</p>
            ) : (
              <ul className="flex flex-wrap gap-2">
                {items.map((creator) => (
                  <li key={creator.creatorId}>
                    <Button variant="secondary" size="small" onClick={() => pick(creator)}>
                      @{creator.handle}
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </div>
  );
}
