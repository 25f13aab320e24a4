import { useSearchParams } from 'react-router';
import { ContactList } from '#web/features/contacts/ContactList.tsx';
import { ContactPanel } from '#web/features/contacts/ContactPanel.tsx';
import { type ContactsView, readContactsView, writeContactsView } from '#web/features/contacts/contacts-address.ts';
import { ContactsCsv } from '#web/features/figures/CsvButtons.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';

/** Everybody who came through social; beside the list, or on a phone in its place, one person with all that happened. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const view = readContactsView(params);
  const change = (next: Partial<ContactsView>) => setParams(writeContactsView({ ...view, ...next }), { replace: true });
  const isOpen = view.contact !== null;
  return (
    <div className="flex flex-col lg:h-[calc(100dvh-7.5rem)] lg:min-h-[36rem]">
      <div className={cx(isOpen && 'max-lg:hidden')}>
        <PageHeader
          title="Contacts"
          description="Everyone who commented, wrote to you or saved a recipe: what they got, and what you can do now."
          actions={<ContactsCsv filter={view.filter} />}
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
    </div>
  );
}
