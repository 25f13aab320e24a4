import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';
import type { FieldWiring } from '#web/ui/Field.tsx';
import { addTags, splitTags } from '#web/ui/tags.ts';

type Props = Partial<FieldWiring> & {
  value: string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  placeholder?: string;
  /** Characters of one word. */
  maxLength?: number;
  disabled?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/**
 * A list of words. Enter, comma or leaving the field adds what was typed; a pasted list is split; Backspace in the empty
 * field takes the last word back into it, so a typo is mended without retyping.
 */
export function TagInput({ value, onChange, onBlur, placeholder, maxLength = 100, disabled, ref, ...wiring }: Props) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const field = useRef<HTMLInputElement | null>(null);

  const add = (typed: string) => {
    const added = splitTags(typed).map((tag) => tag.slice(0, maxLength));
    setText('');
    if (added.length === 0) return;
    onChange(addTags(value, added));
    setSaid(`Added ${added.join(', ')}`);
  };
  const remove = (tag: string) => {
    onChange(value.filter((other) => other !== tag));
    setSaid(`Removed ${tag}`);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes (Japanese, Chinese), Enter belongs to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '') {
      const last = value.at(-1);
      if (last === undefined) return;
      event.preventDefault();
      onChange(value.slice(0, -1));
      setText(last);
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,;\n\t]/.test(pasted)) return;
    event.preventDefault();
    add(text + pasted);
  };

  return (
    <div
      className={cx(
        'flex min-h-11 flex-wrap items-center gap-1.5 rounded-md border border-edge bg-surface p-0.5 md:min-h-10 md:p-1.5',
        'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-[input[aria-invalid]]:border-error',
      )}
    >
      {value.map((tag) => (
        <span
          key={tag}
          className="inline-flex max-w-full items-center rounded-sm bg-accent-soft pl-2.5 text-accent-ink text-sm forced-colors:border"
        >
          <bdi className="truncate">{tag}</bdi>
          <button
            type="button"
            disabled={disabled}
            aria-label={`Remove ${tag}`}
            className="grid size-11 shrink-0 place-items-center rounded-sm hover:bg-accent-line md:size-7"
            onClick={() => remove(tag)}
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      ))}
      <input
        ref={(element) => {
          field.current = element;
          if (typeof ref === 'function') ref(element);
          else if (ref) ref.current = element;
        }}
        value={text}
        disabled={disabled}
        maxLength={maxLength}
        placeholder={value.length === 0 ? placeholder : undefined}
        autoCapitalize="none"
        autoComplete="off"
        enterKeyHint="enter"
        className="min-h-11 min-w-20 md:min-h-8 flex-1 bg-transparent px-1.5 text-base outline-none placeholder:text-faint"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          add(text);
          onBlur?.();
        }}
        {...wiring}
      />
      <span role="status" className="sr-only">
        {said}
      </span>
    </div>
  );
}
