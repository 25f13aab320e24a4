/** Stands in for the mail server that `SMTP_URL` names: takes mails, or answers as a test says. Speaks real SMTP on loopback. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export type ReceivedMail = { from: string; to: string; raw: string; at: Date };

/**
 * Its answer to a recipient: takes the mail, refuses it with a code and words, never answers, hangs up, or takes the mail and then
 * says nothing or hangs up. `to`: refuses another command than the one that names the recipient.
 */
export type Answer =
  | ('accept' | 'silence' | 'hang up' | 'accept in silence' | 'accept and hang up')
  | { code: number; message: string; to?: 'AUTH' | 'MAIL FROM' | 'DATA' };

export type MailServer = {
  url: string;
  received: ReceivedMail[];
  /** Whom it answers what from now on: a recipient, or who logs in or sends. Default: accepts everybody's. */
  answer(decide: (whom: string) => Answer | Promise<Answer>): void;
  /** How long it thinks about each mail from now on. */
  delay(ms: number): void;
  close(): Promise<void>;
};

/** As `smtp-server` keeps them, which has no way of its own to break one off. */
type Connections = { connections: Set<{ id: string; _socket: Socket }> };

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let decide: Parameters<MailServer['answer']>[0] = () => 'accept';
  let delayMs = 0;
  const refusal = (answer: Answer, command: string) =>
    typeof answer === 'object' && (answer.to ?? 'RCPT TO') === command
      ? Object.assign(new Error(answer.message), { responseCode: answer.code })
      : null;
  const hangUp = ({ id }: SMTPServerSession) =>
    [...(server as unknown as Connections).connections].find((one) => one.id === id)?._socket.destroy();
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    async onAuth({ username = '' }, _session, callback) {
      callback(refusal(await decide(username), 'AUTH'), { user: 'creator-hq' });
    },
    async onMailFrom({ address }, _session, callback) {
      callback(refusal(await decide(address), 'MAIL FROM'));
    },
    async onRcptTo({ address }, session, callback) {
      const answer = await decide(address);
      if (answer === 'silence') return;
      if (answer === 'hang up') return hangUp(session);
      callback(refusal(answer, 'RCPT TO'));
    },
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo[0]!.address;
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => void parts.push(part));
      stream.on('end', async () => {
        const answer = await decide(to);
        const refused = refusal(answer, 'DATA');
        if (refused !== null) return callback(refused);
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to, raw: Buffer.concat(parts).toString('latin1'), at: new Date() });
        if (answer === 'accept in silence') return;
        if (answer === 'accept and hang up') return hangUp(session);
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
