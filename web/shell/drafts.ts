/**
 * Text that was typed and not yet saved. It lies in this tab's session storage, so it survives a reload, a dead network
 * and logging in again, and is gone with the tab. Never for passwords or codes.
 */
const PREFIX = 'draft:';

export function readDraft<T extends object>(key: string): Partial<T> | null {
  try {
    const kept = sessionStorage.getItem(PREFIX + key);
    return kept ? (JSON.parse(kept) as Partial<T>) : null;
  } catch {
    return null;
  }
}

export function keepDraft(key: string, values: object): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(values));
  } catch {
    // Full or forbidden: the text is still in the form.
  }
}

export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // Forbidden: then nothing was kept either.
  }
}

/** On logging out: the next person at this browser finds nothing. */
export function dropAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
