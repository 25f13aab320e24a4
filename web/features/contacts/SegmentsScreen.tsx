import { ArrowLeft, Pencil, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { getContact, listContacts } from '#contract/contacts.ts';
import { createSegment, deleteSegment, listSegments, readSegment, type SavedSegment } from '#contract/segments.ts';
import { deleteTag, listTags, renameTag, TAG_LETTERS, type Tag } from '#contract/tags.ts';
import { SegmentCount } from '#web/features/contacts/SegmentCount.tsx';
import { MANAGE, READY_MADE, SEGMENTS, segmentWords } from '#web/features/contacts/segment-words.ts';
import { useSegmentChoices } from '#web/features/contacts/use-segment-choices.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TEXT_LINK, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Everything a creator saved to find contacts again. */
export function SegmentsScreen() {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div>
        <TextLink to={paths.contacts} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
          <ArrowLeft aria-hidden="true" className="size-4" />
          {MANAGE.back}
        </TextLink>
        <PageHeader title={MANAGE.title} description={MANAGE.description} />
      </div>
      <Segments />
      <Tags />
    </div>
  );
}

const editPath = (edit: string, segment?: string) =>
  `?${new URLSearchParams({ manage: 'segments', edit, ...(segment !== undefined && { segment }) })}`;
const showPath = (filter: Record<string, string>) => `${paths.contacts}?${new URLSearchParams(filter)}`;

function Segments() {
  const { creatorId } = useCreator();
  const choices = useSegmentChoices();
  const [removed, setRemoved] = useState<SavedSegment | null>(null);
  const segments = useEndpoint(listSegments, { params: { creatorId } });
  const remove = useEndpointMutation(deleteSegment, {
    successToast: false,
    refreshes: [listSegments],
    onSuccess: (_, { params: { segmentId } }) =>
      setRemoved(segments.data?.items.find(({ id }) => id === segmentId) ?? null),
  });
  const restore = useEndpointMutation(createSegment, {
    successToast: { title: MANAGE.restored },
    refreshes: [listSegments],
    onSuccess: () => setRemoved(null),
  });
  return (
    <Card
      title={MANAGE.segments}
      description={MANAGE.segmentsSay}
      aside={
        <ButtonLink to={editPath('new')} variant="secondary" size="small">
          <Plus aria-hidden="true" className="size-4" />
          {MANAGE.newSegment}
        </ButtonLink>
      }
    >
      <div
        role="status"
        className="mb-3 flex flex-wrap items-center justify-between gap-2 rounded-md bg-sunken p-2 text-sm empty:hidden"
      >
        {removed && (
          <>
            <p className="min-w-0 flex-1">{MANAGE.removed(removed.name)}</p>
            <Button
              variant="secondary"
              size="small"
              busy={restore.isPending}
              onClick={() =>
                restore.mutate({ params: { creatorId }, body: { name: removed.name, segment: removed.segment } })
              }
            >
              {MANAGE.undo}
            </Button>
          </>
        )}
      </div>
      <Loaded
        query={segments}
        loading={MANAGE.loadingSegments}
        failed={SEGMENTS.failed}
        skeleton={<Skeleton className="h-24" />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <ReadyMade />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map(({ id, name, segment }) => {
                const read = readSegment(segment);
                return (
                  <li key={id} className="py-2 first:pt-0 last:pb-0">
                    <div className="flex items-center">
                      <span className="min-w-0 flex-1">
                        <Link to={showPath({ segment })} className={TEXT_LINK}>
                          <bdi className="break-words">{name}</bdi>
                        </Link>
                      </span>
                      <ButtonLink to={editPath(id)} variant="quiet" size="icon" aria-label={`${MANAGE.edit} ${name}`}>
                        <Pencil aria-hidden="true" className="size-4" />
                      </ButtonLink>
                      <IconButton
                        label={`${MANAGE.remove} ${name}`}
                        busy={remove.isPending && remove.variables.params.segmentId === id}
                        onClick={() => remove.mutate({ params: { creatorId, segmentId: id } })}
                      >
                        <Trash2 aria-hidden="true" className="size-4" />
                      </IconButton>
                    </div>
                    <SegmentCount segment={segment} className="text-sm" />
                    {read && choices && <p className="break-words text-muted text-sm">{segmentWords(read, choices)}</p>}
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function ReadyMade() {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">{MANAGE.noSegments}</p>
      <div className="flex flex-wrap gap-2">
        {READY_MADE.map(({ name, segment }) => (
          <ButtonLink key={name} to={editPath('new', segment)} variant="secondary" size="small">
            {name}
          </ButtonLink>
        ))}
      </div>
    </div>
  );
}

function Tags() {
  const { creatorId } = useCreator();
  const tags = useEndpoint(listTags, { params: { creatorId } });
  const [renaming, setRenaming] = useState<Tag | null>(null);
  const [removing, setRemoving] = useState<Tag | null>(null);
  return (
    <Card title={MANAGE.tags} description={MANAGE.tagsSay}>
      <Loaded
        query={tags}
        loading={MANAGE.loadingTags}
        failed={MANAGE.failedTags}
        skeleton={<Skeleton className="h-24" />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted">{MANAGE.noTags}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map((tag) => (
                <li key={tag.id} className="flex items-center py-1.5 first:pt-0 last:pb-0">
                  <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
                    <Link to={showPath({ tag: tag.id })} className={TEXT_LINK}>
                      <bdi className="break-words">{tag.name}</bdi>
                    </Link>
                    <span className="text-muted text-sm">{MANAGE.contacts(tag.count)}</span>
                  </div>
                  <IconButton label={`${MANAGE.rename} ${tag.name}`} onClick={() => setRenaming(tag)}>
                    <Pencil aria-hidden="true" className="size-4" />
                  </IconButton>
                  <IconButton label={`${MANAGE.remove} ${tag.name}`} onClick={() => setRemoving(tag)}>
                    <Trash2 aria-hidden="true" className="size-4" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {renaming && <RenameTag tag={renaming} onClose={() => setRenaming(null)} />}
      {removing && <RemoveTag tag={removing} onClose={() => setRemoving(null)} />}
    </Card>
  );
}

type TagProps = { tag: Tag; onClose: () => void };

function RenameTag({ tag, onClose }: TagProps) {
  const { creatorId } = useCreator();
  const [name, setName] = useState(tag.name);
  const [problem, setProblem] = useState<string | null>(null);
  const rename = useEndpointMutation(renameTag, {
    successToast: false,
    errorToast: false,
    refreshes: [listTags, listContacts, getContact],
    onSuccess: onClose,
    onError: (error) => setProblem(error.fields[0]?.message ?? error.detail),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ params: { creatorId, tagId: tag.id }, body: { name } });
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={MANAGE.renameTitle(tag.name)}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label={MANAGE.tagName} error={problem ?? undefined}>
          {(wiring) => (
            <Input
              {...wiring}
              maxLength={TAG_LETTERS}
              autoComplete="off"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(null);
              }}
            />
          )}
        </Field>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onClose}>
            {MANAGE.cancel}
          </Button>
          <Button type="submit" variant="primary" busy={rename.isPending}>
            {MANAGE.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RemoveTag({ tag, onClose }: TagProps) {
  const { creatorId } = useCreator();
  const remove = useEndpointMutation(deleteTag, {
    successToast: { title: MANAGE.tagRemoved },
    refreshes: [listTags, listContacts, getContact],
    onSuccess: onClose,
  });
  return (
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={MANAGE.removeTag(tag.name)}
      description={MANAGE.removeTagSays(tag.count)}
      keep={MANAGE.keep}
      act={MANAGE.remove}
      danger
      busy={remove.isPending}
      onAct={() => remove.mutate({ params: { creatorId, tagId: tag.id } })}
    />
  );
}
