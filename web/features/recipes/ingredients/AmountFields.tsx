import { useState } from 'react';
import type { Amount, Size } from '#contract/ingredients/line.ts';
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
type Number = Pick<Size, 'from' | 'to'>;

/** How many, and of what. */
export function AmountField({ read, edits }: Props) {
  const { line, reading } = read;
  const type = (amount: Number | undefined) => {
    const fixes = correction(read, amount === undefined ? { amounts: [] } : fixOfAmount(reading, amount));
    edits.edit((content) => lines.fix(content, line.id, fixes), `amount ${line.id}`);
  };
  return <AmountInput amounts={reading.amounts} onType={type} />;
}

export function UnitField({ read, edits }: Props) {
  const { line, reading } = read;
  const choose = (unit: string | null) => {
    const fixes = correction(read, fixOfAmount(reading, { unit }));
    edits.edit((content) => lines.fix(content, line.id, fixes));
  };
  return <UnitSelect amounts={reading.amounts} onChoose={choose} />;
}

type Amounts = { amounts: readonly Pick<Amount, 'from' | 'to' | 'unit' | 'each'>[] };

/** The number of the first of these amounts. @param props.onType gets undefined where nothing is typed */
export function AmountInput({ amounts, onType }: Amounts & { onType: (amount: Number | undefined) => void }) {
  const [first, ...others] = amounts;
  const [typed, setTyped] = useState<string | null>(null);
  const parsed = typed === null ? null : amountTyped(typed);
  // Undone, or read anew: what was typed is not what is there now.
  const isCurrent =
    parsed === null ||
    (parsed[0] === undefined ? first === undefined : first !== undefined && sameAmount(parsed[0], first));
  const shown = typed !== null && isCurrent ? typed : first ? showSize({ ...first, unit: null }) : '';
  const type = (value: string) => {
    setTyped(value);
    const now = amountTyped(value);
    if (now !== null) onType(now[0]);
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

export function UnitSelect({ amounts, onChoose }: Amounts & { onChoose: (unit: string | null) => void }) {
  const unit = amounts[0]?.unit ?? '';
  const isListed = unit === '' || UNITS.some(({ units }) => units.includes(unit));
  return (
    <Field label="Unit">
      {(wiring) => (
        <Select
          {...wiring}
          value={unit}
          disabled={amounts.length === 0}
          onChange={({ target }) => onChoose(dimensionOf(target.value) === null ? null : target.value)}
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
