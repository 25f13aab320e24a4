/** Through which mail server each creator's mails go, for the time of one job: their own, or the shared one. */
import type { Config } from '#server/config.ts';
import { connect } from '#server/features/sending/mail-servers.ts';
import type { OwnServer } from '#server/features/sending/whom-from.ts';
import { mailMarksOf } from '#server/platforms/email/bounces/mail-marks.ts';
import type { MailTransport } from '#server/platforms/email/transport.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import type { Keys } from '#server/secrets.ts';

export type LineDeps = {
  keys: Keys;
  config: Pick<Config, 'smtpUrl' | 'trying' | 'bounces'>;
  fetching: Pick<GuardedFetch, 'addressOf'>;
  readerTransport: Pick<MailTransport, 'deliver'>;
};

/** Without a shared mail server mails wait for it; in a trial they are on the mailbox page. */
export const hasSharedLine = ({ smtpUrl, trying }: LineDeps['config']) => smtpUrl !== null || trying;

export class Lines implements Disposable {
  #deps: LineDeps;
  #own = new Map<string, Promise<MailTransport>>();

  constructor(deps: LineDeps) {
    this.#deps = deps;
  }

  /** @throws where there is none */
  async of(creatorId: string, server: OwnServer | null): Promise<Pick<MailTransport, 'deliver'>> {
    const { config, keys, readerTransport } = this.#deps;
    if (server === null) {
      if (!hasSharedLine(config)) throw new Error('No mail server is set up.');
      return readerTransport;
    }
    // What comes back goes to their address: its mail server would not let ours pass, nor would SPF.
    const marks = { returnPath: () => null, headers: mailMarksOf(config, keys).headers };
    const line = this.#own.get(creatorId) ?? connect(this.#deps, server, { marks });
    this.#own.set(creatorId, line);
    return line;
  }

  [Symbol.dispose](): void {
    for (const line of this.#own.values()) {
      line.then(
        (transport) => transport.close(),
        () => {},
      );
    }
  }
}
