/** The answer to the question about statistics; kept in this browser only. */
const KEY = 'statistics consent';

export type Consent = 'given' | 'refused' | 'not asked';

export function readConsent(): Consent {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'given' || kept === 'refused' ? kept : 'not asked';
  } catch {
    return 'refused'; // an answer could not be kept, and asking on every page is no way
  }
}

export function keepConsent(answer: 'given' | 'refused'): void {
  try {
    localStorage.setItem(KEY, answer);
  } catch {
    // As above.
  }
}
