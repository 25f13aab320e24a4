import { ArrowDown, ArrowUp, Check, Ellipsis, Trash2 } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { readingWords } from '#contract/ingredients/reading-words.ts';
import type { IngredientsInput } from '#contract/recipe-ingredients.ts';
import { AmountField, UnitField } from '#web/features/recipes/ingredients/AmountFields.tsx';
import type { LineEdits } from '#web/features/recipes/ingredients/line-edits.ts';
import * as lines from '#web/features/recipes/ingredients/line-edits.ts';
import { RemarkFields } from '#web/features/recipes/ingredients/RemarkFields.tsx';
import { choicesOf, correction, type ReadLine } from '#web/features/recipes/ingredients/readings.ts';
import { WordOffer } from '#web/features/recipes/ingredients/WordOffer.tsx';
import { doubtWords, restWords } from '#web/features/recipes/ingredients/words.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/DropdownMenu.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Input, Textarea } from '#web/ui/inputs.tsx';

type Props = { read: ReadLine; edits: LineEdits };

/** What can be corrected of one line. */
export function LineFields({ read, edits }: Props) {
  const { line, reading, state } = read;
  const { id } = line;
  const text = useRef<HTMLTextAreaElement>(null);
  const isIngredient = reading.kind === 'ingredient';
  const rest = restWords(reading);
  return (
    <div className="flex flex-col gap-3 px-3 pt-1 pb-3">
      {line.pageSays !== undefined && <PageSays line={line} pageSays={line.pageSays} edits={edits} />}
      {state === 'to_check' && <Doubts read={read} edits={edits} />}
      <Field label="Line as written">
        {(wiring) => (
          <Textarea
            {...wiring}
            ref={text}
            rows={2}
            maxLength={500}
            value={line.text}
            onChange={({ target }) =>
              edits.edit((content) => lines.setText(content, id, target.value.replace(/[\r\n]+/g, ' ')), `text ${id}`)
            }
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              edits.open(null);
            }}
            onPaste={(event) => pasteLines(event, read, edits)}
          />
        )}
      </Field>
      {isIngredient && (
        <>
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_2fr]">
            <AmountField read={read} edits={edits} />
            <UnitField read={read} edits={edits} />
            <Field label="Food to buy" className="col-span-2 sm:col-span-1">
              {(wiring) => (
                <Input
                  {...wiring}
                  maxLength={100}
                  value={line.fixes.food ?? reading.food?.name ?? ''}
                  onChange={({ target }) => {
                    const fixes = correction(read, { food: target.value });
                    edits.edit((content) => lines.fixFood(content, id, fixes), `food ${id}`);
                  }}
                />
              )}
            </Field>
          </div>
          <RemarkFields read={read} edits={edits} />
          {rest !== '' && (
            <p className="text-muted text-sm">
              Also in the line, not bought: <bdi>{rest}</bdi>
            </p>
          )}
          <Checkbox
            label="Optional"
            checked={reading.optional}
            onChange={({ target }) => {
              const fixes = correction(read, { optional: target.checked });
              edits.edit((content) => lines.fix(content, id, fixes));
            }}
          />
          <WordOffer read={read} />
        </>
      )}
      <LineActions read={read} edits={edits} textField={text} />
    </div>
  );
}

/** The head of the line that it is in, where keys lead from line to line. */
function rowOf(element: Element): HTMLElement | null {
  return rowIn(element.closest('li'));
}

function rowIn(line: Element | null | undefined): HTMLElement | null {
  return line?.querySelector<HTMLElement>('[data-line]') ?? null;
}

/** What the page says of a line that the creator corrected, and whose word counts. */
function PageSays({ line, pageSays, edits }: { line: ReadLine['line']; pageSays: string | null; edits: LineEdits }) {
  const settle = (event: MouseEvent<HTMLElement>, change: typeof lines.keepMine, says: string) => {
    // This button goes with the question.
    rowOf(event.currentTarget)?.focus();
    edits.edit((content) => change(content, line.id));
    edits.announce(says);
  };
  const isGone = pageSays === null;
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warning-line bg-warning-soft px-3 py-2 text-sm text-warning-ink">
      {isGone ? (
        <p>This line is no longer on the page.</p>
      ) : (
        <p>
          The page says now: <bdi className="font-semibold">{pageSays}</bdi>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="secondary" onClick={(event) => settle(event, lines.keepMine, 'Kept')}>
          Keep mine
        </Button>
        <Button
          size="small"
          variant="secondary"
          onClick={(event) => settle(event, lines.takePage, isGone ? 'Removed' : 'Taken from the page')}
        >
          {isGone ? 'Remove it' : 'Use the page’s'}
        </Button>
      </div>
    </div>
  );
}

/** Why it is not certain, and the ways to settle it. */
function Doubts({ read, edits }: Props) {
  const { line, reading } = read;
  const settle = (event: MouseEvent<HTMLElement>, change: (content: IngredientsInput) => IngredientsInput) => {
    // This button goes with the doubt.
    rowOf(event.currentTarget)?.focus();
    edits.edit(change);
    edits.announce('Confirmed');
  };
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warning-line bg-warning-soft px-3 py-2 text-sm text-warning-ink">
      <ul>
        {reading.doubts.map((doubt) => (
          <li key={`${doubt.why} ${doubt.text}`}>
            <bdi>{doubtWords(doubt)}</bdi>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="secondary"
          onClick={(event) => settle(event, (content) => lines.check(content, [line.id]))}
        >
          <Check aria-hidden="true" className="size-4" />
          Looks right
        </Button>
        {choicesOf(read).map((choice) => (
          <Button
            key={readingWords(choice.reading)}
            size="small"
            variant="secondary"
            onClick={(event) => settle(event, (content) => lines.fix(content, line.id, choice.fixes))}
          >
            <bdi>{readingWords(choice.reading)}</bdi>
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Several lines pasted into one become lines of their own. */
function pasteLines(event: ClipboardEvent, { line, language }: ReadLine, { edit }: LineEdits): void {
  const pasted = event.clipboardData.getData('text/plain');
  if (!/[\r\n]/.test(pasted.trim())) return;
  event.preventDefault();
  edit((content) => lines.addText(content, pasted, line.id, { language, newId: () => crypto.randomUUID() }));
}

function LineActions({ read, edits, textField }: Props & { textField: { current: HTMLTextAreaElement | null } }) {
  const { line, reading } = read;
  const { id } = line;
  const isIngredient = reading.kind === 'ingredient';
  const setKind = (kind: 'ingredient' | 'note') =>
    edits.edit((content) => lines.fix(content, id, correction(read, { kind })));
  const split = () => {
    const at = textField.current?.selectionStart ?? 0;
    edits.edit((content) => lines.splitLine(content, id, at, () => crypto.randomUUID()));
  };
  const remove = (event: MouseEvent<HTMLElement>) => {
    const line = event.currentTarget.closest('li');
    const row = rowIn(line?.nextElementSibling) ?? rowIn(line?.previousElementSibling);
    edits.edit((content) => lines.removeLine(content, id));
    edits.announce('Line deleted');
    row?.focus();
  };
  const keepInside = (event: KeyboardEvent) => event.stopPropagation();
  return (
    <div className="flex flex-wrap items-center gap-1">
      <IconButton label="Move up" onClick={() => edits.move(id, -1)}>
        <ArrowUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Move down" onClick={() => edits.move(id, 1)}>
        <ArrowDown aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Delete line" onClick={remove}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
      <DropdownMenu
        align="start"
        trigger={
          <IconButton label="More for this line">
            <Ellipsis aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the menu are none of the line */}
        <div onKeyDown={keepInside}>
          <MenuItem onSelect={() => setKind(isIngredient ? 'note' : 'ingredient')}>
            {isIngredient ? 'Not an ingredient' : 'It’s an ingredient'}
          </MenuItem>
          <MenuItem onSelect={() => edits.edit((content) => lines.toHeading(content, id))}>
            Make it a heading for the lines below
          </MenuItem>
          <MenuItem onSelect={() => edits.edit((content) => lines.nameGroup(content, id, 'New group'))}>
            Start a group here
          </MenuItem>
          <MenuItem onSelect={split}>Split at the cursor</MenuItem>
          <MenuItem onSelect={() => edits.edit((content) => lines.joinLine(content, id))}>
            Join with the next line
          </MenuItem>
        </div>
      </DropdownMenu>
      <span className="grow" />
      {Object.keys(line.fixes).length > 0 && (
        <Button size="small" variant="quiet" onClick={() => edits.edit((content) => lines.unfix(content, id))}>
          Undo corrections
        </Button>
      )}
      <Button size="small" variant="secondary" onClick={() => edits.open(null)}>
        Done
      </Button>
    </div>
  );
}
