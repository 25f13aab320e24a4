/** The list as a file in DATA_DIR, where there is no NATS: a line of JSON each. */
import { randomUUID } from 'node:crypto';
import { link, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { NoMailLine, NoMailList } from './list.ts';

export const NO_MAIL_FILE = 'no-mail-list.jsonl';
/** When it is worth it to drop lines that later ones replaced. */
const TIDIED_FROM_BYTES = 1_000_000;

/** As it begins: which list this is, and how far it was when it was tidied. */
type Head = { list: string; position: number };
type Written = NoMailLine & { position: number };

/** Makes it when it is not there. */
export async function openNoMailFile(dataDir: string, tidiedFromBytes = TIDIED_FROM_BYTES): Promise<NoMailList> {
  const file = path.join(dataDir, NO_MAIL_FILE);
  const { list: id } = (await readHead(file)) ?? (await make(file));
  let tidyAt = Math.max(tidiedFromBytes, 2 * (await stat(file)).size);

  async function* written(): AsyncIterable<Written> {
    const handle = await open(file);
    for await (const line of handle.readLines()) {
      const parsed = parse(line);
      if (parsed !== null && 'hash' in parsed) yield parsed as Written;
    }
  }
  const position = async () => {
    let last = (await readHead(file))?.position ?? 0;
    for await (const line of written()) last = Math.max(last, line.position);
    return last;
  };
  const tidy = async () => {
    const kept = new Map<string, Written>();
    for await (const line of written()) {
      const address = `${line.creatorId} ${line.hash}`;
      kept.delete(address);
      if (line.reason !== null) kept.set(address, line);
    }
    await replace(file, { list: id, position: await position() }, [...kept.values()]);
    tidyAt = Math.max(tidiedFromBytes, 2 * (await stat(file)).size);
  };
  return {
    id,
    position,
    async append(lines, after) {
      const numbered = lines.map((line, index): Written => ({ position: after + index + 1, ...line }));
      const bytes = await appendSurely(file, numbered);
      if (bytes > tidyAt) await tidy();
      return after + lines.length;
    },
    async *linesAfter(known) {
      for await (const { position: at, ...line } of written()) if (at > known) yield line;
    },
  };
}

const LONGEST_HEAD = 200;

async function readHead(file: string): Promise<Head | null> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_HEAD), 0, LONGEST_HEAD, 0);
    return JSON.parse(buffer.toString('utf8', 0, bytesRead).split('\n')[0]!) as Head;
  } finally {
    await handle.close();
  }
}

/** One that a power cut left half was not noted as written: it comes again. */
function parse(line: string): object | null {
  try {
    return JSON.parse(line) as object;
  } catch {
    return null;
  }
}

/** Each begins a line, so that it does not go on with one that was left half. @returns how large the file is */
async function appendSurely(file: string, lines: Written[]): Promise<number> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.write(lines.map((line) => `\n${JSON.stringify(line)}`).join(''));
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Of processes that begin at once, one makes it. */
async function make(file: string): Promise<Head> {
  const draft = await writeDraft(file, { list: randomUUID(), position: 0 }, []);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readHead(file))!;
}

/** Complete or not at all. */
async function replace(file: string, head: Head, lines: Written[]): Promise<void> {
  await rename(await writeDraft(file, head, lines), file);
}

async function writeDraft(file: string, head: Head, lines: Written[]): Promise<string> {
  const draft = `${file}.${randomUUID()}.partial`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    for (const line of [head, ...lines]) await handle.write(`${line === head ? '' : '\n'}${JSON.stringify(line)}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}
