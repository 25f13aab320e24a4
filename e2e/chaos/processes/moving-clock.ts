/** Moves the clock of programs under test (`program.ts`): through a file, so that those started later read it too. */
import { rename, writeFile } from 'node:fs/promises';

/** Names that file to a program under test. */
export const CLOCK_FILE_SETTING = 'CHAOS_CLOCK_FILE';

export class MovingClock {
  private readonly file: string;
  /** Together with the simulator's clock. */
  private passedMs = 0;
  /** Only the programs': how wrong their clock is. */
  private offMs = 0;

  /** @param file not on a disk that is filled up */
  constructor(file: string) {
    this.file = file;
  }

  /** Time goes by: the simulator's clock must be moved as far, and nobody may make a call in between. */
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
  }
}
