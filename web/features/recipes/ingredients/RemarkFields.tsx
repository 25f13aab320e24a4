import { useState } from 'react';
import type { LineEdits } from '#web/features/recipes/ingredients/line-edits.ts';
import * as lines from '#web/features/recipes/ingredients/line-edits.ts';
import { correction, type ReadLine } from '#web/features/recipes/ingredients/readings.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

const MOST = 10;
const LONGEST = 200;

/** What the line says besides what is bought: how it is prepared, and notes; parted by commas and semicolons. */
export function RemarkFields({ read, edits }: { read: ReadLine; edits: LineEdits }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <RemarkField read={read} edits={edits} name="preparation" label="Preparation" sign="," />
      <RemarkField read={read} edits={edits} name="notes" label="Notes" sign=";" />
    </div>
  );
}

type Props = {
  read: ReadLine;
  edits: LineEdits;
  name: 'preparation' | 'notes';
  label: string;
  sign: string;
};

function RemarkField({ read, edits, name, label, sign }: Props) {
  const { line, reading } = read;
  const [typed, setTyped] = useState<string | null>(null);
  const all = reading[name];
  // Undone, or read anew: what was typed is not what is there now.
  const isCurrent = typed !== null && JSON.stringify(remarksOf(typed, sign)) === JSON.stringify(all);
  return (
    <Field label={label} optional>
      {(wiring) => (
        <Input
          {...wiring}
          maxLength={MOST * LONGEST}
          value={isCurrent ? typed : all.join(`${sign} `)}
          onChange={({ target }) => {
            setTyped(target.value);
            const fixes = correction(read, { [name]: remarksOf(target.value, sign) });
            edits.edit((content) => lines.fix(content, line.id, fixes), `${name} ${line.id}`);
          }}
        />
      )}
    </Field>
  );
}

function remarksOf(text: string, sign: string): string[] {
  return text
    .split(sign)
    .map((one) => one.trim().slice(0, LONGEST).toWellFormed())
    .filter((one) => one !== '')
    .slice(0, MOST);
}
