/**
 * Copies a data folder while its database works, and puts a copy back.
 *
 * A copy of a working cluster's files is no database: pages are written in between. PostgreSQL knows how to make one of it
 * ("Making a Base Backup Using the Low Level API"): it is told when the copying begins and ends, and whoever starts over
 * the copy reads the write-ahead log of that time again. That log is kept for us by a replication slot that ends with our
 * connection. So the copy holds everything committed up to its end. Only the keys stay outside: whoever finds a backup must not find with it
 * what opens it.
 */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { keyMarks } from '#server/secrets.ts';

export type Backup = {
  format: 'creator-hq-backup';
  version: 1;
  at: string;
  /** Major version of PostgreSQL: only the same one reads it. */
  postgres: string;
  /** The last migration applied: programs as new as that, or newer, read it. */
  migration: string;
  files: number;
  bytes: number;
  /** Marks of the keys in the DATA_DIR it was made of, which it does not hold. Absent: a backup of before, which does. */
  keys?: string[];
  /** Of all names and contents. */
  sha256: string;
};

/** Something about the folders that the person at the keyboard can put right. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

const ABOUT = 'backup.json';
/** Their way to the disk is shared by those that are under way together. */
const FILES_AT_A_TIME = 32;
const CLUSTER = 'postgres';
/** Of one start, or made again by the next; the keys; and the list of who gets no more mail, which a backup must not turn back. */
const NOT_OF_DATA_DIR = /^(run|postgres|postgres\.log(\.1)?|\.initdb-.*|keys\.json.*|no-mail-list\.jsonl.*)$/;
const KEYS = 'keys.json';
/** Files PostgreSQL's own tool leaves out (src/backend/backup/basebackup.c), besides the log, which is copied last. */
const EMPTY_FOLDERS = [
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
  ...['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries'],
];
const LEFT_OUT_FILES =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles.*)$/;
const LEFT_OUT_ANYWHERE = /^pgsql_tmp/;

/**
 * Copies what `dataDir` holds into the new folder `target`.
 *
 * @param options.connectionString of the server that works on `dataDir`, as its superuser
 * @throws BackupRefused when `target` is there already
 */
export async function backUp(options: {
  dataDir: string;
  target: string;
  connectionString: string;
  now: Date;
}): Promise<Backup> {
  const { dataDir, connectionString, now } = options;
  const target = path.resolve(options.target);
  if (existsSync(target)) throw new BackupRefused(`${target} is there already. Name a folder that is not.`);
  const draft = `${target}.partial`;
  const client = new pg.Client({ connectionString, application_name: 'creator-hq backup' });
  await client.connect();
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(path.join(draft, CLUSTER), { recursive: true, mode: 0o700 });
    const cluster = await copyCluster(client, path.join(dataDir, CLUSTER), path.join(draft, CLUSTER));
    for (const entry of await readdir(dataDir)) {
      if (!NOT_OF_DATA_DIR.test(entry)) await copyTree(path.join(dataDir, entry), path.join(draft, entry));
    }
    const about: Backup = {
      format: 'creator-hq-backup',
      version: 1,
      at: now.toISOString(),
      ...cluster,
      keys: keyMarks(path.join(dataDir, KEYS)),
      ...(await digestOf(draft)),
    };
    await writeDurably(path.join(draft, ABOUT), `${JSON.stringify(about, null, 2)}\n`);
    await rename(draft, target);
    await syncFolder(path.dirname(target));
    return about;
  } finally {
    // Ends the backup in PostgreSQL too, where it broke off.
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Puts a backup into `dataDir`, which must be empty or not there; the next start goes on from it.
 *
 * @param options.keysFile the copy of `keys.json` that was kept apart
 * @throws BackupRefused when it is no whole backup, when its keys are missing, or `dataDir` holds something
 */
export async function restore({
  from,
  dataDir,
  keysFile,
}: {
  from: string;
  dataDir: string;
  keysFile?: string | undefined;
}): Promise<Backup> {
  const source = path.resolve(from);
  const about = await readAbout(source);
  const held = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (held.length > 0) {
    throw new BackupRefused(
      `${dataDir} is not empty (it has ${held[0]}). Move it away, or set DATA_DIR to another folder.`,
    );
  }
  refuseOtherKeys(about.keys ?? [], keysFile);
  const { sha256 } = await digestOf(source);
  if (sha256 !== about.sha256) {
    throw new BackupRefused(`${source} was changed or damaged since it was made. Use another backup.`);
  }
  // Complete or not at all: a start over half of it would begin an empty database.
  const draft = `${path.resolve(dataDir)}.partial`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(source)) {
    if (entry !== ABOUT) await copyTree(path.join(source, entry), path.join(draft, entry));
  }
  if (keysFile !== undefined) {
    await copyFile(keysFile, path.join(draft, KEYS));
    await chmod(path.join(draft, KEYS), 0o600);
  }
  await giveToOwnerOf(path.dirname(draft), draft);
  if (existsSync(dataDir)) await rmdir(dataDir);
  await rename(draft, dataDir);
  await syncFolder(path.dirname(dataDir));
  return about;
}

function refuseOtherKeys(needed: string[], keysFile: string | undefined): void {
  const given = keysFile === undefined ? [] : keyMarks(keysFile);
  const missing = needed.filter((mark) => !given.includes(mark)).map((mark) => mark.split(' ')[0]);
  if (missing.length === 0) return;
  const needs = `This backup needs the ${KEYS} that was in DATA_DIR when it was made; it holds no keys.`;
  throw new BackupRefused(
    keysFile === undefined
      ? `${needs} Name your copy: npm run restore -- FOLDER KEYS`
      : `${needs} ${keysFile} is not it: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing or different.`,
  );
}

async function readAbout(source: string): Promise<Backup> {
  const text = await readFile(path.join(source, ABOUT), 'utf8').catch(() => null);
  const about = text === null ? null : (JSON.parse(text) as Backup);
  if (about?.format !== 'creator-hq-backup') {
    throw new BackupRefused(`${source} is no backup of Creator HQ: ${ABOUT} is missing. One that broke off has none.`);
  }
  if (about.version !== 1)
    throw new BackupRefused(`${source} was made by a newer Creator HQ. Restore it with that one.`);
  return about;
}

async function copyCluster(
  client: pg.Client,
  from: string,
  to: string,
): Promise<Pick<Backup, 'postgres' | 'migration'>> {
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [
    `creator_hq_backup_${process.pid}`,
  ]);
  const { rows: began } = await client.query<{ lsn: string }>("select pg_backup_start('creator-hq', true) as lsn");
  for (const folder of EMPTY_FOLDERS) await mkdir(path.join(to, folder), { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from)) {
    if (EMPTY_FOLDERS.includes(entry) || LEFT_OUT_FILES.test(entry)) continue;
    await copyTree(path.join(from, entry), path.join(to, entry), true);
  }
  const { rows: ended } = await client.query<{ lsn: string; labelfile: string; spcmapfile: string }>(
    'select lsn, labelfile, spcmapfile from pg_backup_stop(false)',
  );
  const { lsn, labelfile, spcmapfile } = ended[0]!;
  await writeDurably(path.join(to, 'backup_label'), labelfile);
  if (spcmapfile !== '') await writeDurably(path.join(to, 'tablespace_map'), spcmapfile);
  await copyLog(client, { from, to, began: began[0]!.lsn, ended: lsn });
  await syncFolder(to);
  const { rows } = await client.query<{ postgres: string; migration: string }>(
    `select split_part(current_setting('server_version'), '.', 1) as postgres,
       (select name from schema_migrations order by number desc limit 1) as migration`,
  );
  return rows[0]!;
}

/** Every segment that the time of the copying touched: without one of them nothing can be made of the copy. */
async function copyLog(
  client: pg.Client,
  { from, to, began, ended }: { from: string; to: string; began: string; ended: string },
): Promise<void> {
  const { rows } = await client.query<{ first: string; last: string }>(
    'select pg_walfile_name($1) as first, pg_walfile_name($2) as last',
    [began, ended],
  );
  const { first, last } = rows[0]!;
  const present = await readdir(path.join(from, 'pg_wal'));
  const segments = present.filter((name) => /^[\dA-F]{24}$/.test(name) && name >= first && name <= last);
  if (!segments.includes(first) || !segments.includes(last)) {
    throw new BackupRefused('The database’s log of the time of copying is not complete. Try again.');
  }
  const histories = present.filter((name) => name.endsWith('.history'));
  for (const name of [...segments, ...histories]) {
    await copyDurably(path.join(from, 'pg_wal', name), path.join(to, 'pg_wal', name));
  }
  await syncFolder(path.join(to, 'pg_wal'));
}

/** @param vanishing files may go while they are copied; the log knows of it */
async function copyTree(from: string, to: string, vanishing = false): Promise<void> {
  const files: { from: string; to: string }[] = [];
  const folders: string[] = [];
  await findFiles(from, to);
  await Promise.all(Array.from({ length: FILES_AT_A_TIME }, copyNext));
  for (const folder of folders.reverse()) await syncFolder(folder);

  async function findFiles(here: string, there: string): Promise<void> {
    const info = await lstat(here).catch(unlessVanished);
    if (info?.isFile()) files.push({ from: here, to: there });
    if (!info?.isDirectory()) return;
    await mkdir(there, { recursive: true, mode: 0o700 });
    folders.push(there);
    for (const entry of (await readdir(here).catch(unlessVanished)) ?? []) {
      if (vanishing && (LEFT_OUT_ANYWHERE.test(entry) || LEFT_OUT_FILES.test(entry))) continue;
      await findFiles(path.join(here, entry), path.join(there, entry));
    }
  }

  async function copyNext(): Promise<void> {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      await copyDurably(file.from, file.to).catch(unlessVanished);
    }
  }

  function unlessVanished(error: NodeJS.ErrnoException): undefined {
    if (!vanishing || error.code !== 'ENOENT') throw error;
  }
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const copy = await open(to, 'r+');
  try {
    await copy.chmod(0o600);
    await copy.sync();
  } finally {
    await copy.close();
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flush: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function digestOf(folder: string): Promise<Pick<Backup, 'files' | 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((entry) => entry.isFile() && !(entry.name === ABOUT && entry.parentPath === folder))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  for (const name of paths) {
    hash.update(`${name}\0`);
    for await (const part of createReadStream(path.join(folder, name))) {
      hash.update(part as Buffer);
      bytes += (part as Buffer).length;
    }
    files++;
  }
  return { files, bytes, sha256: hash.digest('hex') };
}

/** Root working in somebody's folder: what it makes belongs to that somebody. */
async function giveToOwnerOf(parent: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(parent);
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(path.join(entry.parentPath, entry.name), uid, gid);
  }
  await chown(folder, uid, gid);
}
