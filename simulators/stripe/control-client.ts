import type { StripeControl } from './control.ts';

/** Drives a simulator of another process: the same as its `control`, said over HTTP. */
export function createStripeControl(url: string): StripeControl {
  const verbs = new Proxy({} as StripeControl, {
    get:
      (_, verb) =>
      async (...said: unknown[]) => {
        const answer = await fetch(`${url}/control/${String(verb)}`, { method: 'POST', body: JSON.stringify(said) });
        const told = (await answer.json()) as { is?: unknown; error?: { message: string } };
        if (!answer.ok) throw new Error(told.error?.message ?? `The simulator answered ${answer.status}.`);
        return told.is;
      },
  });
  return verbs;
}
