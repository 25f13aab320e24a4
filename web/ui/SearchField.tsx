import { Search } from 'lucide-react';
import { type InputHTMLAttributes, useEffect, useState } from 'react';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

const TYPING_PAUSE_MS = 250;

type Props = {
  label: string;
  /** Only read out: for a field among others in a `<search>` of the screen's own, with a placeholder that says it. */
  labelHidden?: boolean;
  placeholder?: string;
  maxLength?: number;
  search: string;
  onSearch: (search: string) => void;
};

/** Typed text is searched for after a pause; changes from outside (back button) replace it. */
export function SearchField({ label, labelHidden = false, placeholder, maxLength = 100, search, onSearch }: Props) {
  const [typed, setTyped] = useState(search);
  const [sent, setSent] = useState(search);
  if (search !== sent) {
    setSent(search);
    setTyped(search);
  }
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      onSearch(wanted);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const input = (wiring: InputHTMLAttributes<HTMLInputElement>) => (
    <div className="relative">
      <Search aria-hidden="true" className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint" />
      <Input
        {...wiring}
        type="search"
        placeholder={placeholder}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={maxLength}
        className="pl-9"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
  if (labelHidden) return input({ 'aria-label': label });
  return (
    <search>
      <Field label={label}>{input}</Field>
    </search>
  );
}
