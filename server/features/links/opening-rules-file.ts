/** The rules by which links open apps, as `OPENING_RULES` has them: whoever runs this mends a way that broke without an upgrade. */
import { readFile } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import { OPENING_RULES, type OpeningRules, OpeningRulesFile } from '#contract/opening-rules.ts';
import type { Clock } from '#server/clock.ts';
import type { SetupNote } from '#server/http/setup-notes.ts';

export type OpeningRulesSource = {
  /** At most half a minute older than the file. */
  current(): Promise<OpeningRules>;
  /** What is wrong with the file as it was read last. */
  notes(): SetupNote[];
};

type Deps = { clock: Clock; log: Pick<FastifyBaseLogger, 'warn'> };

const READ_EVERY_MS = 30_000;
const MOST_CHARACTERS = 1_000_000;
const MOST_NAMED = 3;

/** @param path null: the rules that are built in */
export function createOpeningRules({ clock, log }: Deps, path: string | null): OpeningRulesSource {
  let rules = OPENING_RULES;
  let problem: string | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(file: string): Promise<void> {
    const { found, wrong } = await readRules(file);
    if (found !== null) rules = { ...OPENING_RULES, ...found };
    if (wrong !== null && wrong !== problem) log.warn({ setting: 'OPENING_RULES' }, saysOf(wrong));
    problem = wrong;
    readAtMs = clock.now().getTime();
  }

  async function refresh(): Promise<void> {
    if (path === null || clock.now().getTime() - readAtMs < READ_EVERY_MS) return;
    reading ??= read(path).finally(() => {
      reading = null;
    });
    await reading;
  }

  return {
    async current() {
      await refresh();
      return rules;
    },
    notes() {
      // For whoever looks next.
      void refresh();
      return problem === null ? [] : [{ setting: 'OPENING_RULES', says: saysOf(problem) }];
    },
  };
}

function saysOf(problem: string): string {
  return `The rules for opening apps can’t be used, so the earlier ones stay. ${problem}`;
}

/** One of the two is null. */
async function readRules(
  file: string,
): Promise<{ found: Partial<OpeningRules>; wrong: null } | { found: null; wrong: string }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { found: null, wrong: `The file can’t be read (${(error as NodeJS.ErrnoException).code}).` };
  }
  if (text.length > MOST_CHARACTERS) return { found: null, wrong: 'The file is longer than a million characters.' };
  try {
    const { success, data, error } = OpeningRulesFile.safeParse(JSON.parse(text));
    if (success) return { found: data as Partial<OpeningRules>, wrong: null };
    const named = error.issues
      .slice(0, MOST_NAMED)
      .map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
    return { found: null, wrong: named.join(' ') };
  } catch {
    return { found: null, wrong: 'The file isn’t JSON.' };
  }
}
