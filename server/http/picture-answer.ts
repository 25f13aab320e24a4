import type { FastifyReply } from 'fastify';

/** Sends a stored picture of a creator. Its address names one picture: browsers keep it for a week. */
export function sendPicture(reply: FastifyReply, picture: { content_type: string; bytes: Buffer }): void {
  reply
    .type(picture.content_type)
    .header('cache-control', 'private, max-age=604800, immutable')
    // An SVG opened by itself is a page of ours, and must be able to do nothing.
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    )
    .header('x-content-type-options', 'nosniff')
    .send(picture.bytes);
}
