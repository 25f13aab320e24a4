/** Copies the creator's own story pictures, whose addresses die with the story. */
import { request } from 'undici';

const MOST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** The picture at an address that Instagram gave. Failures are data: a story without a picture is still a story. */
export async function downloadPicture(
  url: string,
): Promise<{ contentType: string; bytes: Buffer } | { problem: string }> {
  try {
    const { statusCode, headers, body } = await request(url, {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(2 * TIMEOUT_MS),
    });
    const contentType = String(headers['content-type'] ?? '')
      .split(';')[0]!
      .trim()
      .toLowerCase();
    if (statusCode !== 200 || !/^image\/[\w.+-]{1,40}$/.test(contentType)) {
      await body.dump();
      return { problem: `status ${statusCode}, ${contentType || 'no type'}` };
    }
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      size += part.length;
      // Leaving the loop ends the download.
      if (size > MOST_BYTES) return { problem: 'too large' };
      parts.push(part);
    }
    return { contentType, bytes: Buffer.concat(parts) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
