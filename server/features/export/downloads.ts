/**
 * Downloads that hold a connection to the database while they run: one per creator and as many as there are connections for
 * them, counted before anything is waited for, and ended when the reader takes nothing. So readers who do not read keep
 * nobody from reading, and have the connections of nobody else.
 */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '#server/clock.ts';
import { DOWNLOADS_AT_ONCE } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';

/** A reader who takes nothing for so long is cut off. */
const SILENT_MS = 30_000;
/** One who takes a little now and then holds a connection, too. */
const LONGEST_MS = 60 * 60_000;
/** The least that a reader has to take in `SILENT_MS`. */
const PIECE_BYTES = 16 * 1024;

export function createDownloads({ clock }: { clock: Clock }) {
  const underWay = new Set<string>();

  return {
    /**
     * Sends what `begin` makes; the place is free again when the stream has gone, however it went.
     *
     * @param begin waits for what it likes and answers the text, which is not read before
     * @throws AppError too_many_requests, before `begin` is called
     */
    async send(creatorId: string, reply: FastifyReply, begin: () => Promise<AsyncIterable<string>>): Promise<void> {
      if (underWay.has(creatorId)) throw busy('A download of this account is in progress. Wait until it’s done.');
      if (underWay.size >= DOWNLOADS_AT_ONCE) throw busy('Other downloads are in progress.');
      underWay.add(creatorId);
      let file: Readable | null = null;
      try {
        const content = await begin();
        file = Readable.from(watched(content, { clock, giveUp: () => reply.raw.destroy() }));
        file.once('close', () => underWay.delete(creatorId));
        reply.send(file);
      } finally {
        if (file === null) underWay.delete(creatorId);
      }
    },
  };
}

function busy(detail: string): AppError {
  return new AppError('too_many_requests', `${detail} Try again in a minute.`, { retryAfterSeconds: 60 });
}

/** The same text in small pieces; calls `giveUp` when the next one is not asked for in time. */
export async function* watched(
  parts: AsyncIterable<string>,
  { clock, giveUp }: { clock: Clock; giveUp: () => void },
): AsyncGenerator<Buffer> {
  const endsAt = clock.now().getTime() + LONGEST_MS;
  for await (const part of parts) {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const taken = new AbortController();
      const patience = Math.min(SILENT_MS, endsAt - clock.now().getTime());
      void clock.sleep(patience, taken.signal).then(() => taken.signal.aborted || giveUp());
      try {
        yield bytes.subarray(at, at + PIECE_BYTES);
      } finally {
        taken.abort();
      }
    }
  }
}
