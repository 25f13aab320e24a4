import { BULK } from '#web/features/contacts/words.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

const WORD = 'ERASE';

export function isErase(typed: string): boolean {
  return typed.trim().toUpperCase() === WORD;
}

/** A word that nobody types by accident. */
export function ConfirmWord({ typed, onType }: { typed: string; onType: (typed: string) => void }) {
  return (
    <Field label={BULK.typeToConfirm(WORD)}>
      {(wiring) => (
        <Input
          {...wiring}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={typed}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}
