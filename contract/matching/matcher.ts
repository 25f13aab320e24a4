import { placeInside, type Token, tokenise } from './tokens.ts';
import { MAX_MISTYPED_WORDS, TypoIndex } from './typos.ts';
import { type Candidate, usableWords, type WordRule } from './word-rule.ts';

/** How a match came about, best first. */
export const HOW = ['exact', 'whole_word', 'all_words', 'contains', 'typo', 'any_comment'] as const;
export type How = (typeof HOW)[number];

/** A place in the original text: UTF-16 units, end exclusive, `text` being what stands there. */
export type Found = { start: number; end: number; text: string };

export type MatchResult<T> = {
  candidate: Candidate<T>;
  /** As the creator wrote them, the one that decided first. Empty for `any_comment`. */
  matchedWords: string[];
  /** In the order of the text, without repeats, at most `MAX_FOUND`. */
  found: Found[];
  how: How;
};

/** What became of one candidate, for the tester in the editor and for "why did this not fire". */
export type Explanation<T> = {
  candidate: Candidate<T>;
  verdict:
    | 'wins'
    /** It matches, but another goes first; `lostBy` says what decided. */
    | 'loses'
    /** An excluded word stands in the text. */
    | 'excluded'
    | 'no_match';
  how: How | null;
  matchedWords: string[];
  found: Found[];
  excludedBy: { word: string; found: Found }[];
  /** `all_words` only: the words that do not stand in the text. */
  missingWords: string[];
  lostBy: Criterion | null;
};

export type Matcher<T> = {
  /** The candidate that goes first, or null when none matches. */
  match(text: string): MatchResult<T> | null;
  /** All candidates that match, the one that goes first in front. `lostBy` says what decided against it. */
  matchAll(text: string): (MatchResult<T> & { lostBy: Criterion | null })[];
  /** Every candidate: those that match as in `matchAll`, then the others. */
  explain(text: string): Explanation<T>[];
};

/** What decided between two matches. */
export type Criterion = 'scope' | 'priority' | 'how' | 'length' | 'age' | 'id';

/** At most this many places are reported. */
export const MAX_FOUND = 50;

/** Prepares candidates for matching. Their order in the list is of no account; ids must be unique. */
export function compileMatcher<T>(candidates: readonly Candidate<T>[]): Matcher<T> {
  return new CompiledMatcher(candidates);
}

/** One word or phrase of one rule, ready to be found. */
type Pattern = {
  candidate: number;
  /** Number of the word within its rule; for excluded words too. */
  entry: number;
  /** As the creator wrote it. */
  written: string;
  length: number;
  use: 'wanted' | 'excluded';
  /** What finding it without typos amounts to; null: only found by typo here (its rule is `contains`). */
  how: 'exact' | 'whole_word' | 'all_words' | null;
  typos: boolean;
};

/** A word known to the matcher, with the phrases that begin with it. */
type Word = { key: string; phrases: PhraseNode | null };
type PhraseNode = { next: Map<Word, PhraseNode> | null; ends: Pattern[] | null };
type LetterNode = { next: Map<number, LetterNode>; ends: Pattern[] | null };

/**
 * A pattern found: from letter `from` of token `first` to letter `to` (exclusive) of token `last`. Places in the original
 * text are worked out only for the hits that are shown.
 */
type Hit = { pattern: Pattern; how: How; first: number; from: number; last: number; to: number };
/** What one rule makes of a text. */
type Match = { candidate: number; how: How; length: number };

/** Of one word so many places are kept: enough to show, and a comment of 10,000 letters costs no more. */
const MAX_HITS_PER_PATTERN = 20;
const SPACE = 0x20;
/** Emoji and mentions are one symbol each in `contains`, numbered from here on: nothing is found inside of them. */
const FIRST_OPAQUE_SYMBOL = 0x1_0000;
const UNKNOWN_SYMBOL = -1;

class CompiledMatcher<T> implements Matcher<T> {
  readonly #candidates: Candidate<T>[];
  /** Words of each candidate that count (not empty, not twice), as written. */
  readonly #entries: string[][] = [];
  readonly #words = new Map<string, Word>();
  readonly #typos = new TypoIndex<Word>();
  readonly #letters: LetterNode = { next: new Map(), ends: null };
  readonly #opaqueSymbols = new Map<string, number>();
  readonly #catchAlls: Match[] = [];

  constructor(candidates: readonly Candidate<T>[]) {
    this.#candidates = [...candidates];
    for (let index = 0; index < this.#candidates.length; index++) this.#addRule(index, this.#candidates[index]!.rule);
    this.#catchAlls.sort((a, b) => this.#compare(a, b).order);
  }

  match(text: string): MatchResult<T> | null {
    const tokens = tokenise(text);
    const { hits, excluded } = this.#find(tokens);
    let best: Match | null = null;
    for (const match of this.#matches(hits, excluded)) {
      if (best === null || this.#compare(match, best).order < 0) best = match;
    }
    if (best === null) return null;
    return {
      candidate: this.#candidates[best.candidate]!,
      how: best.how,
      ...details(text, tokens, best.how === 'any_comment' ? [] : hits.get(best.candidate)!),
    };
  }

  matchAll(text: string): (MatchResult<T> & { lostBy: Criterion | null })[] {
    const tokens = tokenise(text);
    return this.#matchAll(text, tokens, this.#find(tokens));
  }

  explain(text: string): Explanation<T>[] {
    const tokens = tokenise(text);
    const findings = this.#find(tokens);
    const matches = this.#matchAll(text, tokens, findings);
    const matched = new Set(matches.map((match) => match.candidate));
    const rest = this.#candidates
      .map((_, candidate): Match => ({ candidate, how: 'any_comment', length: 0 }))
      .filter((match) => !matched.has(this.#candidates[match.candidate]!))
      .sort((a, b) => this.#compare(a, b).order);
    return [
      ...matches.map(
        (match, place): Explanation<T> => ({
          ...match,
          verdict: place === 0 ? 'wins' : 'loses',
          excludedBy: [],
          missingWords: [],
        }),
      ),
      ...rest.map(({ candidate }): Explanation<T> => {
        const own = findings.hits.get(candidate) ?? [];
        const stoppedBy = findings.excluded.get(candidate) ?? [];
        return {
          candidate: this.#candidates[candidate]!,
          verdict: stoppedBy.length > 0 ? 'excluded' : 'no_match',
          how: null,
          ...details(text, tokens, own),
          excludedBy: stoppedBy.map((hit) => ({ word: hit.pattern.written, found: foundAt(text, tokens, hit) })),
          missingWords: this.#missingWords(candidate, own),
          lostBy: null,
        };
      }),
    ];
  }

  #matchAll(text: string, tokens: Token[], { hits, excluded }: Findings) {
    const matches = [...this.#matches(hits, excluded, true)].sort((a, b) => this.#compare(a, b).order);
    return matches.map((match, place) => ({
      candidate: this.#candidates[match.candidate]!,
      how: match.how,
      ...details(text, tokens, match.how === 'any_comment' ? [] : hits.get(match.candidate)!),
      lostBy: place === 0 ? null : this.#compare(match, matches[0]!).by,
    }));
  }

  #addRule(candidate: number, rule: WordRule): void {
    const entries: string[] = [];
    this.#entries.push(entries);
    if (rule.mode === 'any_comment') {
      this.#catchAlls.push({ candidate, how: 'any_comment', length: 0 });
    } else {
      const how = rule.mode === 'contains' ? null : rule.mode;
      for (const { written, tokens, length } of usableWords(rule.words)) {
        const entry = entries.push(written) - 1;
        if (tokens === null) continue;
        const wanted = { candidate, entry, written, length, use: 'wanted' as const, typos: rule.typoTolerance };
        if (how === null) this.#addPart(tokens, { ...wanted, how: null, typos: false });
        if (how !== null || rule.typoTolerance) this.#addPhrase(tokens, { ...wanted, how });
      }
    }
    for (const [entry, { written, tokens, length }] of usableWords(rule.excludedWords).entries()) {
      if (tokens === null) continue;
      const how = 'whole_word';
      this.#addPhrase(tokens, { candidate, entry, written, length, use: 'excluded', how, typos: false });
    }
  }

  #addPhrase(tokens: Token[], pattern: Pattern): void {
    let node: PhraseNode | null = null;
    for (const token of tokens) {
      const word = this.#word(token.key);
      if (pattern.typos && token.kind === 'word') this.#typos.add(word);
      if (node === null) {
        word.phrases ??= { next: null, ends: null };
        node = word.phrases;
      } else {
        node.next ??= new Map();
        node = getOrAdd(node.next, word, (): PhraseNode => ({ next: null, ends: null }));
      }
    }
    node!.ends ??= [];
    node!.ends.push(pattern);
  }

  #word(key: string): Word {
    return getOrAdd(this.#words, key, () => ({ key, phrases: null }));
  }

  #addPart(tokens: Token[], pattern: Pattern): void {
    let node = this.#letters;
    const step = (symbol: number) => {
      node = getOrAdd(node.next, symbol, (): LetterNode => ({ next: new Map(), ends: null }));
    };
    for (const [place, token] of tokens.entries()) {
      if (place > 0) step(SPACE);
      if (isOpaque(token)) {
        step(getOrAdd(this.#opaqueSymbols, token.key, () => FIRST_OPAQUE_SYMBOL + this.#opaqueSymbols.size));
      } else {
        for (let i = 0; i < token.key.length; i++) step(token.key.charCodeAt(i));
      }
    }
    node.ends ??= [];
    node.ends.push(pattern);
  }

  /** Every word of every rule that stands in the text, by candidate. */
  #find(tokens: Token[]): Findings {
    const findings = new Findings(tokens);
    const words = tokens.map((token) => this.#words.get(token.key));
    for (let from = 0; from < tokens.length; from++) {
      let node = words[from]?.phrases ?? null;
      let to = from;
      while (node !== null) {
        to++;
        if (node.ends !== null) findings.addPhrase(node.ends, from, to);
        const word: Word | undefined = node.next === null ? undefined : words[to];
        node = word === undefined ? null : (node.next!.get(word) ?? null);
      }
    }
    if (!this.#typos.isEmpty) this.#findTypos(tokens, words, findings);
    if (this.#letters.next.size > 0) this.#findParts(tokens, findings);
    return findings;
  }

  #findTypos(tokens: Token[], words: (Word | undefined)[], findings: Findings): void {
    let some = false;
    const meant = tokens.map((token) => {
      const list = token.kind === 'word' ? this.#typos.find(token.key) : null;
      if (list !== null) some = true;
      return list;
    });
    if (!some) return;

    const visit = (node: PhraseNode, from: number, to: number, typos: number): void => {
      if (typos > 0 && node.ends !== null) findings.addTypo(node.ends, from, to);
      if (node.next === null || to === tokens.length) return;
      const word = words[to];
      const straight = word === undefined ? undefined : node.next.get(word);
      if (straight !== undefined) visit(straight, from, to + 1, typos);
      if (typos === MAX_MISTYPED_WORDS) return;
      for (const other of meant[to] ?? []) {
        const next = node.next.get(other);
        if (next !== undefined) visit(next, from, to + 1, typos + 1);
      }
    };
    for (let from = 0; from < tokens.length; from++) {
      const phrases = words[from]?.phrases ?? null;
      if (phrases?.next) visit(phrases, from, from + 1, 0);
      for (const other of meant[from] ?? []) if (other.phrases !== null) visit(other.phrases, from, from + 1, 1);
    }
  }

  #findParts(tokens: Token[], findings: Findings): void {
    for (let first = 0; first < tokens.length; first++) {
      const letters = isOpaque(tokens[first]!) ? 1 : tokens[first]!.key.length;
      for (let from = 0; from < letters; from++) this.#findPartsAt(tokens, first, from, findings);
    }
  }

  #findPartsAt(tokens: Token[], first: number, from: number, findings: Findings): void {
    let last = first;
    let token = tokens[last]!;
    let to = from;
    let node: LetterNode | undefined = this.#letters;
    for (;;) {
      let symbol: number;
      if (to === token.key.length) {
        last++;
        if (last === tokens.length) return;
        token = tokens[last]!;
        symbol = SPACE;
        to = 0;
      } else if (isOpaque(token)) {
        symbol = this.#opaqueSymbols.get(token.key) ?? UNKNOWN_SYMBOL;
        to = token.key.length;
      } else {
        symbol = token.key.charCodeAt(to);
        to++;
      }
      node = node.next.get(symbol);
      if (node === undefined) return;
      if (node.ends !== null) findings.addPart(node.ends, first, from, last, to);
    }
  }

  *#matches(hits: Map<number, Hit[]>, excluded: Map<number, Hit[]>, everyCatchAll = false): Generator<Match> {
    for (const [candidate, own] of hits) {
      if (excluded.has(candidate)) continue;
      const match =
        this.#candidates[candidate]!.rule.mode === 'all_words' ? this.#matchAllWords(candidate, own) : bestHit(own);
      if (match !== null) yield match;
    }
    for (const match of this.#catchAlls) {
      if (excluded.has(match.candidate)) continue;
      yield match;
      if (!everyCatchAll) return;
    }
  }

  #matchAllWords(candidate: number, hits: Hit[]): Match | null {
    const straight = new Set<number>();
    const all = new Set<number>();
    for (const hit of hits) {
      all.add(hit.pattern.entry);
      if (hit.how === 'all_words') straight.add(hit.pattern.entry);
    }
    const wanted = this.#entries[candidate]!.length;
    if (all.size < wanted) return null;
    const length = hits.reduce((longest, hit) => Math.max(longest, hit.pattern.length), 0);
    return { candidate, how: straight.size === wanted ? 'all_words' : 'typo', length };
  }

  #missingWords(candidate: number, hits: Hit[]): string[] {
    if (this.#candidates[candidate]!.rule.mode !== 'all_words') return [];
    return this.#entries[candidate]!.filter((_, entry) => !hits.some((hit) => hit.pattern.entry === entry));
  }

  #compare(a: Match, b: Match): { order: number; by: Criterion } {
    const one = this.#candidates[a.candidate]!;
    const other = this.#candidates[b.candidate]!;
    if (one.scope !== other.scope) return { order: one.scope === 'post' ? -1 : 1, by: 'scope' };
    if (one.priority !== other.priority) return { order: other.priority - one.priority, by: 'priority' };
    if (a.how !== b.how) return { order: HOW.indexOf(a.how) - HOW.indexOf(b.how), by: 'how' };
    if (a.length !== b.length) return { order: b.length - a.length, by: 'length' };
    if (one.createdAt !== other.createdAt) return { order: one.createdAt - other.createdAt, by: 'age' };
    return { order: one.id < other.id ? -1 : one.id > other.id ? 1 : 0, by: 'id' };
  }
}

/** Collects hits while a text is searched. */
class Findings {
  readonly hits = new Map<number, Hit[]>();
  readonly excluded = new Map<number, Hit[]>();
  readonly #tokens: Token[];
  readonly #contentStart: number;
  readonly #contentEnd: number;
  readonly #perPattern = new Map<Pattern, number>();

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
    let start = 0;
    let end = tokens.length;
    while (start < end && tokens[start]!.kind === 'mention') start++;
    // Nothing but mentions: `end` goes down to 0, so that a mention asked for may be any of them.
    while (end > 0 && tokens[end - 1]!.kind === 'mention') end--;
    const first = tokens[start];
    if (first?.kind === 'emoji' && tokens.slice(start, end).every((token) => token.key === first.key)) end = start + 1;
    this.#contentStart = start;
    this.#contentEnd = end;
  }

  /** Words that stand between tokens `from` and `to` (exclusive) as written. */
  addPhrase(patterns: Pattern[], from: number, to: number): void {
    for (const pattern of patterns) {
      if (pattern.how === null || (pattern.how === 'exact' && !this.#isWhole(from, to))) continue;
      this.#add(pattern, pattern.how, from, 0, to - 1, this.#tokens[to - 1]!.key.length);
    }
  }

  addTypo(patterns: Pattern[], from: number, to: number): void {
    for (const pattern of patterns) {
      if (!pattern.typos || (pattern.how === 'exact' && !this.#isWhole(from, to))) continue;
      this.#add(pattern, 'typo', from, 0, to - 1, this.#tokens[to - 1]!.key.length);
    }
  }

  /** Words found within others. */
  addPart(patterns: Pattern[], first: number, from: number, last: number, to: number): void {
    for (const pattern of patterns) this.#add(pattern, 'contains', first, from, last, to);
  }

  #isWhole(from: number, to: number): boolean {
    return from <= this.#contentStart && to >= this.#contentEnd;
  }

  #add(pattern: Pattern, how: How, first: number, from: number, last: number, to: number): void {
    const seen = this.#perPattern.get(pattern) ?? 0;
    if (seen >= MAX_HITS_PER_PATTERN) return;
    this.#perPattern.set(pattern, seen + 1);
    const lists = pattern.use === 'wanted' ? this.hits : this.excluded;
    const list = lists.get(pattern.candidate);
    const hit = { pattern, how, first, from, last, to };
    if (list === undefined) lists.set(pattern.candidate, [hit]);
    else list.push(hit);
  }
}

function bestHit(hits: Hit[]): Match | null {
  let best = hits[0]!;
  for (const hit of hits) if (compareHits(hit, best) < 0) best = hit;
  return { candidate: best.pattern.candidate, how: best.how, length: best.pattern.length };
}

function compareHits(a: Hit, b: Hit): number {
  return (
    HOW.indexOf(a.how) - HOW.indexOf(b.how) ||
    b.pattern.length - a.pattern.length ||
    a.first - b.first ||
    a.from - b.from ||
    a.pattern.entry - b.pattern.entry
  );
}

function details(text: string, tokens: Token[], hits: Hit[]): { matchedWords: string[]; found: Found[] } {
  const matchedWords = new Set([...hits].sort(compareHits).map((hit) => hit.pattern.written));
  const found = new Map<string, Found>();
  for (const hit of [...hits].sort((a, b) => a.first - b.first || a.from - b.from).slice(0, MAX_FOUND)) {
    const place = foundAt(text, tokens, hit);
    found.set(`${place.start}-${place.end}`, place);
  }
  return { matchedWords: [...matchedWords], found: [...found.values()] };
}

function foundAt(text: string, tokens: Token[], hit: Hit): Found {
  const first = tokens[hit.first]!;
  const last = tokens[hit.last]!;
  const { start } = placeInside(text, first, hit.from, first.key.length);
  const { end } = placeInside(text, last, 0, hit.to);
  return { start, end, text: text.slice(start, end) };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function isOpaque(token: Token): boolean {
  return token.kind === 'emoji' || token.kind === 'mention';
}
