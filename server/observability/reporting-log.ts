/**
 * The program's log, whose errors are also reported: what is worth a line at level `error` is worth a report. Nothing of people
 * gets into either.
 */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { ErrorReport, ErrorReporter } from '#server/observability/reporter.ts';
import { safeArguments, safeLogging } from '#server/observability/safe-logging.ts';

const ERROR_LEVEL = 50;

/**
 * @param options.level what is written; an error is reported at every level but `silent`
 * @param options.reporter null: nothing is reported
 */
export function createLog(
  options: { level: string; reporter: ErrorReporter | null },
  destination: DestinationStream,
): Logger {
  const { level, reporter } = options;
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, write, at) {
      if (at >= ERROR_LEVEL) reporter?.report(reportOf(args));
      write.apply(this, safeArguments(args) as Parameters<typeof write>);
    },
  };
  return pino({ level, hooks, ...safeLogging }, destination);
}

/** As we log: `({ err, ...facts }, message)` or `(message)`. */
function reportOf(args: readonly unknown[]): ErrorReport {
  const [first, second] = args;
  if (typeof first !== 'object' || first === null) return { what: String(first), error: undefined, facts: {} };
  const { err, ...rest } = first instanceof Error ? { err: first } : (first as Record<string, unknown>);
  const facts: ErrorReport['facts'] = {};
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') facts[name] = value;
  }
  return { what: typeof second === 'string' ? second : 'an error', error: err, facts };
}
