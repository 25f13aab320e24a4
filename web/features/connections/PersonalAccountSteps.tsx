import { useSearchParams } from 'react-router';
import { PERSONAL_ACCOUNT, TO_PROFESSIONAL } from '#web/features/connections/words.ts';

/** Before leaving for Instagram: what a personal account needs first. */
export function PersonalAccountSteps() {
  const [search] = useSearchParams();
  // On return from there the notice says it.
  if (search.get('connectProblem') === 'personal_account') return null;
  return (
    <div className="rounded-lg border border-line p-4 text-sm">
      <p className="font-medium">{PERSONAL_ACCOUNT}</p>
      <ol className="mt-1 flex list-decimal flex-col gap-1 pl-5 text-muted">
        {TO_PROFESSIONAL.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
