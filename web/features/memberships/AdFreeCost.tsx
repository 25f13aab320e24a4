import { useState } from 'react';
import { amountIn, amountLabel } from '#contract/amounts.ts';
import { adFreeCost, paidAMonth } from '#web/features/memberships/ad-free-cost.ts';
import { AD_FREE } from '#web/features/memberships/words.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

const FIELDS = ['income', 'views', 'reads'] as const;

/** Beside the price: what members cost in ads that they don't see. Nothing of it is kept. @param month a price as typed */
export function AdFreeCost({ month, year, currency }: { month: string; year: string; currency: string }) {
  const [typed, setTyped] = useState({ income: '', views: '', reads: '40' });
  const count = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replaceAll(/[\s,]/g, '')));
  const reads = count(typed.reads);
  const costs = adFreeCost({
    income: amountIn(typed.income.replaceAll(/,(?=\d{3}\b)/g, ''), currency),
    views: count(typed.views),
    reads,
  });
  const pays = paidAMonth(amountIn(month, currency), amountIn(year, currency));
  return (
    <details className="rounded-lg border border-line px-4 py-3">
      <summary className="cursor-pointer font-medium text-sm">{AD_FREE.title}</summary>
      <div className="mt-3 grid items-end gap-4 sm:grid-cols-3">
        {FIELDS.map((name) => (
          <Field key={name} label={AD_FREE[name]}>
            {(wiring) => (
              <Input
                {...wiring}
                inputMode="decimal"
                autoComplete="off"
                value={typed[name]}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <p role="status" className="mt-3 text-sm">
        {costs !== null && (
          <>
            {AD_FREE.says(reads, amountLabel(costs, currency), pays === null ? null : amountLabel(pays, currency))}{' '}
            {pays !== null && costs > pays && <strong>{AD_FREE.more}</strong>}
          </>
        )}
      </p>
    </details>
  );
}
