/** Makes a post's picture as small as cards show it. */
import { Worker } from 'node:worker_threads';
import type { Wanted } from './small-picture-worker.ts';

export type Picture = { contentType: string; bytes: Buffer };

/** A card of two beside each other on a phone, four on a desk: 4:5, as the grid shows it. */
const WIDTH = 320;
const HEIGHT = 400;
const QUALITY = 80;
/** Small enough as it is. The table takes 64 KB. */
const SMALL_BYTES = 40 * 1024;
const LARGEST_KEPT_BYTES = 64 * 1024;
const TIMEOUT_MS = 20_000;
const TAKEN_APART = ['image/jpeg', 'image/png', 'image/webp'];

/** A JPEG of 320 × 400 pixels, or the picture itself where it is small already. Failures are data: a card can do without. */
export async function smallPicture({ contentType, bytes }: Picture): Promise<Picture | { problem: string }> {
  if (bytes.length <= SMALL_BYTES) return { contentType, bytes };
  if (!TAKEN_APART.includes(contentType)) return { problem: `a large ${contentType}` };
  const wanted: Wanted = { bytes, width: WIDTH, height: HEIGHT, quality: QUALITY };
  const worker = new Worker(new URL('./small-picture-worker.ts', import.meta.url), {
    workerData: wanted,
    stderr: true,
  });
  const answer = Promise.withResolvers<Picture | { problem: string }>();
  const timer = setTimeout(() => answer.resolve({ problem: 'took too long' }), TIMEOUT_MS);
  worker.once('message', (small: Uint8Array) =>
    answer.resolve({ contentType: 'image/jpeg', bytes: Buffer.from(small) }),
  );
  worker.once('error', (error: Error) => answer.resolve({ problem: error.message }));
  worker.once('exit', () => answer.resolve({ problem: 'ended early' }));
  try {
    const small = await answer.promise;
    return 'bytes' in small && small.bytes.length > LARGEST_KEPT_BYTES ? { problem: 'still too large' } : small;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
