import { statfs } from 'node:fs/promises';
import type { DiskSpace } from '#contract/admin.ts';

export type ReadDisk = () => Promise<DiskSpace>;

/** The disk that a folder is on; what only its superuser could still fill counts as used. */
export function diskOf(dir: string): ReadDisk {
  return async () => {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  };
}
