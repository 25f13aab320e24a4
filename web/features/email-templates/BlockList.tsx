import {
  ArrowDown,
  ArrowUp,
  CircleAlert,
  Copy,
  EllipsisVertical,
  GripVertical,
  Plus,
  Settings2,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { BLOCK_NAMES } from '#contract/email-template-problems.ts';
import type { EmailBlock } from '#contract/email-templates.ts';
import { addableKinds } from '#web/features/email-templates/BlockFields.tsx';
import {
  addBlock,
  doubleBlock,
  isFull,
  moveBlock,
  newBlock,
  removeBlock,
} from '#web/features/email-templates/design-edits.ts';
import { inWords, summaryOf } from '#web/features/email-templates/design-words.ts';
import type { DesignState } from '#web/features/email-templates/use-design.ts';
import { BLOCK, EDITOR } from '#web/features/email-templates/words.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { DropdownMenu, MenuItem } from '#web/ui/DropdownMenu.tsx';

export const MAIL = 'email';

type Props = {
  editor: DesignState;
  /** A block's id, or `MAIL`. */
  selected: string | null;
  onSelect: (id: string) => void;
  /** Read out: what was just done. */
  announce: (text: string) => void;
};

/** The email from top to bottom; blocks move by buttons, by Alt and an arrow, and by dragging. */
export function BlockList({ editor, selected, onSelect, announce }: Props) {
  const { design, problems } = editor;
  const { blocks } = design;
  const list = useRef<HTMLOListElement>(null);
  /** Moved elements lose the focus: given back to what had it, within this block. */
  const focus = useRef<{ id: string; part: string } | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (focus.current === null) return;
    const { id, part } = focus.current;
    focus.current = null;
    list.current?.querySelector<HTMLElement>(`[data-block="${id}"] [data-part="${part}"]`)?.focus();
  });

  const move = (block: EmailBlock, to: number, part: string | null) => {
    const moved = moveBlock(design, block.id, to);
    if (moved === design) return;
    if (part !== null) focus.current = { id: block.id, part };
    editor.edit((now) => moveBlock(now, block.id, to));
    const place = moved.blocks.findIndex(({ id }) => id === block.id);
    announce(EDITOR.moved(BLOCK_NAMES[block.kind], place + 1, blocks.length));
  };
  const double = (block: EmailBlock) => {
    const id = crypto.randomUUID();
    editor.edit((now) => doubleBlock(now, block.id, id));
    announce(EDITOR.doubled(BLOCK_NAMES[block.kind]));
  };
  const remove = (block: EmailBlock, at: number) => {
    editor.edit((now) => removeBlock(now, block.id));
    const next = blocks[at + 1] ?? blocks[at - 1];
    if (next) focus.current = { id: next.id, part: 'open' };
    announce(EDITOR.removed(BLOCK_NAMES[block.kind]));
  };
  const keyOn = (block: EmailBlock, at: number) => (event: KeyboardEvent) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    move(block, at + by, 'open');
  };

  return (
    <div className="flex flex-col gap-2">
      <Row
        isSelected={selected === MAIL}
        hasProblem={problems.some(({ blockId }) => blockId === null)}
        name={EDITOR.settings}
        summary={inWords(design.subject)}
        icon={<Settings2 aria-hidden="true" className="size-4 shrink-0 text-muted" />}
        onOpen={() => onSelect(MAIL)}
      />
      <p id="block-keys" className="sr-only">
        {BLOCK.keys}
      </p>
      <ol ref={list} aria-label={EDITOR.blocks} className="flex flex-col gap-1.5">
        {blocks.map((block, at) => {
          const name = BLOCK_NAMES[block.kind];
          const isFixed = block.kind === 'footer';
          return (
            <li
              key={block.id}
              data-block={block.id}
              draggable={!isFixed}
              onDragStart={() => setDragged(block.id)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                const from = blocks.find(({ id }) => id === dragged);
                if (from) move(from, at, null);
              }}
            >
              <Row
                isSelected={selected === block.id}
                hasProblem={problems.some(({ blockId }) => blockId === block.id)}
                name={name}
                summary={summaryOf(block)}
                icon={
                  !isFixed && <GripVertical aria-hidden="true" className="size-4 shrink-0 text-faint max-lg:hidden" />
                }
                onOpen={() => onSelect(block.id)}
                onKeyDown={keyOn(block, at)}
              >
                {!isFixed && (
                  <>
                    <IconButton
                      data-part="up"
                      label={BLOCK.moveUp(name)}
                      aria-disabled={at === 0}
                      onClick={() => move(block, at - 1, 'up')}
                    >
                      <ArrowUp aria-hidden="true" className="size-4" />
                    </IconButton>
                    <IconButton
                      data-part="down"
                      label={BLOCK.moveDown(name)}
                      aria-disabled={at >= blocks.length - 2}
                      onClick={() => move(block, at + 1, 'down')}
                    >
                      <ArrowDown aria-hidden="true" className="size-4" />
                    </IconButton>
                    <DropdownMenu
                      trigger={
                        <IconButton label={BLOCK.actions(name)}>
                          <EllipsisVertical aria-hidden="true" className="size-4" />
                        </IconButton>
                      }
                    >
                      {block.kind !== 'confirm' && (
                        <MenuItem disabled={isFull(design)} onSelect={() => double(block)}>
                          <Copy aria-hidden="true" className="size-4" />
                          {BLOCK.double}
                        </MenuItem>
                      )}
                      <MenuItem danger onSelect={() => remove(block, at)}>
                        <Trash2 aria-hidden="true" className="size-4" />
                        {BLOCK.remove}
                      </MenuItem>
                    </DropdownMenu>
                  </>
                )}
              </Row>
            </li>
          );
        })}
      </ol>
      <AddBlock editor={editor} after={selected} onAdded={onSelect} announce={announce} />
    </div>
  );
}

type RowProps = {
  isSelected: boolean;
  hasProblem: boolean;
  name: string;
  summary: string;
  icon: React.ReactNode;
  onOpen: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children?: React.ReactNode;
};

function Row({ isSelected, hasProblem, name, summary, icon, onOpen, onKeyDown, children }: RowProps) {
  return (
    <div
      className={cx(
        'flex items-center rounded-md border bg-surface',
        isSelected ? 'border-accent bg-accent-soft' : 'border-line',
        hasProblem && 'border-error-line',
      )}
    >
      <button
        type="button"
        data-part="open"
        aria-current={isSelected || undefined}
        aria-describedby={onKeyDown && 'block-keys'}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-2 rounded-md px-3 py-1.5 text-left focus-visible:-outline-offset-2"
        onClick={onOpen}
        onKeyDown={onKeyDown}
      >
        {icon}
        <span className="flex min-w-0 flex-col">
          <span className="flex items-center gap-1.5 font-medium text-sm">
            {name}
            {hasProblem && (
              <CircleAlert role="img" aria-label="Needs a fix" className="size-4 shrink-0 text-error-ink" />
            )}
          </span>
          {summary !== '' && <bdi className="block truncate text-muted text-xs">{summary}</bdi>}
        </span>
      </button>
      {children && <span className="flex shrink-0">{children}</span>}
    </div>
  );
}

type AddProps = {
  editor: DesignState;
  after: string | null;
  onAdded: (id: string) => void;
  announce: (text: string) => void;
};

function AddBlock({ editor, after, onAdded, announce }: AddProps) {
  if (isFull(editor.design)) return <p className="text-muted text-sm">{EDITOR.full}</p>;
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button variant="secondary" className="self-start">
          <Plus aria-hidden="true" className="size-4" />
          {EDITOR.addBlock}
        </Button>
      }
    >
      {addableKinds(editor).map((kind) => (
        <MenuItem
          key={kind}
          onSelect={() => {
            const block = newBlock(kind as never, crypto.randomUUID(), editor.type);
            editor.edit((design) => addBlock(design, block, after));
            announce(EDITOR.added(BLOCK_NAMES[kind]));
            onAdded(block.id);
          }}
        >
          {BLOCK_NAMES[kind]}
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
