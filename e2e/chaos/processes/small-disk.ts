/** A disk that can be filled up: a file system in memory of a fixed size. Only root may make one. */
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SIZE_MB = 768;
const CHUNK = Buffer.alloc(4 * 1024 * 1024);

export type SmallDisk = {
  /** Until not a byte is left. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
};

/** Unmounted with the folder of its world. @returns null where this user may not mount anything */
export async function makeSmallDisk(folder: string): Promise<SmallDisk | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0755`, 'tmpfs', folder]);
  } catch {
    // In a container root may lack the right.
    return null;
  }
  const filler = path.join(folder, 'filler');
  return {
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (let size = CHUNK.length; size >= 1; ) {
          const { bavail, bsize } = await statfs(folder);
          if (bavail === 0) return;
          size = Math.min(size, bavail * bsize);
          try {
            await file.write(CHUNK, 0, size);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            size = Math.floor(size / 2);
          }
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
  };
}
