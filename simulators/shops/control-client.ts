import type { Fault, Ledger } from './types.ts';

/** Drives a simulator of another process: what goes wrong, and what was asked of it. */
export class ShopsSimulatorControl {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  failNext(...faults: Fault[]): Promise<void> {
    return this.#tell({ faults });
  }

  setKeyGood(isKeyGood: boolean): Promise<void> {
    return this.#tell({ isKeyGood });
  }

  async ledger(): Promise<Ledger> {
    return (await fetch(`${this.url}/_control/ledger`)).json() as Promise<Ledger>;
  }

  async #tell(what: object): Promise<void> {
    await fetch(`${this.url}/_control`, { method: 'POST', body: JSON.stringify(what) });
  }
}
