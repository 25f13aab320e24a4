/** Stands in for the mail server that `SMTP_URL` names: takes mails, or answers as a test says. Speaks real SMTP on loopback. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = { from: string; to: string; raw: string; at: Date };

/**
 * Its answer to a recipient: takes the mail, refuses it with a code and words, never answers, or takes the mail without
 * saying so.
 */
export type Answer = 'accept' | 'silence' | 'accept in silence' | { code: number; message: string };

export type MailServer = {
  url: string;
  received: ReceivedMail[];
  /** Whom it answers what from now on. Default: accepts everybody's. */
  answer(decide: (recipient: string) => Answer): void;
  /** How long it thinks about each mail from now on. */
  delay(ms: number): void;
  close(): Promise<void>;
};

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let decide: (recipient: string) => Answer = () => 'accept';
  let delayMs = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const answer = decide(address);
      if (answer === 'silence') return;
      if (typeof answer === 'string') return callback();
      callback(Object.assign(new Error(answer.message), { responseCode: answer.code }));
    },
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo[0]!.address;
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => void parts.push(part));
      stream.on('end', () => {
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to, raw: Buffer.concat(parts).toString('latin1'), at: new Date() });
        if (decide(to) === 'accept in silence') return;
        setTimeout(callback, delayMs);
      });
    },
  });
  // A killed sender resets its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    answer: (next) => {
      decide = next;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
