/**
 * Calls begun before the code that wants their answers has arrived (`boot.ts`, HQ home). Each answer is
 * handed out once, and soon; whoever asks again makes a call of his own.
 */
const begun = new Map<string, { answer: Promise<Response>; at: number }>();
/** Longer than the code takes on a slow phone. A screen that is opened later wants to know how it is then. */
const FRESH_MS = 20_000;
const waiting: (() => void)[] = [];

export function beginEarly(address: string): Promise<Response> {
  const answer = fetch(address, { credentials: 'same-origin', headers: { accept: 'application/json' } });
  // Its consumer sees the failure; until then it must not count as unhandled.
  answer.catch(() => {});
  begun.set(address, { answer, at: performance.now() });
  return answer;
}

/** Calls when the last of them has found its taker; never, where all have by now. */
export function whenEarlyTaken(work: () => void): void {
  if (begun.size > 0) waiting.push(work);
}

export function takeEarly(address: string): Promise<Response> | undefined {
  const early = begun.get(address);
  begun.delete(address);
  if (begun.size === 0) for (const work of waiting.splice(0)) queueMicrotask(work);
  return early !== undefined && performance.now() < early.at + FRESH_MS ? early.answer : undefined;
}
