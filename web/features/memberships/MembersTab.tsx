import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { listMembers, MEMBER_STATES, type Member, type MemberState } from '#contract/members.ts';
import { listTiers } from '#contract/tiers.ts';
import { MembersCsv } from '#web/features/figures/CsvButtons.tsx';
import { GiveDialog } from '#web/features/memberships/GiveDialog.tsx';
import { MemberSheet } from '#web/features/memberships/MemberSheet.tsx';
import { WhyDialog } from '#web/features/memberships/WhyDialog.tsx';
import { MEMBER_TONES, MEMBERS, memberWords, stateLabel } from '#web/features/memberships/words.ts';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const STATES = Object.keys(MEMBER_STATES) as MemberState[];

/** Whom a membership is given to begin with. */
const NO_ONE = { email: '', tierId: '' };

/** Search, filter and the member that is open are in the address. */
export function MembersTab() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const state = STATES.find((one) => one === params.get('only'));
  const tierId = params.get('tier') ?? '';
  const tiers = useEndpoint(listTiers, { params: { creatorId } }).data?.items ?? [];
  const [asking, setAsking] = useState<'give' | 'why' | null>(null);
  const [given, setGiven] = useState(NO_ONE);
  const look = (wanted: Record<string, string>) => {
    const all = {
      tab: 'members',
      search,
      only: state ?? '',
      tier: tierId,
      member: params.get('member') ?? '',
      ...wanted,
    };
    setParams(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')), { replace: true });
  };
  const members = useEndpointPages(
    listMembers,
    {
      params: { creatorId },
      query: { ...(search !== '' && { search }), ...(state && { state }), ...(tierId !== '' && { tierId }) },
    },
    { keepPrevious: true },
  );
  const isEmpty = members.data?.pages[0]?.items.length === 0 && search === '' && state === undefined && tierId === '';
  const give = <Button onClick={() => setAsking('give')}>{MEMBERS.give}</Button>;
  const memberId = params.get('member');
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-end gap-3">
        {!isEmpty && <MembersCsv />}
        <Button variant="secondary" onClick={() => setAsking('why')}>
          {MEMBERS.why}
        </Button>
        {!isEmpty && give}
      </div>
      {!isEmpty && (
        <div className="grid items-end gap-3 sm:grid-flow-col sm:auto-cols-[12rem] sm:grid-cols-[minmax(0,1fr)]">
          <SearchField
            label={MEMBERS.search}
            placeholder={MEMBERS.searchHint}
            maxLength={200}
            search={search}
            onSearch={(wanted) => look({ search: wanted })}
          />
          <Field label={MEMBERS.filter}>
            {(wiring) => (
              <Select {...wiring} value={state ?? ''} onChange={({ target }) => look({ only: target.value })}>
                <option value="">{MEMBERS.all}</option>
                {STATES.map((one) => (
                  <option key={one} value={one}>
                    {MEMBER_STATES[one]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {tiers.length > 1 && (
            <Field label={MEMBERS.tier}>
              {(wiring) => (
                <Select {...wiring} value={tierId} onChange={({ target }) => look({ tier: target.value })}>
                  <option value="">{MEMBERS.allTiers}</option>
                  {tiers.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
        </div>
      )}
      <PagedList
        query={members}
        loading={MEMBERS.loading}
        failed={MEMBERS.failed}
        skeleton={<Skeleton className="h-64" />}
        empty={
          isEmpty ? (
            <Card>
              <EmptyState icon={<UsersRound className="size-7" />} title={MEMBERS.none} action={give}>
                {MEMBERS.noneSays}
              </EmptyState>
            </Card>
          ) : (
            <EmptyState
              title={MEMBERS.notFound}
              action={
                <Button variant="secondary" onClick={() => look({ search: '', only: '', tier: '' })}>
                  {MEMBERS.showAll}
                </Button>
              }
            />
          )
        }
      >
        {(found) => (
          <ul className="rounded-lg border border-line bg-surface px-4 shadow-card">
            {found.map((member) => (
              <Row key={member.id} member={member} onOpen={() => look({ member: member.id })} />
            ))}
          </ul>
        )}
      </PagedList>
      {asking === 'give' && (
        <GiveDialog
          {...given}
          onClose={() => {
            setAsking(null);
            setGiven(NO_ONE);
          }}
        />
      )}
      {asking === 'why' && (
        <WhyDialog
          onClose={() => setAsking(null)}
          onOpen={(id) => {
            setAsking(null);
            look({ member: id });
          }}
          onGive={(email, tierId = '') => {
            setGiven({ email, tierId });
            setAsking('give');
          }}
        />
      )}
      {memberId !== null && <MemberSheet key={memberId} memberId={memberId} onClose={() => look({ member: '' })} />}
    </div>
  );
}

function Row({ member, onOpen }: { member: Member; onOpen: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 last:border-b-0">
      <button type="button" className="group min-h-11 min-w-0 flex-1 basis-56 text-left" onClick={onOpen}>
        <span className="sr-only">{MEMBERS.open}</span>
        <bdi className="block truncate font-medium group-hover:underline">{member.email}</bdi>
        <span className="wrap-anywhere block text-muted text-sm">
          {[member.name, member.tier, memberWords(member)].filter(Boolean).join(' · ')}
        </span>
      </button>
      <Badge tone={MEMBER_TONES[member.state]}>{stateLabel(member)}</Badge>
    </li>
  );
}
