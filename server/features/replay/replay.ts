/** The results a draft would have had with the real comments of the last days. Sends nothing and remembers nothing. */
import { setImmediate } from 'node:timers/promises';
import type { AutomationInput } from '#contract/automations.ts';
import type { BodyOf, ResponseOf } from '#contract/endpoint.ts';
import type { replayAutomation } from '#contract/prepared-posts.ts';
import { howInWords } from '#contract/tester-wording.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { compileForConnection } from '#server/engine/deciding/choice.ts';
import { checkConnection, draftAsTested, findListening } from '#server/features/automations/automations.ts';
import { checkContent } from '#server/features/automations/content-checks.ts';
import { looksLikeAsking, looksLikeTalk } from './asking-words.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Replay = ResponseOf<typeof replayAutomation>;
type Draft = AutomationInput & { id: string | null };

const DAY_MS = 86_400_000;
const READ_AT_MOST = 20_000;
const PER_BATCH = 1000;
const EXAMPLES = 10;
const WORDS_SHOWN = 12;

/**
 * Reads batch by batch, each in a transaction of its own, and lets others run in between.
 *
 * @throws AppError invalid_input, not_found
 */
export async function replay(
  deps: Deps,
  inCreator: <T>(work: (trx: CreatorTransaction) => Promise<T>) => Promise<T>,
  creatorId: string,
  { draft, days }: BodyOf<typeof replayAutomation>,
): Promise<Replay> {
  checkContent(draft);
  const reckoning = await inCreator((trx) => prepare(deps, trx, creatorId, draft));
  const filter = {
    connectionId: draft.connectionId,
    kind: draft.trigger,
    postId: draft.postId,
    since: new Date(deps.clock.now().getTime() - days * DAY_MS),
  };
  let after: queries.Position | null = null;
  let capped = false;
  for (let read = 0; ; ) {
    if (read >= READ_AT_MOST) {
      capped = true;
      break;
    }
    const batch: queries.CommentRow[] = await inCreator((trx) =>
      queries.findComments(trx, creatorId, filter, { after, limit: PER_BATCH }),
    );
    for (const comment of batch) reckoning.take(comment);
    read += batch.length;
    if (batch.length < PER_BATCH) break;
    after = batch.at(-1)!;
    await setImmediate();
  }
  return { ...reckoning.result(), capped };
}

async function prepare(deps: Deps, trx: CreatorTransaction, creatorId: string, draft: Draft): Promise<Reckoning> {
  await checkConnection(trx, creatorId, draft.connectionId);
  const others = await findListening(trx, draft.connectionId, draft.id);
  return new Reckoning(await draftAsTested(deps, trx, creatorId, draft), others);
}

type Listening = Awaited<ReturnType<typeof findListening>>[number];

/** Takes comments one by one; what is kept is bounded, however many there are. */
class Reckoning {
  private readonly draft: Listening;
  private readonly alone;
  private readonly others;
  private readonly together;
  private readonly wanted: string[];
  private comments = 0;
  private readonly people = new Set<string>();
  private readonly words = new Map<string, number>();
  private readonly clashes = new Map<string, Replay['clashes'][number]>();
  private readonly matches: Replay['wouldMatch'] = { count: 0, people: 0, examples: [] };
  private readonly misses: Replay['wouldMiss'] = { count: 0, examples: [], words: [] };
  private readonly falseAlarms: Replay['falseAlarms'] = { count: 0, examples: [] };

  constructor(draft: Listening, others: Listening[]) {
    this.draft = draft;
    this.alone = compileForConnection([draft]);
    this.others = compileForConnection(others);
    this.together = compileForConnection([...others, draft]);
    this.wanted = [...draft.words, ...draft.keywords.flatMap(({ words }) => words)];
  }

  take(row: queries.CommentRow): void {
    this.comments++;
    const { trigger } = this.draft;
    const door = { trigger, postId: row.postId };
    const own = this.alone.choose(door, row.text);
    const winner = this.together.choose(door, row.text);
    if (own.automation === null) {
      if (winner.automation === null) this.miss(row);
      return;
    }
    const other = this.others.choose(door, row.text);
    const wins = winner.automation === this.draft;
    // One for every comment that takes what is left over is meant so.
    const loser = wins ? other : own;
    if (other.automation !== null && !(loser.automation !== null && loser.how === 'any_comment')) {
      this.clash(other.automation, wins ? 'this' : 'other', row.text);
    }
    if (!wins) return;
    this.matches.count++;
    this.people.add(row.personId);
    addTo(this.matches.examples, () => ({
      ...viewOf(row),
      matchedWords: own.matchedWords,
      how: howInWords(own.how),
    }));
    const talk = own.how === 'any_comment' ? null : looksLikeTalk(row.text);
    if (talk === null) return;
    this.falseAlarms.count++;
    addTo(this.falseAlarms.examples, () => ({ ...viewOf(row), why: talk }));
  }

  result(): Omit<Replay, 'capped'> {
    const words = [...this.words]
      .map(([word, count]) => ({ word, count }))
      .sort((a, b) => b.count - a.count || a.word.localeCompare(b.word))
      .slice(0, WORDS_SHOWN);
    return {
      comments: this.comments,
      wouldMatch: { ...this.matches, people: this.people.size },
      wouldMiss: { ...this.misses, words },
      falseAlarms: this.falseAlarms,
      clashes: [...this.clashes.values()].sort((a, b) => b.count - a.count),
    };
  }

  private miss(row: queries.CommentRow): void {
    const asking = looksLikeAsking(row.text, this.wanted);
    if (asking === null) return;
    this.misses.count++;
    if (asking.word !== null) this.words.set(asking.word, (this.words.get(asking.word) ?? 0) + 1);
    addTo(this.misses.examples, () => ({ ...viewOf(row), why: asking.why }));
  }

  private clash(other: Listening, winner: 'this' | 'other', text: string): void {
    const key = `${other.id} ${winner}`;
    const clash = this.clashes.get(key) ?? {
      automationId: other.id,
      name: other.name,
      winner,
      count: 0,
      examples: [],
    };
    this.clashes.set(key, clash);
    clash.count++;
    if (clash.examples.length < 3) clash.examples.push(text);
  }
}

function addTo<T>(examples: T[], make: () => T): void {
  if (examples.length < EXAMPLES) examples.push(make());
}

function viewOf({ id, text, username, postId, occurredAt }: queries.CommentRow) {
  return { id, text, username, postId, at: occurredAt.toISOString() };
}
