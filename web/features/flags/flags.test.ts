import { afterEach, expect, it, vi } from 'vitest';
import type { Flags } from '#contract/flags.ts';
import { watchFlags } from '#web/features/flags/openfeature.ts';

const OF = { userId: 'u1', creatorId: 'c1', clientId: null };
const OFF = { mealPlansEnabled: false, appLinksEnabled: false, storyMentions: false, referralFactoryEnabled: false };

let stop = () => {};
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** The first answer of `watchFlags`. */
function firstFlags(answer: () => Promise<Response>) {
  const asked: { url: string; body: unknown }[] = [];
  // Node's own knows no page that an address could be relative to.
  class PageRequest extends Request {
    constructor(address: string, init?: RequestInit) {
      super(new URL(address, 'https://hq.example.com'), init);
    }
  }
  vi.stubGlobal('Request', PageRequest);
  vi.stubGlobal('fetch', async (request: string | URL | Request, init?: RequestInit) => {
    const url = request instanceof Request ? request.url : String(request);
    const text = request instanceof Request ? await request.text() : String(init?.body);
    asked.push({ url, body: JSON.parse(text) });
    return answer();
  });
  return new Promise<{ flags: Flags; asked: typeof asked }>((resolve) => {
    stop = watchFlags(OF, (flags) => resolve({ flags, asked }));
  });
}

it('has every flag off when nobody answers, instead of waiting for ever', async () => {
  const { flags } = await firstFlags(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(flags).toEqual(OFF);
});

it('asks our own OFREP endpoint for the creator and the person', async () => {
  const body = { flags: [{ key: 'appLinksEnabled', value: true, reason: 'STATIC', variant: 'on' }] };
  const { flags, asked } = await firstFlags(async () => Response.json(body, { headers: { etag: '"1"' } }));
  expect(flags).toEqual({ ...OFF, appLinksEnabled: true });
  expect(asked[0]).toMatchObject({
    url: 'https://hq.example.com/api/v1/ofrep/v1/evaluate/flags',
    body: { context: { targetingKey: 'c1', userId: 'u1' } },
  });
});
