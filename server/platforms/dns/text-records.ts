/** TXT records of a name, from several name servers: one may not know yet what another one does. */
import { getServers, Resolver } from 'node:dns/promises';

export type TextRecords = {
  /** How many name servers were asked. */
  asked: number;
  /** One for each that answered; a record's parts are put together. Empty: it says that there is none. */
  answers: string[][];
};

const TIMEOUT_MS = 2_000;
/** A machine may list more; these are enough to believe. */
const MOST_SERVERS = 5;
/** There is no such name, or no such record of it. Anything else is no answer. */
const NOTHING_THERE = ['ENOTFOUND', 'ENODATA'];

/** @param servers null: those of this machine */
export async function findTextRecords(
  servers: string[] | null,
  name: string,
  { timeoutMs = TIMEOUT_MS } = {},
): Promise<TextRecords> {
  const asked = (servers ?? getServers()).slice(0, MOST_SERVERS);
  const answers = await Promise.all(asked.map((server) => ask(server, name, timeoutMs)));
  return { asked: asked.length, answers: answers.filter((answer) => answer !== null) };
}

async function ask(server: string, name: string, timeoutMs: number): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  resolver.setServers([server]);
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    return NOTHING_THERE.includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
}
