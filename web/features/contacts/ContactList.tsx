import { Ban, Hand, Mail, MailCheck, MailX, OctagonX, SlidersHorizontal, UserRound } from 'lucide-react';
import { type KeyboardEvent, memo, useState } from 'react';
import { Link } from 'react-router';
import { listAutomations } from '#contract/automations.ts';
import { type Contact, listContacts } from '#contract/contacts.ts';
import { listSegments } from '#contract/segments.ts';
import { listTags } from '#contract/tags.ts';
import { BulkBar, type Chosen } from '#web/features/contacts/BulkBar.tsx';
import { MOST_CHOSEN } from '#web/features/contacts/bulk.ts';
import { type ContactsView, FILTERS, NO_FILTER, writeContactsView } from '#web/features/contacts/contacts-address.ts';
import { SegmentCount } from '#web/features/contacts/SegmentCount.tsx';
import { SEGMENTS } from '#web/features/contacts/segment-words.ts';
import { BULK, callOf, knownBy, lastWords, TAGS } from '#web/features/contacts/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Select } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Props = { view: ContactsView; onChange: (next: Partial<ContactsView>) => void };

export function ContactList({ view, onChange }: Props) {
  /** Null: nothing is being selected. */
  const [chosen, setChosen] = useState<Chosen | null>(null);
  return (
    <div className="flex h-full flex-col gap-3">
      <search className="flex items-center gap-2 *:first:flex-1">
        <SearchField
          label="Search contacts"
          labelHidden
          placeholder="Handle, name or email"
          maxLength={64}
          search={view.search}
          onSearch={(search) => onChange({ search })}
        />
        <ButtonLink
          to={`?${editSegment(view)}`}
          replace
          variant="secondary"
          size="icon"
          className="shrink-0"
          aria-label={SEGMENTS.conditions}
          title={SEGMENTS.conditions}
        >
          <SlidersHorizontal aria-hidden="true" className="size-5" />
        </ButtonLink>
      </search>
      <div className="flex items-center gap-2">
        <FilterField view={view} onChange={onChange} />
        <Button
          variant="secondary"
          className="shrink-0"
          aria-pressed={chosen !== null}
          onClick={() => setChosen(chosen === null ? new Map() : null)}
        >
          {chosen === null ? BULK.start : BULK.stop}
        </Button>
      </div>
      {view.segment !== null && <InSegment view={view} segment={view.segment} />}
      <Found view={view} onChange={onChange} chosen={chosen} onChoose={setChosen} />
    </div>
  );
}

function editSegment(view: ContactsView, savedId?: string): URLSearchParams {
  const params = writeContactsView(view);
  params.set('edit', savedId ?? 'new');
  return params;
}

function useSavedSegments() {
  const { creatorId } = useCreator();
  return useEndpoint(listSegments, { params: { creatorId } }).data?.items ?? [];
}

function InSegment({ view, segment }: { view: ContactsView; segment: string }) {
  const saved = useSavedSegments().find((one) => one.segment === segment);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
      <SegmentCount segment={segment} />
      <TextLink
        to={`?${editSegment(view, saved?.id)}`}
        replace
        className="inline-flex min-h-11 items-center md:min-h-8"
      >
        {saved === undefined ? SEGMENTS.saveAs : SEGMENTS.edit}
      </TextLink>
    </div>
  );
}

const BY_AUTOMATION = 'automation:';
const BY_TAG = 'tag:';
const BY_SEGMENT = 'segment:';

function FilterField({ view, onChange }: Props) {
  const { creatorId } = useCreator();
  const automations = useWholeList(listAutomations, { params: { creatorId }, query: {} });
  const tags = useEndpoint(listTags, { params: { creatorId } });
  const segments = useSavedSegments();
  const isUnsaved = view.segment !== null && segments.every(({ segment }) => segment !== view.segment);
  const value =
    view.segment !== null
      ? BY_SEGMENT + view.segment
      : view.automation !== null
        ? BY_AUTOMATION + view.automation
        : view.tag !== null
          ? BY_TAG + view.tag
          : (view.filter ?? '');
  const choose = (chosen: string) => {
    if (chosen.startsWith(BY_AUTOMATION)) onChange({ ...NO_FILTER, automation: chosen.slice(BY_AUTOMATION.length) });
    else if (chosen.startsWith(BY_TAG)) onChange({ ...NO_FILTER, tag: chosen.slice(BY_TAG.length) });
    else if (chosen.startsWith(BY_SEGMENT)) onChange({ ...NO_FILTER, segment: chosen.slice(BY_SEGMENT.length) });
    else onChange({ ...NO_FILTER, filter: FILTERS.find((one) => one.value === chosen)?.value ?? null });
  };
  return (
    <Select aria-label="Show" value={value} onChange={(event) => choose(event.target.value)}>
      <option value="">Everyone</option>
      {FILTERS.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
      {(isUnsaved || segments.length > 0) && (
        <optgroup label={SEGMENTS.filter}>
          {isUnsaved && <option value={BY_SEGMENT + view.segment}>{SEGMENTS.unsaved}</option>}
          {segments.map(({ id, name, segment }) => (
            <option key={id} value={BY_SEGMENT + segment}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {automations.data && automations.data.items.length > 0 && (
        <optgroup label="Automation">
          {automations.data.items.map(({ id, name }) => (
            <option key={id} value={BY_AUTOMATION + id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {tags.data && tags.data.items.length > 0 && (
        <optgroup label={TAGS.filter}>
          {tags.data.items.map(({ id, name, count }) => (
            <option key={id} value={BY_TAG + id}>
              {name} ({numerals(count)})
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  );
}

type FoundProps = Props & { chosen: Chosen | null; onChoose: (chosen: Chosen) => void };

function Found({ view, onChange, chosen, onChoose }: FoundProps) {
  const { creatorId } = useCreator();
  const { search, filter, automation, tag, segment } = view;
  const pages = useEndpointPages(
    listContacts,
    {
      params: { creatorId },
      query: {
        ...(search && { search }),
        ...(filter && { filter }),
        ...(automation && { automationId: automation }),
        ...(tag && { tagId: tag }),
        ...(segment && { segment }),
      },
    },
    { keepPrevious: true },
  );
  return (
    <PagedList
      query={pages}
      loading="Loading the contacts"
      failed="Couldn’t load the contacts"
      skeleton={<ListSkeleton />}
      empty={<Nobody view={view} onChange={onChange} />}
      className="-mx-1 min-h-0 flex-1 px-1 pb-2 lg:overflow-y-auto"
    >
      {(people) =>
        chosen === null ? (
          <ul onKeyDown={moveFocus}>
            {people.map((person) => (
              <Row
                key={person.id}
                person={person}
                isOpen={view.contact === person.id}
                search={search}
                filter={filter}
                automation={automation}
                tag={tag}
                segment={segment}
              />
            ))}
          </ul>
        ) : (
          <>
            <div className="sticky top-0 z-10 bg-canvas pb-2">
              <BulkBar shown={people} chosen={chosen} onChange={onChoose} />
            </div>
            <ul>
              {people.map((person) => (
                <ChoiceRow
                  key={person.id}
                  person={person}
                  isChosen={chosen.has(person.id)}
                  isFull={chosen.size >= MOST_CHOSEN}
                  onToggle={() => onChoose(toggled(chosen, person))}
                />
              ))}
            </ul>
          </>
        )
      }
    </PagedList>
  );
}

/** Arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll('a')];
  const at = rows.indexOf(event.target as HTMLAnchorElement);
  const next = rows[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** By itself, so that a page more, or a change of one person, does not draw all the others again. */
const Row = memo(function Row({
  person,
  isOpen,
  ...others
}: { person: Contact; isOpen: boolean } & Omit<ContactsView, 'contact'>) {
  const to = `?${writeContactsView({ ...others, contact: person.id })}`;
  return (
    <li className="[contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <Link
        to={to}
        aria-current={isOpen ? 'true' : undefined}
        className={cx(
          'flex min-h-16 items-center gap-3 rounded-md px-2 py-2 focus-visible:-outline-offset-2',
          isOpen ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <Who person={person} />
      </Link>
    </li>
  );
});

type ChoiceProps = { person: Contact; isChosen: boolean; isFull: boolean; onToggle: () => void };

function ChoiceRow({ person, isChosen, isFull, onToggle }: ChoiceProps) {
  return (
    <li className="[contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <label
        className={cx(
          'flex min-h-16 cursor-pointer items-center gap-3 rounded-md px-2 py-2',
          isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          aria-label={BULK.choose(callOf(person))}
          checked={isChosen}
          disabled={isFull && !isChosen}
          onChange={onToggle}
        />
        <Who person={person} />
      </label>
    </li>
  );
}

function toggled(chosen: Chosen, person: Contact): Chosen {
  const next = new Map(chosen);
  if (!next.delete(person.id)) next.set(person.id, person);
  return next;
}

function Who({ person }: { person: Contact }) {
  const last = person.last && lastWords(person.last);
  return (
    <>
      <Avatar sources={[person.pictureUrl]} name={callOf(person)} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate">
            <bdi className="font-medium">{callOf(person)}</bdi>
            {person.name !== null && person.username !== null && (
              <bdi className="text-muted text-sm"> @{person.username}</bdi>
            )}
          </span>
          <RelativeTime at={person.lastSeenAt} className="shrink-0 text-faint text-xs" />
        </span>
        <span className="flex items-center justify-between gap-2 text-muted text-sm">
          <span className="flex min-w-0">
            {last === null ? (
              <span className="truncate">{knownBy(person)}</span>
            ) : (
              <>
                <bdi className="truncate">{last.words}</bdi>
                <span className="shrink-0 whitespace-pre"> · {last.became}</span>
              </>
            )}
          </span>
          <Marks person={person} />
        </span>
      </span>
    </>
  );
}

function Marks({ person }: { person: Contact }) {
  const marks = [
    person.blockedAt !== null && { label: 'Blocked in Creator HQ', icon: Ban },
    person.stoppedAt !== null && { label: 'Wrote STOP', icon: OctagonX },
    person.takenOver !== null && { label: 'You’re handling this chat', icon: Hand },
    person.email !== null && person.newsletter === 'none' && { label: 'Gave their email', icon: Mail },
    person.newsletter === 'unconfirmed' && { label: 'Newsletter: unconfirmed', icon: Mail },
    person.newsletter === 'confirmed' && { label: 'Newsletter: confirmed', icon: MailCheck },
    (person.newsletter === 'unsubscribed' || person.newsletter === 'bounced' || person.newsletter === 'complained') && {
      label: 'Gets no newsletter',
      icon: MailX,
    },
  ].filter((mark) => mark !== false);
  if (marks.length === 0) return null;
  return (
    <span className="flex shrink-0 gap-1.5">
      {marks.map(({ label, icon: Icon }) => (
        <span key={label} title={label}>
          <Icon aria-hidden="true" className="size-4" />
          <span className="sr-only">{label}</span>
        </span>
      ))}
    </span>
  );
}

function Nobody({ view, onChange }: Props) {
  if (view.search !== '') {
    return (
      <EmptyState
        icon={<UserRound className="size-7" />}
        title={`No contact named ${view.search}`}
        action={
          <Button variant="secondary" onClick={() => onChange({ search: '', ...NO_FILTER })}>
            Show all contacts
          </Button>
        }
      >
        Check the spelling. We can’t see comments from before you connected your account. Ask them to comment your
        keyword again.
      </EmptyState>
    );
  }
  if (view.filter !== null || view.automation !== null || view.tag !== null || view.segment !== null) {
    return (
      <EmptyState
        icon={<UserRound className="size-7" />}
        title="No contacts match this filter"
        action={
          <Button variant="secondary" onClick={() => onChange(NO_FILTER)}>
            Clear filter
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<UserRound className="size-7" />}
      title="No contacts yet"
      action={<ButtonLink to={paths.postsAndReels}>Go to your posts</ButtonLink>}
    >
      Everyone who comments, writes or taps a button shows up here, with what they got.
    </EmptyState>
  );
}

function ListSkeleton() {
  return [1, 2, 3, 4, 5, 6].map((row) => (
    <span key={row} className="flex items-center gap-3 px-2 py-2">
      <Skeleton className="size-10 rounded-full" />
      <span className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-3 w-48" />
      </span>
    </span>
  ));
}
