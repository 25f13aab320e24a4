import { AppWindow, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { APP_LINK_FILTERS, type AppLink, type ListedAppLink, listAppLinks } from '#contract/app-links.ts';
import { AppLinkSheet } from '#web/features/app-links/AppLinkSheet.tsx';
import { OldPostsSheet } from '#web/features/app-links/OldPostsSheet.tsx';
import { APP_LINK_STATES, APP_LINKS, OLD_POSTS } from '#web/features/app-links/words.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** The creator's short links. The search is in the address. */
export function Component() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const filter = APP_LINK_FILTERS.find((one) => one === params.get('only'));
  const look = (wanted: { search?: string; only?: string }) => {
    const found = Object.entries({ search, only: filter ?? '', ...wanted }).filter(([, value]) => value !== '');
    setParams(Object.fromEntries(found), { replace: true });
  };
  const links = useEndpointPages(
    listAppLinks,
    { params: { creatorId }, query: { ...(search !== '' && { search }), ...(filter && { show: filter }) } },
    { keepPrevious: true },
  );
  const [editing, setEditing] = useState<AppLink | 'new' | null>(null);
  const items = links.data?.pages.flatMap((page) => page.items);
  const isEmpty = items?.length === 0 && search === '' && filter === undefined;
  const saved = editing === 'new' ? null : editing;
  const add = (
    <Button onClick={() => setEditing('new')}>
      <Plus aria-hidden="true" className="size-4" />
      {APP_LINKS.add}
    </Button>
  );
  const actions = (
    <>
      <Button variant="secondary" onClick={() => setParams({ show: 'old-posts' })}>
        {OLD_POSTS.open}
      </Button>
      {!isEmpty && add}
    </>
  );
  return (
    <>
      <PageHeader title={APP_LINKS.title} description={APP_LINKS.says} actions={actions} />
      <div className="flex flex-col gap-4">
        {items !== undefined && !isEmpty && (
          <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
            <SearchField
              label={APP_LINKS.search}
              placeholder={APP_LINKS.searchHint}
              maxLength={200}
              search={search}
              onSearch={(wanted) => look({ search: wanted })}
            />
            <Field label={APP_LINKS.filter}>
              {(wiring) => (
                <Select {...wiring} value={filter ?? ''} onChange={({ target }) => look({ only: target.value })}>
                  {Object.entries(APP_LINKS.filters).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
        )}
        <PagedList
          query={links}
          loading={APP_LINKS.loading}
          failed={APP_LINKS.failed}
          skeleton={<Skeleton className="h-64" />}
          empty={
            isEmpty ? (
              <Card>
                <EmptyState icon={<AppWindow className="size-7" />} title={APP_LINKS.none} action={add}>
                  {APP_LINKS.noneSays}
                </EmptyState>
              </Card>
            ) : (
              <EmptyState
                title={search === '' ? APP_LINKS.noneOfThese : APP_LINKS.notFound}
                action={
                  <Button variant="secondary" onClick={() => look({ search: '', only: '' })}>
                    {APP_LINKS.showAll}
                  </Button>
                }
              />
            )
          }
        >
          {(found) => (
            <ul className="rounded-lg border border-line bg-surface px-4 shadow-card">
              {found.map((link) => (
                <Row key={link.id} link={link} onEdit={() => setEditing(link)} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
      {params.get('show') === 'old-posts' && <OldPostsSheet onClose={() => setParams({}, { replace: true })} />}
      {editing !== null && (
        <AppLinkSheet
          key={saved?.id ?? 'new'}
          saved={saved}
          latest={items?.find(({ id }) => id === saved?.id) ?? saved}
          refetch={links.refetch}
          onSaved={setEditing}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

function Row({ link, onEdit }: { link: ListedAppLink; onEdit: () => void }) {
  const state = APP_LINK_STATES[link.state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 last:border-b-0">
      <button type="button" className="group min-h-11 min-w-0 flex-1 basis-56 text-left" onClick={onEdit}>
        <span className="sr-only">{APP_LINKS.edit}</span>
        <bdi className="block truncate font-medium group-hover:underline">{link.name}</bdi>
        <bdi className="block truncate text-muted text-sm">{addressInShort(link.address)}</bdi>
      </button>
      {link.people > 0 && <span className="text-muted text-sm tabular-nums">{APP_LINKS.people(link.people)}</span>}
      {link.sight?.state === 'broken' && <Badge tone="error">{APP_LINKS.broken}</Badge>}
      {state && <Badge tone={state.tone}>{state.label}</Badge>}
      <CopyButton text={link.shortUrl} label={APP_LINKS.copy} />
    </li>
  );
}
