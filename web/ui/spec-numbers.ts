/** The numbers of the specification's sections 4 and 9 that the web app keeps; nowhere else are they written down. */
export const SPEC_NUMBERS = {
  /** One is visible at a time. */
  toast: { shownMs: 5000 },
  /** As written out in `button-class.ts`, where the style sheet's maker finds it. */
  button: { minWidthPx: 124, minHeightPx: 36 },
  chatLauncher: { recheckMs: 500 },
  /** Shares of traces and of sessions, 1 being all of them. */
  sampling: { tracesSampleRate: 1, replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1 },
  /** Defaults of the flag client. */
  flagClient: { flushInterval: 2000, eventCapacity: 100, streamReconnectDelay: 1000 },
  /** Fixed inside of the flag client; a test holds them against it. */
  flagStream: { readTimeoutMs: 300_000, longestDelayMs: 30_000 },
  /** Of queries. */
  query: { retries: 3, longestPauseMs: 30_000, cachedMs: 5 * 60_000 },
} as const;
