/** Meta's usage headers: percents of a limit and the minutes it wants to be left alone (reference 4.1). */
import type { Usage } from './verdict.ts';

type Headers = Record<string, string | string[] | undefined>;

const SHARES = ['call_count', 'total_cputime', 'total_time'] as const;

/** The tightest of all limits named. Null when there are no headers: Meta sends them only after some calls. */
export function usageOf(headers: Headers): Usage | null {
  const app = headers['x-app-usage'];
  const business = headers['x-business-use-case-usage'];
  if (app === undefined && business === undefined) return null;
  const usage: Usage = { percent: 0, regainAccessMs: 0 };
  collect(parse(app), usage);
  collect(parse(business), usage);
  return usage;
}

/** The app's header is one object, the business header lists of them by account. */
function collect(value: unknown, usage: Usage): void {
  if (typeof value !== 'object' || value === null) return;
  const limit = value as Record<string, unknown>;
  for (const share of SHARES) {
    const percent = limit[share];
    if (typeof percent === 'number' && percent > usage.percent) usage.percent = percent;
  }
  const minutes = limit.estimated_time_to_regain_access;
  if (typeof minutes === 'number') usage.regainAccessMs = Math.max(usage.regainAccessMs, minutes * 60_000);
  for (const part of Object.values(limit)) collect(part, usage);
}

function parse(header: string | string[] | undefined): unknown {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  try {
    return JSON.parse(text);
  } catch {
    // A header that we can't read must not fail a call that went well.
    return null;
  }
}
