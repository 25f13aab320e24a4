/**
 * Checks `docs/spec-coverage.md`, `docs/field.md` and `docs/security.md`: every test they name must be there, under exactly
 * that name (`…` stands for words left out), and must not be skipped. Says of each how many sentences have a test, and how
 * many have which reason for none. Fails too when all pages together have more words than `MOST_WORDS`.
 */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'vite';

const ROOT = path.dirname(import.meta.dirname);
const COVERAGE_FILES = ['docs/spec-coverage.md', 'docs/field.md', 'docs/security.md'];

/** Pages that grow without end are read by nobody: whoever adds something takes out something else. */
const MOST_WORDS = 18_000;
/** Their lists of sentences and tests are not counted: they grow with the product. */
const UNCOUNTED_LISTS = ['docs/spec-coverage.md', 'docs/field.md'];

/** Why a sentence has no test. `no test`: it is so, and no test could say it (a document, the way it is built). */
const REASONS = ['not yet', 'not applicable', 'not met', 'no test'] as const;
type Reason = { kind: (typeof REASONS)[number]; because: string };

/** A sentence has tests, or a reason for having none; anything else is a problem. */
export type Sentence = { line: number; text: string; tests: { file: string; name: string }[]; untested: Reason | null };

/**
 * Reads the sentences of the table of coverage: list items, each with its proofs as items below it.
 *
 *     - The root path redirects to /creator-hq.
 *       - `e2e/routes.e2e.ts`: the whole table of addresses > with a creator
 *     - What checkout calls.
 *       - not yet: payment comes later
 */
export function readCoverage(markdown: string): { sentences: Sentence[]; problems: string[] } {
  const sentences: Sentence[] = [];
  const problems: string[] = [];
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const line = index + 1;
    const sentence = /^- (.+)$/.exec(text)?.[1];
    if (sentence !== undefined) {
      sentences.push({ line, text: sentence, tests: [], untested: null });
      continue;
    }
    const proof = /^ +- (.+)$/.exec(text)?.[1];
    if (proof === undefined) continue;
    const current = sentences.at(-1);
    const [, file, name] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
    const kind = REASONS.find((one) => proof.startsWith(`${one}: `));
    if (current && file !== undefined && name !== undefined) current.tests.push({ file, name });
    else if (current && kind !== undefined) current.untested = { kind, because: proof.slice(kind.length + 2) };
    else problems.push(`line ${line} is neither a test nor "not yet: reason": ${proof}`);
  }
  for (const { line, text, tests, untested } of sentences) {
    if (tests.length === 0 && untested === null) problems.push(`line ${line} has neither a test nor a reason: ${text}`);
    if (tests.length > 0 && untested !== null) {
      problems.push(`line ${line} has both tests and "${untested.kind}": ${text}`);
    }
  }
  return { sentences, problems };
}

/**
 * The names of the tests in a source file as Vitest prints them, with the groups around them (`group > test`). Names of
 * `each` are as written (`%s is older than %s`), also what a template fills in. Skipped ones are none.
 *
 * @param file its name says how to read it: `.ts` or `.tsx`
 */
export function testNames(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]!.message}`);
  const names: string[] = [];
  collect(program, []);
  return names;

  function collect(node: unknown, groups: readonly string[]): void {
    if (Array.isArray(node)) {
      for (const one of node) collect(one, groups);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const called = node as Node;
    let around = groups;
    if (called.type === 'CallExpression') {
      const words = calledWords(called.callee);
      const name = writtenText(called.arguments?.[0], source);
      if (words.length > 0 && (words.includes('skip') || words.includes('todo'))) return;
      if (name !== null && words[0] === 'describe') around = [...groups, name];
      if (name !== null && (words[0] === 'test' || words[0] === 'it')) names.push([...groups, name].join(' > '));
    }
    for (const child of Object.values(node)) collect(child, around);
  }
}

/** Returns those of a file's tests that a page means by `written`; more than one where it leaves out too much. */
export function testsMeant(written: string, names: string[]): string[] {
  const words = written.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`^${words.join('.*')}$`, 's');
  return names.includes(written) ? [written] : [...new Set(names.filter((name) => pattern.test(name)))];
}

/** Returns how many words of a page have a letter: figures, signs and the lines of tables between cells are none. */
export function countWords(markdown: string, { lists = true } = {}): number {
  const counted = lists ? markdown : markdown.replace(/^ *- .*$/gm, '');
  return counted.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}

type Node = {
  type: string;
  start: number;
  end: number;
  name?: string;
  value?: unknown;
  callee?: Node;
  object?: Node;
  property?: Node;
  arguments?: Node[];
};

/** `test.each([…])` → `['test', 'each']`; empty for what is not called by a name. */
function calledWords(callee: Node | undefined): string[] {
  if (callee?.type === 'Identifier') return [callee.name ?? ''];
  if (callee?.type === 'CallExpression') return calledWords(callee.callee);
  if (callee?.type !== 'MemberExpression') return [];
  const words = calledWords(callee.object);
  return words.length === 0 ? [] : [...words, callee.property?.name ?? ''];
}

function writtenText(node: Node | undefined, source: string): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1);
  return null;
}

async function main(): Promise<void> {
  const namesIn = new Map<string, Promise<string[]>>();
  for (const coverageFile of COVERAGE_FILES) {
    const { sentences, problems } = readCoverage(await readFile(path.join(ROOT, coverageFile), 'utf8'));
    for (const { line, tests } of sentences) {
      for (const { file, name } of tests) {
        if (!namesIn.has(file)) namesIn.set(file, readNames(file));
        const meant = testsMeant(name, await namesIn.get(file)!);
        if (meant.length === 0) problems.push(`line ${line}: ${file} has no test "${name}"`);
        if (meant.length > 1) problems.push(`line ${line}: ${file} has ${meant.length} tests "${name}"`);
      }
    }
    for (const problem of problems) console.error(`${coverageFile}, ${problem}`);
    const tested = sentences.filter(({ tests }) => tests.length > 0).length;
    const reasons = REASONS.map((kind) => [kind, sentences.filter(({ untested }) => untested?.kind === kind).length])
      .filter(([, count]) => count !== 0)
      .map(([kind, count]) => `, ${count} ${kind}`);
    console.log(`${coverageFile}: ${sentences.length} sentences, ${tested} with a test${reasons.join('')}`);
    if (problems.length > 0) process.exitCode = 1;
  }
  await checkLength();
}

async function checkLength(): Promise<void> {
  let words = 0;
  for await (const file of glob('docs/**/*.md', { cwd: ROOT })) {
    const lists = !UNCOUNTED_LISTS.includes(file.replaceAll(path.sep, '/'));
    words += countWords(await readFile(path.join(ROOT, file), 'utf8'), { lists });
  }
  console.log(`docs/: ${words} words, ${MOST_WORDS} at most`);
  if (words <= MOST_WORDS) return;
  console.error(`docs/ has ${words - MOST_WORDS} words too many: shorten what is there, or leave something out`);
  process.exitCode = 1;
}

/** Nothing for a file that is gone: then its tests are. */
async function readNames(file: string): Promise<string[]> {
  const source = await readFile(path.join(ROOT, file), 'utf8').catch(() => null);
  return source === null ? [] : testNames(file, source);
}

if (import.meta.main) await main();
