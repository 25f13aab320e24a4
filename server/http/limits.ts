/** How much a caller may send, and how long they may take, before anything of ours looks at it. */
export type HttpLimits = {
  /** Request line and headers together. */
  headerBytes: number;
  /** Of a body; webhooks have a limit of their own. */
  bodyBytes: number;
  /** Headers must be complete by then: whoever drips them holds a socket and nothing else. */
  headersTimeoutMs: number;
  /** The whole request must be there by then. */
  requestTimeoutMs: number;
  /** How often the two above are looked at. */
  checkEveryMs: number;
  /** Of connections at a time; as many as deploy/haproxy.cfg has. */
  connections: number;
  /** Between two requests of a connection. */
  keepAliveMs: number;
  /** A connection on which nothing is taken or sent for so long ends: longer than any answer takes, and than proxies wait. */
  silentMs: number;
};

export const HTTP_LIMITS: HttpLimits = {
  headerBytes: 16 * 1024,
  bodyBytes: 256 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 2000,
  connections: 4096,
  keepAliveMs: 72_000,
  silentMs: 75_000,
};
