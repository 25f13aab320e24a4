/**
 * Asks the registry for known holes in the packages that run in production: `npm run audit`, and part of `npm run check`. Fails
 * for those rated high or critical. A registry that answers no such question, or cannot be reached, fails nothing: that is said.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

/** Holes that we looked at and that do not reach us: the advisory's address, and why. */
const ACCEPTED: Record<string, string> = {};

const FAILING = ['high', 'critical'];
const TIMEOUT_MS = 60_000;

/** The output of `npm audit --json`, version 2 of its report. */
type Report = {
  auditReportVersion?: number;
  vulnerabilities?: Record<string, { severity: string; via: (string | { url: string; title: string })[] }>;
};

/**
 * @returns null when it is no report: the registry did not answer the question. `holes` fail the check, `notes` are told.
 */
export function judge(
  written: string,
  accepted: Record<string, string> = ACCEPTED,
): { holes: string[]; notes: string[] } | null {
  let report: Report;
  try {
    report = JSON.parse(written) as Report;
  } catch {
    return null;
  }
  if (report.auditReportVersion !== 2 || report.vulnerabilities === undefined) return null;
  const holes: string[] = [];
  const notes: string[] = [];
  for (const [name, { severity, via }] of Object.entries(report.vulnerabilities)) {
    const advisories = via.filter((one) => typeof one !== 'string');
    // Packages that only depend on it are fixed with it.
    for (const { url, title } of advisories) {
      const line = `${name}, ${severity}: ${title} (${url})`;
      if (url in accepted) notes.push(`${line}; accepted: ${accepted[url]}`);
      else if (FAILING.includes(severity)) holes.push(line);
      else notes.push(line);
    }
  }
  return { holes, notes };
}

async function main(): Promise<void> {
  const verdict = judge(await askRegistry());
  if (verdict === null) return console.log('NOTE: not asked, the registry here answers no audit');
  for (const note of verdict.notes) console.log(note);
  for (const hole of verdict.holes) console.error(hole);
  if (verdict.holes.length > 0) process.exitCode = 1;
  else console.log(`NOTE: none of importance, ${verdict.notes.length} lesser ones`);
}

function askRegistry(): Promise<string> {
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const child = spawn(program, [...first, 'audit', '--json', '--omit=dev', '--package-lock-only'], {
    cwd: path.dirname(import.meta.dirname),
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return new Promise((resolve) => {
    let written = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      written += part;
    });
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(written));
  });
}

if (import.meta.main) await main();
