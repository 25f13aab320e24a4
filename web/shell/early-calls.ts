/**
 * Calls that every visit makes, begun before the code that wants their answers has arrived (`boot.ts`). Each answer is
 * handed out once; whoever asks again makes a call of his own.
 */
const begun = new Map<string, Promise<Response>>();

export function beginEarly(address: string): Promise<Response> {
  const answer = fetch(address, { credentials: 'same-origin', headers: { accept: 'application/json' } });
  // Whoever takes it sees the failure; until then it must not count as unhandled.
  answer.catch(() => {});
  begun.set(address, answer);
  return answer;
}

export function takeEarly(address: string): Promise<Response> | undefined {
  const answer = begun.get(address);
  begun.delete(address);
  return answer;
}
