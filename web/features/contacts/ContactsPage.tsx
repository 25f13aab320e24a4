import { FileUp, Tags } from 'lucide-react';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { mayDo } from '#contract/roles.ts';
import { ContactList } from '#web/features/contacts/ContactList.tsx';
import { ContactPanel } from '#web/features/contacts/ContactPanel.tsx';
import {
  type ContactsView,
  NO_FILTER,
  readContactsView,
  writeContactsView,
} from '#web/features/contacts/contacts-address.ts';
import { MANAGE } from '#web/features/contacts/segment-words.ts';
import { ContactsCsv } from '#web/features/figures/CsvButtons.tsx';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useCreator } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const ImportScreen = lazyPart(() =>
  import('#web/features/contacts/ImportScreen.tsx').then((code) => code.ImportScreen),
);

const SegmentSheet = lazyPart(() =>
  import('#web/features/contacts/SegmentSheet.tsx').then((code) => code.SegmentSheet),
);
const SegmentsScreen = lazyPart(() =>
  import('#web/features/contacts/SegmentsScreen.tsx').then((code) => code.SegmentsScreen),
);

/** Everybody who came through social; beside the list, or on a phone in its place, one person with all that happened. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const view = readContactsView(params);
  const imported = params.get('import');
  if (imported !== null) {
    return (
      <Suspense fallback={<CenteredSpinner />}>
        <ImportScreen importId={imported} />
      </Suspense>
    );
  }
  const isManaging = params.get('manage') === 'segments';
  const edit = params.get('edit');
  const change = (next: Partial<ContactsView>) => setParams(writeContactsView({ ...view, ...next }), { replace: true });
  const showSegment = (segment: string) => change({ ...NO_FILTER, search: '', contact: null, segment });
  const leaveEditor = () => setParams(isManaging ? { manage: 'segments' } : writeContactsView(view), { replace: true });
  const editor = edit !== null && (
    <Suspense>
      <SegmentSheet
        key={edit}
        edit={edit}
        from={view.segment}
        onShow={showSegment}
        onSaved={({ segment }) => (isManaging ? leaveEditor() : showSegment(segment))}
        onClose={leaveEditor}
      />
    </Suspense>
  );
  if (isManaging) {
    return (
      <Suspense fallback={<CenteredSpinner />}>
        <SegmentsScreen />
        {editor}
      </Suspense>
    );
  }
  const isOpen = view.contact !== null;
  return (
    <div className="flex flex-col lg:h-[calc(100dvh-7.5rem)] lg:min-h-[36rem]">
      <div className={cx(isOpen && 'max-lg:hidden')}>
        <PageHeader
          title="Contacts"
          description="Everyone who commented, wrote to you or saved a recipe: what they got, and what you can do now."
          actions={
            <>
              <ButtonLink variant="secondary" size="small" to="?manage=segments">
                <Tags aria-hidden="true" className="size-4" />
                {MANAGE.link}
              </ButtonLink>
              <ImportButton />
              <ContactsCsv
                query={{
                  ...(view.filter !== null && { filter: view.filter }),
                  ...(view.segment !== null && { segment: view.segment }),
                  ...(view.tag !== null && { tagId: view.tag }),
                }}
              />
            </>
          }
        />
      </div>
      <div className="min-h-0 flex-1 gap-6 lg:grid lg:grid-cols-[20rem_minmax(0,1fr)]">
        <section aria-label="People" className={cx('min-h-0', isOpen && 'max-lg:hidden')}>
          <ContactList view={view} onChange={change} />
        </section>
        {view.contact === null ? (
          <div className="hidden items-center justify-center rounded-lg border border-line border-dashed lg:flex">
            <EmptyState title="“I never got the link”">
              Search their handle to see what likely happened and how to fix it.
            </EmptyState>
          </div>
        ) : (
          <ContactPanel
            key={view.contact}
            contactId={view.contact}
            back={`?${writeContactsView({ ...view, contact: null })}`}
            onGone={() => change({ contact: null })}
          />
        )}
      </div>
      {editor}
    </div>
  );
}

function ImportButton() {
  const { role } = useCreator();
  if (role === null || !mayDo(role, 'import')) return null;
  return (
    <ButtonLink variant="secondary" size="small" to="?import=new">
      <FileUp aria-hidden="true" className="size-4" />
      Import
    </ButtonLink>
  );
}
