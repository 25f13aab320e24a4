/** Calls that go out to one account: so many at once and a second, and half of that for a while after Stripe said that it is too many. */
const AT_ONCE = 10;
/** Stripe takes 100 a second [S]. */
const PER_SECOND = 80;
const SLOW_FOR_MS = 60_000;

/** @param ask as `fetch` @returns the same, for calls that wait for their turn in the order in which they came */
export function limitCalls(ask: typeof fetch): typeof fetch {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let nextAt = 0;
  let slowUntil = 0;
  let timer: NodeJS.Timeout | null = null;

  const letGo = () => {
    timer = null;
    const now = performance.now();
    while (waiting.length > 0 && underWay < AT_ONCE && nextAt <= now) {
      underWay++;
      nextAt = Math.max(nextAt, now - 1000 / PER_SECOND) + 1000 / (now < slowUntil ? PER_SECOND / 2 : PER_SECOND);
      waiting.shift()!();
    }
    if (waiting.length > 0 && underWay < AT_ONCE) timer ??= setTimeout(letGo, Math.max(1, nextAt - now));
  };

  return async (...given) => {
    const turn = new Promise<void>((resolve) => waiting.push(resolve));
    if (timer === null) letGo();
    await turn;
    try {
      const response = await ask(...given);
      if (response.status === 429) slowUntil = performance.now() + SLOW_FOR_MS;
      return response;
    } finally {
      underWay--;
      if (timer === null) letGo();
    }
  };
}
