import { useState } from 'react';
import { showSize } from '#contract/ingredients/showing.ts';
import { dimensionOf } from '#contract/ingredients/units.ts';
import type { LineEdits } from '#web/features/recipes/ingredients/line-edits.ts';
import * as lines from '#web/features/recipes/ingredients/line-edits.ts';
import {
  amountTyped,
  correction,
  fixOfAmount,
  type ReadLine,
  sameAmount,
} from '#web/features/recipes/ingredients/readings.ts';
import { UNITS, unitLabel } from '#web/features/recipes/ingredients/words.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';

type Props = { read: ReadLine; edits: LineEdits };

/** How many, and of what. */
export function AmountField({ read, edits }: Props) {
  const { line, reading } = read;
  const [first, ...others] = reading.amounts;
  const [typed, setTyped] = useState<string | null>(null);
  const parsed = typed === null ? null : amountTyped(typed);
  // Undone, or read anew: what was typed is not what is there now.
  const isCurrent =
    parsed === null ||
    (parsed[0] === undefined ? first === undefined : first !== undefined && sameAmount(parsed[0], first));
  const shown = typed !== null && isCurrent ? typed : first ? showSize({ ...first, unit: null }) : '';
  const type = (value: string) => {
    setTyped(value);
    const amounts = amountTyped(value);
    if (amounts === null) return;
    const [amount] = amounts;
    const fixes = correction(read, amount === undefined ? { amounts: [] } : fixOfAmount(reading, amount));
    edits.edit((content) => lines.fix(content, line.id, fixes), `amount ${line.id}`);
  };
  const isInvalid = typed !== null && typed === shown && parsed === null;
  return (
    <Field
      label="Amount"
      error={isInvalid ? 'Enter a number, like 2, 1 1/2 or 2-3.' : undefined}
      hint={
        others.length > 0
          ? `Also: ${others.map((size) => showSize(size)).join(', ')}`
          : first?.each
            ? `of ${showSize(first.each)}`
            : undefined
      }
    >
      {(wiring) => (
        <Input
          {...wiring}
          value={shown}
          maxLength={20}
          onChange={({ target }) => type(target.value)}
          onBlur={() => parsed !== null && setTyped(null)}
        />
      )}
    </Field>
  );
}

export function UnitField({ read, edits }: Props) {
  const { line, reading } = read;
  const unit = reading.amounts[0]?.unit ?? '';
  const isListed = unit === '' || UNITS.some(({ units }) => units.includes(unit));
  return (
    <Field label="Unit">
      {(wiring) => (
        <Select
          {...wiring}
          value={unit}
          disabled={reading.amounts.length === 0}
          onChange={({ target }) => {
            const chosen = dimensionOf(target.value) === null ? null : target.value;
            const fixes = correction(read, fixOfAmount(reading, { unit: chosen }));
            edits.edit((content) => lines.fix(content, line.id, fixes));
          }}
        >
          <option value="">none</option>
          {!isListed && <option value={unit}>{unitLabel(unit)}</option>}
          {UNITS.map(({ label, units }) => (
            <optgroup key={label} label={label}>
              {units.map((one) => (
                <option key={one} value={one}>
                  {unitLabel(one)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      )}
    </Field>
  );
}
