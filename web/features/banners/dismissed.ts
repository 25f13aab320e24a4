/** Banners put away for this session of the browser, for one creator. */
const KEY = 'dismissed banners';

/** A banner about something else (another count, another version) is a new one: hence the text in the name. */
export function dismissalOf(creatorId: string, banner: { id: string; text: string }): string {
  return `${creatorId} ${banner.id} ${banner.text}`;
}

export function readDismissed(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[];
  } catch {
    return []; // storage may be forbidden
  }
}

export function keepDismissed(dismissed: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(dismissed));
  } catch {
    // It holds until the page is left.
  }
}
