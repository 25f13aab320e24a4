/** The folder of everything that is kept: closed to other users of the machine from the first file on. */
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Makes the folder, or closes the one that is there unless it holds other things than ours. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const folder = path.resolve(dataDir);
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (created === undefined) return closeIfOurs(folder);
  if (process.getuid?.() !== 0) return;
  // Root working in somebody's folder: the data belongs to that somebody, who may start the program next time.
  const parent = await stat(path.dirname(created));
  if (parent.uid !== 0) await giveFolders(created, folder, parent);
}

/** An empty one, and one that an earlier version left open. Somebody may have named a folder that others use: `/tmp`. */
async function closeIfOurs(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return;
  const held = await readdir(folder);
  if (held.length === 0 || held.includes('keys.json') || held.includes('postgres')) await chmod(folder, 0o700);
}

async function giveFolders(first: string, last: string, owner: { uid: number; gid: number }): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = path.dirname(folder)) {
    await chown(folder, owner.uid, owner.gid);
  }
}
