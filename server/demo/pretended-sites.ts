import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';

/** Sites of the demo that nobody has. @param statusOf what the site of an address answers */
export function answering(statusOf: (url: string) => number): GuardedFetch {
  const request: GuardedFetch['request'] = async ({ url }) => ({
    kind: 'answer',
    status: statusOf(url),
    headers: { 'content-type': 'text/html' },
    bytes: Buffer.alloc(0),
    text: `<title>${url}</title><h1>Recipe</h1>`,
    tookMs: 180,
    certificateEndsAt: null,
  });
  return { request } as GuardedFetch;
}
