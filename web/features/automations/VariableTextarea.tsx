import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { afterEdit, type Forms, piecesOf, toShown } from '#web/features/automations/variable-chips.ts';
import { cx } from '#web/ui/class-names.ts';
import { Textarea } from '#web/ui/inputs.tsx';

export type Insertable = { insert(stored: string): void };

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref' | 'dir'> & {
  /** As it is stored, with `{{username|there}}`. */
  value: string;
  onChange: (stored: string) => void;
  insertable?: Ref<Insertable>;
};

/**
 * A text with variables, which are seen as labels on a coloured ground. It is the browser's own text field, so that every
 * keyboard, undo and screen reader works in it; the coloured grounds lie behind it in the same places.
 */
export function VariableTextarea({ value, onChange, insertable, className, ...rest }: Props) {
  const [forms] = useState<Forms>(() => []);
  const area = useRef<HTMLTextAreaElement>(null);
  const behind = useRef<HTMLDivElement>(null);
  const caret = useRef<number | null>(null);
  const shown = toShown(value, forms);

  // A text that is not what was typed would leave the caret at its end.
  useLayoutEffect(() => {
    if (caret.current === null) return;
    area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const edit = (after: string, at: number) => {
    const edited = afterEdit(shown, after, at, forms);
    if (edited.shown !== after) caret.current = edited.caret;
    onChange(edited.stored);
  };
  useImperativeHandle(insertable, () => ({
    insert(stored) {
      const { selectionStart, selectionEnd } = area.current!;
      area.current!.focus();
      const added = shown.slice(0, selectionStart) + toShown(stored, forms);
      const edited = afterEdit(shown, added + shown.slice(selectionEnd), added.length, forms);
      caret.current = edited.caret;
      onChange(edited.stored);
    },
  }));

  return (
    <div className="relative w-full min-w-0 rounded-md bg-surface">
      <div
        ref={behind}
        aria-hidden="true"
        dir="auto"
        className="pointer-events-none absolute inset-0 overflow-hidden whitespace-pre-wrap break-words border border-transparent px-3 py-2 text-base text-transparent leading-normal [unicode-bidi:plaintext] forced-colors:forced-color-adjust-none"
      >
        {piecesOf(shown).map(({ text, isVariable }, at) =>
          isVariable ? (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
              key={at}
              className="rounded-sm bg-accent-soft shadow-[0_0_0_2px_var(--color-accent-soft)] forced-colors:bg-transparent forced-colors:outline forced-colors:outline-[ButtonText]"
            >
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </div>
      <Textarea
        ref={area}
        dir="auto"
        className={cx(
          'relative bg-transparent field-sizing-content',
          // A browser puts a plate behind forced text, over the grounds of the variables.
          'forced-colors:forced-color-adjust-none forced-colors:border-[FieldText] forced-colors:text-[FieldText] forced-colors:outline-[Highlight]',
          className,
        )}
        value={shown}
        onChange={({ target }) => edit(target.value, target.selectionEnd)}
        onScroll={({ currentTarget }) => behind.current?.scrollTo({ top: currentTarget.scrollTop })}
        {...rest}
      />
    </div>
  );
}
