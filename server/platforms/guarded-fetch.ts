/**
 * Requests to addresses that users gave us. They must not reach what only this machine can: other services of its
 * network, the cloud's metadata, itself. So a name is resolved once, every address is looked at, and the connection goes
 * to exactly that address; a name that answers differently a second later (DNS rebinding) gains nothing. No redirects.
 */
import dns from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Agent, buildConnector } from 'undici';

export type GuardedRequest = {
  url: string;
  method: 'POST' | 'GET';
  headers: Record<string, string>;
  body?: string;
  /** For everything: resolving, connecting, sending, reading. */
  timeoutMs: number;
  /** More of the answer is not read; 16 KB unless told otherwise. */
  maxBytes?: number;
};

export type GuardedFailure =
  | 'bad_address'
  | 'private_address'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'broken_off';

/** `refused`: it was never sent. `no_answer`: it may have arrived. `says` is for people. */
export type GuardedAnswer =
  | {
      kind: 'answer';
      status: number;
      bytes: Buffer;
      /** The bytes, read as UTF-8. */
      text: string;
      /** By lower-case name; of several of one name the last. */
      headers: Record<string, string>;
      tookMs: number;
      /** Null over http. */
      certificateEndsAt: Date | null;
    }
  | { kind: 'refused' | 'no_answer'; because: GuardedFailure; says: string };

export type GuardedFetch = {
  request(request: GuardedRequest): Promise<GuardedAnswer>;
  /**
   * For connections that are no requests: which address of a host to connect to, and to no other.
   * @throws NotAllowed; or the resolver's error
   */
  addressOf(host: string): Promise<string>;
  close(): Promise<void>;
};

const MAX_RESPONSE_BYTES = 16 * 1024;
/** Whose certificate is remembered; every request asks for it again. */
const HOSTS_REMEMBERED = 1000;

/** Addresses in the public internet; everything else is special in the registries of IANA (RFC 6890). */
const SPECIAL_V4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);
/** Of version 6 only 2000::/3 is given out; within it, tunnels lead to addresses of version 4 that nobody looked at. */
const PUBLIC_V6 = blockList('ipv6', [['2000::', 3]]);
const SPECIAL_V6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/**
 * Where machines tell their secrets to whoever asks from inside: link-local addresses, the clouds' metadata outside of
 * them, and every form of version 6 that holds an address of version 4. A block list takes `::ffff:a.b.c.d` for `a.b.c.d`.
 */
const NEVER_V4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.192', 32],
  ['224.0.0.0', 3],
]);
const NEVER_V6 = blockList('ipv6', [
  ['::a9fe:0', 112],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fe80::', 10],
  ['ff00::', 8],
]);
const METADATA_NAMES = /^(metadata|instance-data)(\.(google|azure|ec2)\.internal|\.goog|\.tencentyun\.com)?\.?$/i;

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !SPECIAL_V4.check(address, 'ipv4') && !NEVER_V4.check(address, 'ipv4');
  return version === 6 && PUBLIC_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

/** For an installation whose operator lets creators call tools of its own network: all but what gives secrets away. */
export function isPublicOrInside(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !NEVER_V4.check(address, 'ipv4');
  return version === 6 && !NEVER_V4.check(address, 'ipv6') && !NEVER_V6.check(address, 'ipv6');
}

/**
 * @param options.isAllowed which addresses may be reached; public ones unless told otherwise
 * @param options.openOrigin may be reached all the same, at its address and port: the simulators' blog
 * @param options.via hosts whose requests go to a simulator's address instead; never set without simulators
 * @param options.resolve all addresses of a name, as the system's resolver gives them
 */
export function createGuardedFetch({
  isAllowed = isPublicAddress,
  openOrigin = null,
  via = new Map(),
  resolve = (name) => dns.lookup(name, { all: true }),
}: {
  isAllowed?: (address: string) => boolean;
  openOrigin?: string | null;
  via?: ReadonlyMap<string, string>;
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
} = {}): GuardedFetch {
  const allowed = async (name: string) => {
    const addresses = await resolve(name);
    const [first] = addresses;
    // One bad address condemns the name: which one would be connected to is not ours to choose.
    if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) throw new NotAllowed(name);
    return { first, addresses };
  };
  const lookup: LookupFunction = (name, options, done) => {
    allowed(name).then(
      ({ first, addresses }) => (options.all ? done(null, addresses) : done(null, first.address, first.family)),
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
  // Node connects to a number without looking it up.
  const isShut = (host: string) => METADATA_NAMES.test(host) || (isIP(host) !== 0 && !isAllowed(host));
  // A connection kept open would skip the look-up; these are few and far between.
  const certificates = new Map<string, Date>();
  const connector = buildConnector({ lookup });
  const connect: buildConnector.connector = (options, done) =>
    connector(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      const endsAt = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
      if (!Number.isNaN(endsAt)) {
        if (certificates.size >= HOSTS_REMEMBERED) certificates.clear();
        certificates.set(options.hostname, new Date(endsAt));
      }
      done(null, socket);
    });
  const agent = new Agent({ connect, pipelining: 0, maxResponseSize: -1 });

  return {
    async request({ url, method, headers, body, timeoutMs, maxBytes = MAX_RESPONSE_BYTES }) {
      const { hostname, protocol, username, password, origin } = new URL(url);
      const startedAt = performance.now();
      if (protocol !== 'https:' && protocol !== 'http:')
        return refused('bad_address', 'The address must begin with https://.');
      if (username !== '' || password !== '') {
        return refused('bad_address', 'The address must not contain a password.');
      }
      const literal = hostname.replace(/^\[|\]$/g, '');
      const instead = via.get(hostname);
      if (origin !== openOrigin && instead === undefined && isShut(literal)) {
        return refused('private_address', new NotAllowed(literal).message);
      }
      const asked =
        instead === undefined ? new URL(url) : new URL(instead + new URL(url).pathname + new URL(url).search);
      try {
        const answer = await agent.request({
          origin: asked.origin,
          path: asked.pathname + asked.search,
          method,
          headers,
          ...(body !== undefined && { body }),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const bytes = await beginOf(answer.body, maxBytes);
        return {
          kind: 'answer',
          status: answer.statusCode,
          bytes,
          get text() {
            return bytes.toString('utf8');
          },
          headers: single(answer.headers),
          tookMs: performance.now() - startedAt,
          certificateEndsAt: protocol === 'https:' ? (certificates.get(hostname) ?? null) : null,
        };
      } catch (error) {
        return failureOf(error, timeoutMs);
      }
    },
    async addressOf(host) {
      if (isShut(host)) throw new NotAllowed(host);
      return isIP(host) === 0 ? (await allowed(host)).first.address : host;
    },
    close: () => agent.destroy(),
  };
}

export class NotAllowed extends Error {
  constructor(host: string) {
    super(`${host} is an address inside a private network, which is not called from here.`);
  }
}

function refused(because: GuardedFailure, says: string): GuardedAnswer {
  return { kind: 'refused', because, says };
}

function single(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value.at(-1) : value) ?? '']),
  );
}

async function beginOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

function failureOf(error: unknown, timeoutMs: number): GuardedAnswer {
  if (error instanceof NotAllowed) return refused('private_address', error.message);
  const { code = '', name = '', message } = error as { code?: string; name?: string; message: string };
  if (name === 'TimeoutError') {
    return { kind: 'no_answer', because: 'timeout', says: `No answer within ${timeoutMs / 1000} seconds.` };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refused('unreachable', 'The name of the server could not be found.');
  }
  if (code === 'ECONNREFUSED') return refused('unreachable', 'The server did not accept the connection.');
  if (/CERT|SSL|TLS|SELF_SIGNED|ALTNAME/.test(code)) {
    return refused('certificate', `The server's certificate is not valid (${code}).`);
  }
  return { kind: 'no_answer', because: 'broken_off', says: `The connection broke (${code || message}).` };
}

function blockList(family: 'ipv4' | 'ipv6', ranges: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family);
  return list;
}
