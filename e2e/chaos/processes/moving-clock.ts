/** Moves the clock of programs under test (`program.ts`): through a file, so that those started later read it too. */
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** In the DATA_DIR of the program. */
export const CLOCK_FILE = 'chaos-clock';

/** The programs look at the file so often. */
const SEEN_AFTER_MS = 150;

export class MovingClock {
  private readonly file: string;
  /** Together with the simulator's clock. */
  private passedMs = 0;
  /** Only the programs': how wrong their clock is. */
  private offMs = 0;

  constructor(dataDir: string) {
    this.file = path.join(dataDir, CLOCK_FILE);
  }

  /** Time goes by: the simulator's clock must be moved as far. */
  async pass(ms: number): Promise<void> {
    this.passedMs += ms;
    await this.write();
  }

  /** The programs' clock is so far from the simulator's from now on. */
  async setOff(ms: number): Promise<void> {
    this.offMs = ms;
    await this.write();
  }

  private async write(): Promise<void> {
    const draft = `${this.file}.draft`;
    await writeFile(draft, String(this.passedMs + this.offMs));
    await rename(draft, this.file);
    await pause(SEEN_AFTER_MS);
  }
}
