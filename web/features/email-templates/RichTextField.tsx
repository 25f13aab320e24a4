/** Texts of an email: fields are chips in them, and a text block has bold, italic, links and lists. Undo belongs to the editor around. */
import { Bold, Braces, Italic, Link2, List, ListOrdered } from 'lucide-react';
import '#web/features/email-templates/email-templates.css';
import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands';
import { keymap } from 'prosemirror-keymap';
import { type Node, type Schema, Slice } from 'prosemirror-model';
import { liftListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, EditorState, NodeSelection, type Plugin, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { type MouseEvent, type ReactNode, useEffect, useReducer, useRef, useState } from 'react';
import { EMAIL_FIELDS, type EmailField, RECIPE_LINK, type TextPart } from '#contract/email-templates.ts';
import { completeLink } from '#contract/links.ts';
import {
  docOfLine,
  docOfParts,
  inlineOfText,
  LINE,
  lineOfDoc,
  linkOf,
  newField,
  partsOfDoc,
  TEXT,
} from '#web/features/email-templates/rich-text.ts';
import { RICH_TEXT } from '#web/features/email-templates/words.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

type Common = {
  label: string;
  hint?: string;
  error?: string | undefined;
  optional?: boolean;
  fields: readonly EmailField[];
};

type LineProps = Common & { value: string; onChange: (value: string) => void };

/** One line with fields. */
export function LineField(props: LineProps) {
  return <Typed {...props} kind={LINE_KIND} />;
}

type TextProps = Common & { value: readonly TextPart[]; onChange: (value: TextPart[]) => void; hasRecipe: boolean };

/** Paragraphs and lists. */
export function PartsField({ hasRecipe, ...props }: TextProps) {
  return (
    <Typed
      {...props}
      kind={TEXT_KIND}
      tools={(view) => <Tools view={view} hasRecipe={hasRecipe} label={props.label} />}
    />
  );
}

type Kind<T> = { schema: Schema; toDoc: (value: T) => Node; fromDoc: (doc: Node) => T; plugins: Plugin[] };

const LINE_KIND: Kind<string> = {
  schema: LINE,
  toDoc: docOfLine,
  fromDoc: lineOfDoc,
  plugins: [keymap({ Enter: () => true, 'Shift-Enter': () => true }), keymap(baseKeymap)],
};

const { hard_break: hardBreak, list_item: listItem, bullet_list: bullets, ordered_list: numbers } = TEXT.nodes;
const newLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(hardBreak!.create()).scrollIntoView());
  return true;
};

const TEXT_KIND: Kind<readonly TextPart[]> = {
  schema: TEXT,
  toDoc: docOfParts,
  fromDoc: partsOfDoc,
  plugins: [
    keymap({
      Enter: splitListItem(listItem!),
      'Shift-Enter': chainCommands(exitCode, splitListItem(listItem!), newLine),
      'Mod-b': toggleMark(TEXT.marks.bold!),
      'Mod-i': toggleMark(TEXT.marks.italic!),
    }),
    keymap(baseKeymap),
  ],
};

type TypedProps<T> = Common & {
  value: T;
  onChange: (value: never) => void;
  kind: Kind<T>;
  tools?: (view: EditorView) => ReactNode;
};

function Typed<T>({ label, hint, error, optional, fields, value, onChange, kind, tools }: TypedProps<T>) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  /** What was typed here last: any other value comes from outside. */
  const typed = useRef(value);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };

  useEffect(() => {
    const made = new EditorView(place.current, {
      state: EditorState.create({ doc: kind.toDoc(latest.current.value), plugins: kind.plugins }),
      dispatchTransaction(transaction) {
        made.updateState(made.state.apply(transaction));
        if (transaction.docChanged) {
          typed.current = kind.fromDoc(made.state.doc);
          latest.current.onChange(typed.current as never);
        }
        redraw();
      },
      // Of what has lines of its own, one line takes the text.
      ...(kind.schema === LINE && {
        handlePaste: (_view, event) => {
          const text = (event.clipboardData?.getData('text/plain') ?? '').replaceAll(/\s*\n\s*/g, ' ');
          const pasted = kind.schema.nodes.paragraph!.create(null, inlineOfText(kind.schema, text));
          made.dispatch(made.state.tr.replaceSelection(new Slice(pasted.content, 0, 0)).scrollIntoView());
          return true;
        },
      }),
    });
    setView(made);
    return () => made.destroy();
  }, [kind]);

  useEffect(() => {
    if (view === null || value === typed.current) return;
    typed.current = value;
    const { plugins, selection } = view.state;
    const doc = kind.toDoc(value);
    const at = Math.min(selection.anchor, doc.content.size);
    view.updateState(EditorState.create({ doc, plugins, selection: TextSelection.near(doc.resolve(at)) }));
  }, [view, value, kind]);

  return (
    <Field label={label} {...(optional && { optional })} hint={hint} error={error}>
      {(wiring) => (
        <div className="flex flex-col gap-1.5">
          {view && tools?.(view)}
          <div ref={place} className="contents" />
          <Wired view={view} label={label} isLine={kind.schema === LINE} wiring={wiring} />
          {view && <InsertField view={view} schema={kind.schema} fields={fields} />}
          {view && <Instead view={view} />}
        </div>
      )}
    </Field>
  );
}

type WiredProps = {
  view: EditorView | null;
  label: string;
  isLine: boolean;
  wiring: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };
};

/** Label, hint and error are read out with the text. */
function Wired({ view, label, isLine, wiring }: WiredProps) {
  const { id, 'aria-describedby': describedBy, 'aria-invalid': invalid } = wiring;
  useEffect(() => {
    view?.setProps({
      attributes: {
        id,
        role: 'textbox',
        'aria-label': label,
        'aria-multiline': String(!isLine),
        dir: 'auto',
        ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
        ...(invalid && { 'aria-invalid': 'true' }),
        class: 'email-text',
      },
    });
  }, [view, label, isLine, id, describedBy, invalid]);
  return null;
}

type InsertProps = { view: EditorView; schema: Schema; fields: readonly EmailField[] };

function InsertField({ view, schema, fields }: InsertProps) {
  const [open, setOpen] = useState(false);
  const insert = (name: EmailField) => {
    view.dispatch(view.state.tr.replaceSelection(new Slice(newField(schema, name), 0, 0)).scrollIntoView());
    view.focus();
    setOpen(false);
  };
  return (
    <div className="flex flex-col gap-1">
      <button
        type="button"
        aria-expanded={open}
        className="inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm font-medium text-accent-ink text-sm md:min-h-8"
        onMouseDown={keepFocus}
        onClick={() => setOpen(!open)}
      >
        <Braces aria-hidden="true" className="size-4" />
        {RICH_TEXT.insert}
      </button>
      {open && (
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">{RICH_TEXT.insertOf}</legend>
          {fields.map((name) => (
            <button
              key={name}
              type="button"
              className="min-h-11 rounded-md border border-accent-line bg-accent-soft px-3 text-accent-ink text-sm md:min-h-8"
              onMouseDown={keepFocus}
              onClick={() => insert(name)}
            >
              {EMAIL_FIELDS[name].label}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Of the chip that is selected: the words where there is nothing. */
function Instead({ view }: { view: EditorView }) {
  const { selection } = view.state;
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'field') return null;
  const { from, node } = selection;
  const change = (instead: string) => {
    const { tr } = view.state;
    tr.setNodeMarkup(from, undefined, { ...node.attrs, instead: instead === '' ? null : instead });
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, from)));
  };
  return (
    <Field label={RICH_TEXT.instead(EMAIL_FIELDS[node.attrs.name as EmailField].label)} optional>
      {(wiring) => (
        <Input
          {...wiring}
          maxLength={100}
          value={(node.attrs.instead as string | null) ?? ''}
          onChange={(event) => change(event.target.value.replaceAll(/[{}|]/g, ''))}
        />
      )}
    </Field>
  );
}

type ToolsProps = { view: EditorView; hasRecipe: boolean; label: string };

function Tools({ view, hasRecipe, label }: ToolsProps) {
  const [linking, setLinking] = useState(false);
  const { state } = view;
  const run = (command: Command) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const mark = (name: 'bold' | 'italic') => ({
    pressed: hasMark(state, name),
    onPress: () => run(toggleMark(TEXT.marks[name]!)),
  });
  const list = (type: typeof bullets) => ({
    pressed: listAround(state)?.type === type,
    onPress: () => run(toggleList(type!)),
  });
  return (
    <>
      <div role="toolbar" aria-label={RICH_TEXT.tools(label)} className="flex flex-wrap gap-0.5">
        <Tool label={RICH_TEXT.bold} icon={<Bold className="size-4" />} {...mark('bold')} />
        <Tool label={RICH_TEXT.italic} icon={<Italic className="size-4" />} {...mark('italic')} />
        <Tool
          label={RICH_TEXT.link}
          icon={<Link2 className="size-4" />}
          pressed={hasMark(state, 'link')}
          expanded={linking}
          onPress={() => setLinking(!linking)}
        />
        <Tool label={RICH_TEXT.bullets} icon={<List className="size-4" />} {...list(bullets)} />
        <Tool label={RICH_TEXT.numbers} icon={<ListOrdered className="size-4" />} {...list(numbers)} />
      </div>
      {linking && <LinkTo view={view} hasRecipe={hasRecipe} onDone={() => setLinking(false)} />}
    </>
  );
}

type ToolProps = { label: string; icon: ReactNode; pressed: boolean; expanded?: boolean; onPress: () => void };

function Tool({ label, icon, pressed, expanded, onPress }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      className={cx(
        'grid size-11 place-items-center rounded-md hover:bg-sunken md:size-9',
        pressed && 'bg-accent-soft text-accent-ink',
      )}
      onMouseDown={keepFocus}
      onClick={onPress}
    >
      <span aria-hidden="true">{icon}</span>
    </button>
  );
}

function LinkTo({ view, hasRecipe, onDone }: { view: EditorView; hasRecipe: boolean; onDone: () => void }) {
  const range = linkAt(view.state);
  const [typed, setTyped] = useState(range.href ?? '');
  const [bad, setBad] = useState(false);
  const set = (text: string) => {
    const href = linkOf(completeLink(text));
    if (href === null) return setBad(true);
    const { from, to } = range;
    const { tr } = view.state;
    const link = TEXT.marks.link!.create({ href });
    if (from === to) tr.insert(from, TEXT.text(text === RECIPE_LINK ? RICH_TEXT.toRecipe : href, [link]));
    else tr.addMark(from, to, link);
    done(tr);
  };
  const done = (tr: typeof view.state.tr) => {
    view.dispatch(tr);
    view.focus();
    onDone();
  };
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line bg-canvas p-2">
      <Field label={RICH_TEXT.linkTo} error={bad ? RICH_TEXT.badLink : undefined}>
        {(wiring) => (
          <Input
            {...wiring}
            inputMode="url"
            autoCapitalize="none"
            placeholder="https://"
            value={typed === RECIPE_LINK ? '' : typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              set(typed);
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => set(typed)}>
          {RICH_TEXT.setLink}
        </Button>
        {hasRecipe && (
          <Button size="small" variant="secondary" onClick={() => set(RECIPE_LINK)}>
            {RICH_TEXT.toRecipe}
          </Button>
        )}
        {range.href !== null && (
          <Button
            size="small"
            variant="secondary"
            onClick={() => done(view.state.tr.removeMark(range.from, range.to, TEXT.marks.link!))}
          >
            {RICH_TEXT.removeLink}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The selection, or all of the link that the caret is in. */
function linkAt({ selection, doc }: EditorState): { from: number; to: number; href: string | null } {
  const { from, to, $from } = selection;
  const link = TEXT.marks.link!;
  const at = (position: number) => {
    const resolved = doc.resolve(position);
    return link.isInSet(resolved.nodeAfter?.marks ?? []) ?? link.isInSet(resolved.marks());
  };
  const found = link.isInSet($from.marks()) ?? at(from);
  if (found === undefined) return { from, to, href: null };
  const href = found.attrs.href as string;
  if (from !== to) return { from, to, href };
  let [start, end] = [from, to];
  const [first, last] = [$from.start(), $from.end()];
  while (start > first && doc.rangeHasMark(start - 1, start, link)) start--;
  while (end < last && doc.rangeHasMark(end, end + 1, link)) end++;
  return { from: start, to: end, href };
}

function hasMark({ selection, doc, storedMarks }: EditorState, name: 'bold' | 'italic' | 'link'): boolean {
  const type = TEXT.marks[name]!;
  const { from, to, empty, $from } = selection;
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
}

function listAround({ selection: { $from } }: EditorState): { type: typeof bullets; at: number } | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth);
    if (type === bullets || type === numbers) return { type, at: $from.before(depth) };
  }
  return null;
}

/** A list of this kind, of the other kind, or none. */
function toggleList(type: NonNullable<typeof bullets>): Command {
  return (state, dispatch) => {
    const around = listAround(state);
    if (around === null) return wrapInList(type)(state, dispatch);
    if (around.type === type) return liftListItem(listItem!)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(around.at, type));
    return true;
  };
}

/** A press on a tool leaves the caret in the text. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
