/** Stands in for the name servers that `DNS_SERVERS` names. Speaks real DNS over UDP on loopback. */
import { createSocket } from 'node:dgram';
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet';

export type NameServer = {
  /** As in `DNS_SERVERS`: `127.0.0.1:5353`. */
  address: string;
  /** Names that were asked for, in lower case. */
  asked: string[];
  /** The TXT records of a name from now on. A text longer than 255 bytes goes out in parts; none: there is no such name. */
  put(name: string, ...texts: string[]): void;
  /** How it fails from now on; null: it answers. */
  fail(how: 'servfail' | 'silence' | null): void;
  close(): Promise<void>;
};

const NO_SUCH_NAME = 3;
const SERVER_FAILED = 2;
const PART_BYTES = 255;

export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string[]>();
  const asked: string[] = [];
  let failing: 'servfail' | 'silence' | null = null;
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const query = decode(message);
    const name = query.questions![0]!.name.toLowerCase();
    asked.push(name);
    if (failing === 'silence') return;
    const texts = query.questions![0]!.type === 'TXT' ? (records.get(name) ?? []) : [];
    const rcode = failing === 'servfail' ? SERVER_FAILED : texts.length === 0 ? NO_SUCH_NAME : 0;
    const answers =
      failing === null ? texts.map((text) => ({ type: 'TXT' as const, name, ttl: 60, data: partsOf(text) })) : [];
    const answer: Packet = {
      type: 'response',
      ...(query.id !== undefined && { id: query.id }),
      ...answerTo(query),
      answers,
    };
    socket.send(encode({ ...answer, flags: AUTHORITATIVE_ANSWER | rcode }), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    put: (name, ...texts) => void records.set(name.toLowerCase(), texts),
    fail: (how) => {
      failing = how;
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function answerTo({ questions }: Packet): Pick<Packet, 'questions'> {
  return questions === undefined ? {} : { questions };
}

function partsOf(text: string): string[] {
  return text.match(new RegExp(`.{1,${PART_BYTES}}`, 'gs')) ?? [''];
}
