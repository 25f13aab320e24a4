import { execFile } from 'node:child_process';
import { chown, lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const NOBODY = 65534;

/**
 * As whom PostgreSQL runs. It refuses to run as root, so a root start needs another way:
 *
 * - the data folder belongs to an ordinary user: run as that user;
 * - it belongs to root: run in a user namespace where root appears as `nobody`. Nothing is created on the system, and
 *   the files still belong to root, so folders closed to others (0700) above them are no obstacle;
 * - user namespaces are forbidden (many containers): run as `nobody` and give it the folder.
 */
export type Account = {
  description: string;
  /** Turns a program into what must be spawned. */
  command(program: string, args: string[]): Command;
  /** Makes a file or folder that we created belong to the account. */
  own(file: string): Promise<void>;
};

export type Command = { file: string; args: string[]; uid?: number; gid?: number };

/** The same command in a user namespace where its user appears as `nobody`. */
export function asNobody({ file, args, ...user }: Command): Command {
  return {
    file: 'unshare',
    args: ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--', file, ...args],
    ...user,
  };
}

const ourselves: Account = {
  description: 'the user who started the program',
  command: (file, args) => ({ file, args }),
  own: async () => {},
};

const rootInNamespace: Account = {
  description: 'root in a user namespace',
  command: (file, args) => asNobody({ file, args }),
  own: async () => {},
};

function otherUser(uid: number, gid: number): Account {
  return {
    description: `user ${uid}`,
    command: (file, args) => ({ file, args, uid, gid }),
    own: (file) => chown(file, uid, gid),
  };
}

/** Chooses the account for a data folder. `clusterDir` need not exist yet; `dataDir` must. */
export async function chooseAccount(dataDir: string, clusterDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return ourselves;
  const cluster = await stat(clusterDir).catch(() => undefined);
  const owner = cluster ?? (await stat(dataDir));
  if (owner.uid !== 0) return otherUser(owner.uid, owner.gid);
  if (await canMapRoot()) return rootInNamespace;
  if (cluster) await giveAway(clusterDir, NOBODY, NOBODY);
  // It is closed to others (0700): who works in it must own it.
  await chown(dataDir, NOBODY, NOBODY);
  return otherUser(NOBODY, NOBODY);
}

async function canMapRoot(): Promise<boolean> {
  const { file, args } = rootInNamespace.command('true', []);
  return promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );
}

async function giveAway(folder: string, uid: number, gid: number): Promise<void> {
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder)) {
    const child = path.join(folder, entry);
    const info = await lstat(child);
    if (info.isDirectory()) await giveAway(child, uid, gid);
    else if (info.isFile()) await chown(child, uid, gid);
  }
}
