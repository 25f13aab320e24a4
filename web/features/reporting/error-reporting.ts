import type { QueryClient } from '@tanstack/react-query';
import { envQuery } from '#web/shell/session.ts';

/** More than a screen that breaks over and over needs. */
const MAX_EARLY = 10;

/** Sends what goes wrong to Sentry, when this install has one. Errors from before its code has come are not lost. */
export function startErrorReporting(client: QueryClient): void {
  const early: unknown[] = [];
  const remember = (event: ErrorEvent | PromiseRejectionEvent) => {
    if (early.length < MAX_EARLY) early.push('reason' in event ? event.reason : event.error);
  };
  const forget = () => {
    window.removeEventListener('error', remember);
    window.removeEventListener('unhandledrejection', remember);
  };
  window.addEventListener('error', remember);
  window.addEventListener('unhandledrejection', remember);

  const start = async () => {
    const { errorReportingDsn: dsn, environment } = await client.ensureQueryData(envQuery);
    if (dsn !== null) {
      const { startSentry } = await import('#web/features/reporting/sentry.ts');
      startSentry({ dsn, environment }, early);
    }
  };
  // Without an answer nothing is reported; the app itself says what is wrong.
  void start()
    .catch(() => {})
    .finally(forget);
}
