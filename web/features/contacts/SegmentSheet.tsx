import { Plus, X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import {
  type Condition,
  type ConditionGroup,
  changeSegment,
  createSegment,
  listSegments,
  MOST_CONDITIONS,
  namesSavers,
  readSegment,
  type SavedSegment,
  type Segment,
  type SegmentField,
  writeSegment,
} from '#contract/segments.ts';
import { SegmentCount } from '#web/features/contacts/SegmentCount.tsx';
import {
  addCondition,
  addGroup,
  blankSegment,
  changeCondition,
  changeGroupMatch,
  isComplete,
  isFull,
  isWhole,
  readGroupMatch,
  removeCondition,
} from '#web/features/contacts/segment-edits.ts';
import {
  type Choices,
  FIELD_WORDS,
  FIELDS,
  GROUP_MATCH,
  type GroupMatch,
  READY_MADE,
  SEGMENTS,
} from '#web/features/contacts/segment-words.ts';
import { useSegmentChoices } from '#web/features/contacts/use-segment-choices.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Field, FieldError } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Props = {
  /** `new`, or the id of a saved one. */
  edit: string;
  /** What a new one begins with. */
  from: string | null;
  /** Shows the contacts who match, whether it is saved or not. */
  onShow: (segment: string) => void;
  onSaved: (saved: SavedSegment) => void;
  onClose: () => void;
};

/** Conditions put together, with how many match them; saved under a name or only looked at. */
export function SegmentSheet({ edit, from, onShow, onSaved, onClose }: Props) {
  const { creatorId } = useCreator();
  const segments = useEndpoint(listSegments, { params: { creatorId } }, { enabled: edit !== 'new' });
  const close = (then: () => void) => {
    dropDraft(draftKeyOf(edit));
    then();
  };
  const sheet = {
    onShow: (text: string) => close(() => onShow(text)),
    onSaved: (one: SavedSegment) => close(() => onSaved(one)),
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && close(onClose)}
      title={edit === 'new' ? SEGMENTS.title : SEGMENTS.editTitle}
      description={SEGMENTS.says}
    >
      {edit === 'new' ? (
        <Editor edit={edit} saved={null} from={from} {...sheet} />
      ) : (
        <Loaded
          query={segments}
          loading={SEGMENTS.loading}
          failed={SEGMENTS.failed}
          skeleton={<Skeleton className="h-64" />}
        >
          {({ items }) => {
            const saved = items.find(({ id }) => id === edit);
            if (saved === undefined) return <EmptyState title={SEGMENTS.notFound}>{SEGMENTS.notFoundSays}</EmptyState>;
            return <Editor edit={edit} saved={saved} from={saved.segment} {...sheet} />;
          }}
        </Loaded>
      )}
    </Sheet>
  );
}

function draftKeyOf(edit: string): string {
  return `segment:${edit}`;
}

type Draft = { name: string; segment: Segment };

type EditorProps = Pick<Props, 'edit' | 'from' | 'onShow' | 'onSaved'> & { saved: SavedSegment | null };

function Editor({ edit, saved, from, onShow, onSaved }: EditorProps) {
  const { creatorId } = useCreator();
  const choices = useSegmentChoices();
  const [draft, setDraft] = useState<Draft>(() => ({
    name: saved?.name ?? '',
    segment: readSegment(from ?? '') ?? blankSegment(),
    ...readDraft<Draft>(draftKeyOf(edit)),
  }));
  const [problem, setProblem] = useState<string | null>(null);
  const { name, segment } = draft;
  const change = (next: Partial<Draft>) => {
    const changed = { ...draft, ...next };
    setDraft(changed);
    setProblem(null);
    keepDraft(draftKeyOf(edit), changed);
  };
  const saving = {
    successToast: { title: SEGMENTS.saved },
    errorToast: false,
    refreshes: [listSegments],
    onSuccess: onSaved,
    onError: (error: ApiError) => setProblem(error.fields[0]?.message ?? error.detail),
  };
  const create = useEndpointMutation(createSegment, saving);
  const update = useEndpointMutation(changeSegment, saving);
  const whole = isWhole(segment);
  const isNew = saved === null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setProblem(SEGMENTS.noName);
    if (!whole) return setProblem(SEGMENTS.incomplete);
    const body = { name, segment: writeSegment(segment) };
    if (isNew) create.mutate({ params: { creatorId }, body });
    else update.mutate({ params: { creatorId, segmentId: saved.id }, body });
  };
  const isUntouched =
    isNew && segment.groups.length === 1 && segment.groups[0]?.conditions.every((one) => one.value === '');
  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={save}>
      {isUntouched && (
        <section aria-label={SEGMENTS.start} className="flex flex-col gap-2">
          <h3 className="font-medium text-sm">{SEGMENTS.start}</h3>
          <div className="flex flex-wrap gap-2">
            {READY_MADE.map((one) => (
              <Button
                key={one.name}
                variant="secondary"
                size="small"
                onClick={() => change({ name: one.name, segment: readSegment(one.segment) ?? segment })}
              >
                {one.name}
              </Button>
            ))}
          </div>
        </section>
      )}
      <Conditions segment={segment} choices={choices} onChange={(next) => change({ segment: next })} />
      <div className="flex flex-col gap-1 rounded-md bg-sunken p-3">
        {whole ? (
          <SegmentCount segment={writeSegment(segment)} className="font-medium" />
        ) : (
          <p>{SEGMENTS.incomplete}</p>
        )}
        {whole && !namesSavers(segment) && <p className="text-muted text-sm">{SEGMENTS.savers}</p>}
        <Button
          variant="secondary"
          size="small"
          className="mt-1 self-start"
          disabled={!whole}
          onClick={() => onShow(writeSegment(segment))}
        >
          {SEGMENTS.show}
        </Button>
      </div>
      <Field label={SEGMENTS.name} hint={SEGMENTS.nameHint} error={problem ?? undefined}>
        {(wiring) => (
          <Input
            {...wiring}
            maxLength={60}
            autoComplete="off"
            value={name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={create.isPending || update.isPending} className="self-start">
        {isNew ? SEGMENTS.save : SEGMENTS.saveChanges}
      </Button>
    </form>
  );
}

type ConditionsProps = { segment: Segment; choices: Choices | null; onChange: (segment: Segment) => void };

function Conditions({ segment, choices, onChange }: ConditionsProps) {
  const matchId = useId();
  return (
    <div className="flex flex-col gap-3">
      {segment.groups.length > 1 && (
        <div className="flex items-center gap-2">
          <label htmlFor={matchId} className="shrink-0 font-medium text-sm">
            {SEGMENTS.match}
          </label>
          <Select
            id={matchId}
            className="max-w-48"
            value={segment.match}
            onChange={(event) => onChange({ ...segment, match: event.target.value === 'any' ? 'any' : 'all' })}
          >
            {Object.entries(SEGMENTS.matchGroups).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
      )}
      {segment.groups.map((group, at) => (
        // Groups have no name but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: all they hold is in the segment
        <Group key={at} group={group} at={at} segment={segment} choices={choices} onChange={onChange} />
      ))}
      {isFull(segment) ? (
        <p className="text-muted text-sm">{SEGMENTS.full(MOST_CONDITIONS)}</p>
      ) : (
        <Button variant="quiet" size="small" className="self-start" onClick={() => onChange(addGroup(segment))}>
          <Plus aria-hidden="true" className="size-4" />
          {SEGMENTS.addGroup}
        </Button>
      )}
    </div>
  );
}

type GroupProps = ConditionsProps & { group: ConditionGroup; at: number };

function Group({ group, at, segment, choices, onChange }: GroupProps) {
  const matchId = useId();
  const { conditions } = group;
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <legend className={segment.groups.length > 1 ? 'px-1 font-medium text-sm' : 'sr-only'}>
        {SEGMENTS.group(at)}
      </legend>
      <div className="flex items-center gap-2">
        <label htmlFor={matchId} className="shrink-0 font-medium text-sm">
          {SEGMENTS.match}
        </label>
        <Select
          id={matchId}
          className="max-w-48"
          value={readGroupMatch(group)}
          onChange={(event) => onChange(changeGroupMatch(segment, at, event.target.value as GroupMatch))}
        >
          {Object.entries(GROUP_MATCH).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <ul className="flex flex-col gap-3">
        {conditions.map((condition, conditionAt) => (
          <OneCondition
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={conditionAt}
            condition={condition}
            at={conditionAt}
            choices={choices}
            onChange={(change) => onChange(changeCondition(segment, at, conditionAt, change))}
            onRemove={() => onChange(removeCondition(segment, at, conditionAt))}
          />
        ))}
      </ul>
      {!isFull(segment) && (
        <Button variant="quiet" size="small" className="self-start" onClick={() => onChange(addCondition(segment, at))}>
          <Plus aria-hidden="true" className="size-4" />
          {SEGMENTS.addCondition}
        </Button>
      )}
    </fieldset>
  );
}

type ConditionProps = {
  condition: Condition;
  at: number;
  choices: Choices | null;
  onChange: (change: Partial<Condition>) => void;
  onRemove: () => void;
};

function OneCondition({ condition, at, choices, onChange, onRemove }: ConditionProps) {
  const { field, negated } = condition;
  const words = FIELD_WORDS[field];
  return (
    <li className="border-line border-b pb-3 last:border-b-0 last:pb-0">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset of the group is read out twice */}
      <div role="group" aria-label={SEGMENTS.condition(at)} className="grid grid-cols-[1fr_auto] gap-2">
        <Select
          aria-label={SEGMENTS.field}
          value={field}
          onChange={(event) => onChange({ field: event.target.value as SegmentField })}
        >
          {FIELDS.map((one) => (
            <option key={one} value={one}>
              {FIELD_WORDS[one].label}
            </option>
          ))}
        </Select>
        <IconButton label={SEGMENTS.removeCondition(at)} onClick={onRemove}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
        <div className="col-span-2 grid grid-cols-[minmax(7.5rem,2fr)_3fr] gap-2">
          <Select
            aria-label={SEGMENTS.operator}
            value={negated ? 'not' : 'is'}
            onChange={(event) => onChange({ negated: event.target.value === 'not' })}
          >
            <option value="is">{words.is}</option>
            <option value="not">{words.isNot}</option>
          </Select>
          <Value condition={condition} choices={choices} onChange={(value) => onChange({ value })} />
        </div>
      </div>
    </li>
  );
}

type ValueProps = { condition: Condition; choices: Choices | null; onChange: (value: string) => void };

const CHOSEN = new Set<SegmentField>(['status', 'tag', 'source', 'form', 'site', 'follows', 'language']);

function Value({ condition, choices, onChange }: ValueProps) {
  const { field, value } = condition;
  const problemId = useId();
  const [left, setLeft] = useState(false);
  if (CHOSEN.has(field)) {
    const of = choices?.[field] ?? [];
    const isGone = value !== '' && choices !== null && !of.some((one) => one.value === value);
    return (
      <Select aria-label={SEGMENTS.value} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="" disabled>
          {choices !== null && of.length === 0 ? SEGMENTS.nothingToChoose : SEGMENTS.choose}
        </option>
        {(isGone || choices === null) && value !== '' && <option value={value}>{isGone ? SEGMENTS.gone : '…'}</option>}
        {of.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </Select>
    );
  }
  const { unit, example } = FIELD_WORDS[field];
  const isAddress = field === 'saved_page';
  const isBad = left && value !== '' && !isComplete(condition);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <Input
          aria-label={unit === undefined ? SEGMENTS.value : `${SEGMENTS.value} (${unit})`}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? problemId : undefined}
          {...(isAddress ? { type: 'url' } : { inputMode: 'numeric' as const, maxLength: 4 })}
          autoComplete="off"
          placeholder={example}
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
          onBlur={() => setLeft(true)}
        />
        {unit}
      </div>
      {isBad && (
        <FieldError id={problemId}>{isAddress ? SEGMENTS.badValue.address : SEGMENTS.badValue.number}</FieldError>
      )}
    </div>
  );
}
