/**
 * Calls to Meta: sends, reads, logins. Every function answers with data, expected failures included; it throws only for
 * defects of ours. Hosts come from the settings, so that any stand-in can be put behind them.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '#server/clock.ts';
import { accountCalls } from './accounts.ts';
import { insightCalls } from './insights.ts';
import { loginCalls } from './logins.ts';
import { postCalls } from './posts.ts';
import { readingCalls } from './read-calls.ts';
import { sendingCalls } from './send-calls.ts';
import { type CallObserver, createTransport, type MetaSettings } from './transport.ts';

export { failureDetail, type MetaSettings, type ReadResult, type Speaker } from './transport.ts';

export type MetaClient = ReturnType<typeof createMetaClient>;

/**
 * @param deps.agent replaces the connection pools (a proxy, a test)
 * @param deps.timeoutMs how long Meta may take to begin its answer, and between two parts of it; default 10 s
 */
export function createMetaClient(
  settings: MetaSettings,
  deps: { clock: Clock; agent?: Dispatcher; timeoutMs?: number; onCall?: CallObserver },
) {
  const { clock, agent, timeoutMs = 10_000, onCall } = deps;
  const transport = createTransport(settings, {
    timeoutMs,
    ...(agent !== undefined && { agent }),
    ...(onCall !== undefined && { onCall }),
  });
  return {
    ...sendingCalls(transport),
    ...readingCalls(transport),
    ...postCalls(transport),
    ...insightCalls(transport),
    ...accountCalls(transport),
    ...loginCalls(transport, clock),
    close: transport.close,
  };
}
