import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Snapshot, World } from './world.ts';

const DEBOUNCE_MS = 300;

/**
 * Keeps the world in a file: read at start, written a moment after each change and on close. Written beside and renamed, so a crash leaves
 * either the old file or the new one.
 */
export class SnapshotFile {
  readonly #path: string;
  readonly #world: World;
  #timer: NodeJS.Timeout | null = null;

  constructor(path: string, world: World) {
    this.#path = path;
    this.#world = world;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** @returns the saved world, or undefined when there is none yet; a broken file throws */
  read(): Snapshot | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    return JSON.parse(text) as Snapshot;
  }

  saveSoon(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.save(), DEBOUNCE_MS);
    this.#timer.unref();
  }

  save(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const beside = `${this.#path}.new`;
    writeFileSync(beside, JSON.stringify(this.#world.toSnapshot()));
    renameSync(beside, this.#path);
  }
}
