import { ChevronDown, ChevronUp, CircleCheck } from 'lucide-react';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isWaiting } from '#contract/ingredients/corrected.ts';
import { linesToCheck } from '#contract/recipes.ts';
import { Legend } from '#web/features/recipes/ingredients/ColoredLine.tsx';
import { LineRow, lineButtonId } from '#web/features/recipes/ingredients/LineRow.tsx';
import { check, moveLine, nameGroup } from '#web/features/recipes/ingredients/line-edits.ts';
import type { ReadLine } from '#web/features/recipes/ingredients/readings.ts';
import type { IngredientsState } from '#web/features/recipes/ingredients/use-ingredients.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Input } from '#web/ui/inputs.tsx';

type Props = { reads: ReadLine[]; editor: Pick<IngredientsState, 'edit'>; announce: (words: string) => void };

/** The lines of a recipe. Keys: ↑ ↓ to another line, Enter to edit it, Esc back, Alt+↑ ↓ to move it. */
export function LineList({ reads, editor, announce }: Props) {
  const [openId, setOpenId] = useState<string | null>(null);
  const { edit } = editor;
  const open = useCallback((id: string | null) => {
    flushSync(() => setOpenId(id));
  }, []);
  const ids = reads.map(({ line }) => line.id);
  const goTo = (id: string | undefined) => {
    const button = id === undefined ? null : document.getElementById(lineButtonId(id));
    button?.focus();
    button?.scrollIntoView({ block: 'nearest' });
  };
  const move = useCallback(
    (id: string, by: -1 | 1) => {
      const focused = document.activeElement;
      flushSync(() => edit((content) => moveLine(content, id, by)));
      // A line that moves in the document loses the focus.
      if (focused instanceof HTMLElement) focused.focus();
      announce(by < 0 ? 'Moved up' : 'Moved down');
    },
    [edit, announce],
  );
  const edits = useMemo(() => {
    const openAndReturn = (id: string | null) => {
      const line = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-line]');
      open(id);
      if (id === null) line?.focus();
    };
    return { edit, open: openAndReturn, move, announce };
  }, [edit, open, move, announce]);

  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const { currentTarget, key, altKey, ctrlKey, metaKey } = event;
    const target = event.target as HTMLElement;
    // Keys of a menu come from elsewhere in the document.
    if (!currentTarget.contains(target) || ctrlKey || metaKey) return;
    const id = target.closest('li')?.querySelector<HTMLElement>('[data-line]')?.dataset.line;
    if (id === undefined) return;
    const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null;
    if (by !== null && altKey) {
      event.preventDefault();
      move(id, by);
    } else if (by !== null && target.dataset.line !== undefined) {
      event.preventDefault();
      goTo(ids[ids.indexOf(id) + by]);
    } else if (key === 'Escape' && openId !== null) {
      event.preventDefault();
      open(null);
      goTo(id);
    }
  };
  return (
    <section aria-label="Lines" className="flex flex-col gap-3">
      <ToCheck
        reads={reads}
        openId={openId}
        onOpen={(id) => [open(id), goTo(id)]}
        editor={editor}
        announce={announce}
      />
      <Legend />
      <ol onKeyDown={onKey} aria-label="Ingredients" className="rounded-md border border-line">
        {reads.map((read, at) => (
          <Group key={read.line.id} read={read} before={reads[at - 1]} editor={editor}>
            <LineRow read={read} isOpen={openId === read.line.id} edits={edits} />
          </Group>
        ))}
      </ol>
    </section>
  );
}

type GroupProps = {
  read: ReadLine;
  before: ReadLine | undefined;
  editor: Props['editor'];
  children: React.ReactNode;
};

/** A line, under its group's heading where it is the first of it. */
function Group({ read: { line }, before, editor, children }: GroupProps) {
  const begins = line.group !== (before?.line.group ?? '');
  return (
    <>
      {begins && (
        <li className="border-line border-b bg-sunken px-3 py-2">
          <Input
            aria-label="Name of the group"
            className="font-semibold"
            maxLength={100}
            placeholder="No group"
            value={line.group}
            onChange={({ target }) =>
              editor.edit((content) => nameGroup(content, line.id, target.value), `group ${line.id}`)
            }
          />
        </li>
      )}
      {children}
    </>
  );
}

type ToCheckProps = Props & { openId: string | null; onOpen: (id: string) => void };

/** How many lines wait for the creator, with the way through them. */
function ToCheck({ reads, openId, onOpen, editor, announce }: ToCheckProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const waiting = reads.flatMap(({ line, state }, at) =>
    state === 'to_check' || isWaiting(line) ? [{ id: line.id, at, isUnsure: state === 'to_check' }] : [],
  );
  if (waiting.length === 0) {
    return (
      <p ref={place} tabIndex={-1} className="flex">
        <Badge tone="accent" icon={<CircleCheck aria-hidden="true" className="size-4" />}>
          Every line is ready
        </Badge>
      </p>
    );
  }
  const here = reads.findIndex(({ line }) => line.id === openId);
  const next = waiting.find(({ at }) => at > here) ?? waiting[0]!;
  const previous = waiting.findLast(({ at }) => at < here) ?? waiting.at(-1)!;
  const unsure = waiting.filter(({ isUnsure }) => isUnsure);
  const confirmAll = () => {
    const ids = unsure.map(({ id }) => id);
    flushSync(() => editor.edit((content) => check(content, ids)));
    place.current?.focus();
    announce(`${unsure.length} confirmed`);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone="warning">{linesToCheck(waiting.length)}</Badge>
      <IconButton label="Previous line to check" onClick={() => onOpen(previous.id)}>
        <ChevronUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Next line to check" onClick={() => onOpen(next.id)}>
        <ChevronDown aria-hidden="true" className="size-4" />
      </IconButton>
      {unsure.length > 0 && (
        <Button size="small" variant="secondary" onClick={confirmAll}>
          Confirm all
        </Button>
      )}
    </div>
  );
}
