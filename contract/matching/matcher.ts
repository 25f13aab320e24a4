import { placeInside, type Token, tokenise } from './tokens.ts';
import { MAX_MISTYPED_WORDS, TypoIndex } from './typos.ts';
import { type Candidate, usableWords, type WordRule } from './word-rule.ts';

/** How a match came about, best first. */
export const HOW = ['exact', 'whole_word', 'all_words', 'contains', 'typo', 'any_comment'] as const;
export type How = (typeof HOW)[number];
const RANK = Object.fromEntries(HOW.map((how, rank) => [how, rank])) as Record<How, number>;

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

/** The result of one candidate, for the tester in the editor and for "why did this not fire". */
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

/** The tie-breakers between two matches, in this order. */
const CRITERIA = ['scope', 'priority', 'how', 'length', 'age', 'id'] as const;
export type Criterion = (typeof CRITERIA)[number];

/** At most this many places are reported. */
export const MAX_FOUND = 50;

/** Prepares candidates for matching. Their order in the list is of no account; ids must be unique. */
export function compileMatcher<T>(candidates: readonly Candidate<T>[]): Matcher<T> {
  return new CompiledMatcher(candidates);
}

/**
 * Findings of one rule in the text searched last. Every text has a number; findings a rule still holds of another
 * text counts as nothing, so that a search costs nothing for the rules that it does not meet.
 */
type Rule = {
  candidate: number;
  /** Those of its words that count (not empty, not twice), as written, where all of them are asked for. */
  words: readonly string[];
  text: number;
  wanted: Hit[];
  excluded: Hit[];
};

/** One word or phrase of one rule, ready to be found. */
type Pattern = {
  rule: Rule;
  /** Number of the word within its rule; for excluded words too. */
  entry: number;
  /** As the creator wrote it. */
  written: string;
  length: number;
  use: 'wanted' | 'excluded';
  /** The kind of match when found without typos; null: only found by typo here (its rule is `contains`). */
  how: 'exact' | 'whole_word' | 'all_words' | null;
  typos: boolean;
  /** How often it was found in the text of that number. */
  text: number;
  seen: number;
};

/** A word known to the matcher, with the phrases that begin with it. */
type Word = { key: string; phrases: PhraseNode | null };
type PhraseNode = { next: Map<Word, PhraseNode> | null; ends: Pattern[] | null };
/** Nearly all have one symbol after them, which needs no map: `next` goes by `symbol`, all others are in `more`. */
type LetterNode = {
  symbol: number;
  next: LetterNode | null;
  more: Map<number, LetterNode> | null;
  ends: Pattern[] | null;
};

/**
 * One token of a text as the matcher sees it: the word, those that it may be a slip of, and the letters at which a part may
 * begin (`contains`).
 */
type Known = { key: string; word: Word | null; meant: Word[] | null; beginnings: number[] | null };
/** A text with what is known of each of its tokens. */
type Reading = { tokens: Token[]; known: Known[]; findings: Findings };

/**
 * A pattern found: from letter `from` of token `first` to letter `to` (exclusive) of token `last`. Places in the original
 * text are worked out only for the hits that are shown.
 */
type Hit = { pattern: Pattern; how: How; first: number; from: number; last: number; to: number };
/** The result of one rule for a text. */
type Match = { candidate: number; how: How; length: number };

/** Of one word so many places are kept: enough to show, and a comment of 10,000 letters costs no more. */
const MAX_HITS_PER_PATTERN = 20;
/** Shared by all who have none; never added to. */
const NO_HITS: Hit[] = [];
const NO_WORDS: readonly string[] = [];
const FIRST_LETTER = [0];
const NOTHING = { wanted: NO_HITS, excluded: NO_HITS };
const SPACE = 0x20;
/** Emoji and mentions are one symbol each in `contains`, numbered from here on: nothing is found inside of them. */
const FIRST_OPAQUE_SYMBOL = 0x1_0000;
const UNKNOWN_SYMBOL = -1;

class CompiledMatcher<T> implements Matcher<T> {
  readonly #candidates: Candidate<T>[];
  /** One for each candidate. */
  readonly #rules: Rule[];
  readonly #words = new Map<string, Word>();
  readonly #typos = new TypoIndex<Word>();
  readonly #letters = newLetterNode();
  /** Null where nobody asks for a part. */
  readonly #beginnings: Beginnings | null;
  readonly #opaqueSymbols = new Map<string, number>();
  readonly #catchAlls: Match[] = [];
  readonly #memory: Memory | null;
  #texts = 0;

  constructor(candidates: readonly Candidate<T>[]) {
    this.#candidates = [...candidates];
    const parts: number[][] = [];
    this.#rules = this.#candidates.map(({ rule }, index) => this.#addRule(index, rule, parts));
    this.#beginnings = parts.length === 0 ? null : new Beginnings(parts);
    const patterns = this.#words.size + parts.length;
    this.#memory = patterns < WORTH_REMEMBERING ? null : new Memory(patterns);
    this.#catchAlls.sort((a, b) => this.#compare(a, b));
  }

  match(text: string): MatchResult<T> | null {
    const tokens = tokenise(text);
    const findings = this.#find(tokens);
    let best: Match | null = null;
    let bestHits = NO_HITS;
    for (const rule of findings.rules) {
      // Most lose by what is known before their hits are compared.
      if (best !== null && this.#compareStanding(rule.candidate, best.candidate) > 0) continue;
      const match = this.#matchOf(rule);
      if (match === null || (best !== null && this.#compare(match, best) > 0)) continue;
      best = match;
      bestHits = rule.wanted;
    }
    const catchAll = this.#catchAlls.find(({ candidate }) => this.#foundOf(candidate).excluded.length === 0);
    if (catchAll !== undefined && (best === null || this.#compare(catchAll, best) < 0)) {
      best = catchAll;
      bestHits = NO_HITS;
    }
    if (best === null) return null;
    return { candidate: this.#candidates[best.candidate]!, how: best.how, ...details(text, tokens, bestHits) };
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
      .sort((a, b) => this.#compare(a, b));
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
        const { wanted: own, excluded: stoppedBy } = this.#foundOf(candidate);
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

  #matchAll(text: string, tokens: Token[], findings: Findings) {
    const matches = findings.rules.map((rule) => this.#matchOf(rule)).filter((match) => match !== null);
    matches.push(...this.#catchAlls.filter(({ candidate }) => this.#foundOf(candidate).excluded.length === 0));
    matches.sort((a, b) => this.#compare(a, b));
    return matches.map((match, place) => ({
      candidate: this.#candidates[match.candidate]!,
      how: match.how,
      ...details(text, tokens, match.how === 'any_comment' ? NO_HITS : this.#foundOf(match.candidate).wanted),
      lostBy: place === 0 ? null : CRITERIA[this.#compare(match, matches[0]!) - 1]!,
    }));
  }

  /** @param parts to which it adds the symbols of those that it asks for */
  #addRule(candidate: number, rule: WordRule, parts: number[][]): Rule {
    const usable = rule.mode === 'any_comment' ? [] : usableWords(rule.words);
    const words = rule.mode === 'all_words' ? usable.map(({ written }) => written) : NO_WORDS;
    const found: Rule = { candidate, words, text: 0, wanted: NO_HITS, excluded: NO_HITS };
    if (rule.mode === 'any_comment') {
      this.#catchAlls.push({ candidate, how: 'any_comment', length: 0 });
    } else {
      const how = rule.mode === 'contains' ? null : rule.mode;
      for (const [entry, { written, tokens, length }] of usable.entries()) {
        if (tokens === null) continue;
        const wanted = { rule: found, entry, written, length, use: 'wanted' as const, text: 0, seen: 0 };
        if (how === null) parts.push(this.#addPart(tokens, { ...wanted, how: null, typos: false }));
        if (how !== null || rule.typoTolerance) {
          this.#addPhrase(tokens, { ...wanted, how, typos: rule.typoTolerance });
        }
      }
    }
    for (const [entry, { written, tokens, length }] of usableWords(rule.excludedWords).entries()) {
      if (tokens === null) continue;
      const unwanted = { rule: found, entry, written, length, use: 'excluded' as const, text: 0, seen: 0 };
      this.#addPhrase(tokens, { ...unwanted, how: 'whole_word', typos: false });
    }
    return found;
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
    // A list begins with what is in it: an empty one that grows takes room for seventeen.
    if (node!.ends === null) node!.ends = [pattern];
    else node!.ends.push(pattern);
  }

  #word(key: string): Word {
    return getOrAdd(this.#words, key, () => ({ key, phrases: null }));
  }

  /** Returns its symbols. */
  #addPart(tokens: Token[], pattern: Pattern): number[] {
    let node = this.#letters;
    const symbols: number[] = [];
    const step = (symbol: number) => {
      symbols.push(symbol);
      node = addLetter(node, symbol);
    };
    for (const [place, token] of tokens.entries()) {
      if (place > 0) step(SPACE);
      if (isOpaque(token)) {
        step(getOrAdd(this.#opaqueSymbols, token.key, () => FIRST_OPAQUE_SYMBOL + this.#opaqueSymbols.size));
      } else {
        for (let i = 0; i < token.key.length; i++) step(token.key.charCodeAt(i));
      }
    }
    if (node.ends === null) node.ends = [pattern];
    else node.ends.push(pattern);
    return symbols;
  }

  /** Every word of every rule that stands in the text, by candidate. */
  #find(tokens: Token[]): Findings {
    this.#texts++;
    const findings = new Findings(tokens, this.#texts);
    const known = new Array<Known>(tokens.length);
    for (let at = 0; at < tokens.length; at++) known[at] = this.#recall(tokens[at]!);
    for (let from = 0; from < tokens.length; from++) {
      let node = known[from]!.word?.phrases ?? null;
      let to = from;
      while (node !== null) {
        to++;
        if (node.ends !== null) findings.addPhrase(node.ends, from, to);
        const word: Word | null = node.next === null || to === tokens.length ? null : known[to]!.word;
        node = word === null ? null : (node.next!.get(word) ?? null);
      }
    }
    if (!this.#typos.isEmpty) this.#findTypos({ tokens, known, findings });
    if (this.#beginnings !== null) this.#findParts({ tokens, known, findings });
    return findings;
  }

  /** Tokens of two kinds never have one key, so what is known by the key is true of the token. */
  #recall(token: Token): Known {
    const remembered = this.#memory?.recall(token.key);
    if (remembered !== undefined) return remembered;
    const { kind, key } = token;
    const known = {
      key,
      word: this.#words.get(key) ?? null,
      meant: kind === 'word' && !this.#typos.isEmpty ? this.#typos.find(key) : null,
      beginnings: isOpaque(token) ? FIRST_LETTER : (this.#beginnings?.within(key) ?? null),
    };
    this.#memory?.keep(known);
    return known;
  }

  #findTypos(reading: Reading): void {
    const { known } = reading;
    if (known.every(({ meant }) => meant === null)) return;
    for (let from = 0; from < known.length; from++) {
      const { word, meant } = known[from]!;
      const phrases = word?.phrases ?? null;
      if (phrases?.next) this.#followPhrase(reading, phrases, from, from + 1, 0);
      if (meant === null) continue;
      for (const other of meant) {
        if (other.phrases !== null) this.#followPhrase(reading, other.phrases, from, from + 1, 1);
      }
    }
  }

  /** Continues a phrase whose tokens `from` to `to` (exclusive) were read with so many typos. */
  #followPhrase(reading: Reading, node: PhraseNode, from: number, to: number, typos: number): void {
    const { known, findings } = reading;
    if (typos > 0 && node.ends !== null) findings.addTypo(node.ends, from, to);
    if (node.next === null || to === known.length) return;
    const { word, meant } = known[to]!;
    const straight = word === null ? undefined : node.next.get(word);
    if (straight !== undefined) this.#followPhrase(reading, straight, from, to + 1, typos);
    if (typos === MAX_MISTYPED_WORDS || meant === null) return;
    for (const other of meant) {
      const next = node.next.get(other);
      if (next !== undefined) this.#followPhrase(reading, next, from, to + 1, typos + 1);
    }
  }

  #findParts({ tokens, known, findings }: Reading): void {
    for (let first = 0; first < tokens.length; first++) {
      const { beginnings } = known[first]!;
      if (beginnings === null) continue;
      for (const from of beginnings) this.#findPartsAt(tokens, first, from, findings);
    }
  }

  #findPartsAt(tokens: Token[], first: number, from: number, findings: Findings): void {
    let last = first;
    let token = tokens[last]!;
    let to = from;
    let node = this.#letters;
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
      const next = node.symbol === symbol ? node.next : node.more?.get(symbol);
      if (next == null) return;
      node = next;
      if (node.ends !== null) findings.addPart(node.ends, first, from, last, to);
    }
  }

  /** Findings of a candidate in the text searched last. */
  #foundOf(candidate: number): { wanted: Hit[]; excluded: Hit[] } {
    const rule = this.#rules[candidate]!;
    return rule.text === this.#texts ? rule : NOTHING;
  }

  #matchOf(rule: Rule): Match | null {
    const { candidate, wanted, excluded } = rule;
    if (wanted.length === 0 || excluded.length > 0) return null;
    return this.#candidates[candidate]!.rule.mode === 'all_words'
      ? this.#matchAllWords(candidate, wanted)
      : bestHit(candidate, wanted);
  }

  #matchAllWords(candidate: number, hits: Hit[]): Match | null {
    const straight = new Set<number>();
    const all = new Set<number>();
    for (const hit of hits) {
      all.add(hit.pattern.entry);
      if (hit.how === 'all_words') straight.add(hit.pattern.entry);
    }
    const wanted = this.#rules[candidate]!.words.length;
    if (all.size < wanted) return null;
    const length = hits.reduce((longest, hit) => Math.max(longest, hit.pattern.length), 0);
    return { candidate, how: straight.size === wanted ? 'all_words' : 'typo', length };
  }

  #missingWords(candidate: number, hits: Hit[]): string[] {
    return this.#rules[candidate]!.words.filter((_, entry) => !hits.some((hit) => hit.pattern.entry === entry));
  }

  /** Negative when `a` goes first, positive when `b` does; its size is the place in `CRITERIA`, from 1 on, of what decides. */
  #compare(a: Match, b: Match): number {
    const standing = this.#compareStanding(a.candidate, b.candidate);
    if (standing !== 0) return standing;
    if (a.how !== b.how) return RANK[a.how] < RANK[b.how] ? -3 : 3;
    if (a.length !== b.length) return a.length > b.length ? -4 : 4;
    const one = this.#candidates[a.candidate]!;
    const other = this.#candidates[b.candidate]!;
    if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -5 : 5;
    return one.id < other.id ? -6 : one.id > other.id ? 6 : 0;
  }

  /** As `#compare`, by what the text has no part in. */
  #compareStanding(a: number, b: number): number {
    const one = this.#candidates[a]!;
    const other = this.#candidates[b]!;
    if (one.scope !== other.scope) return one.scope === 'post' ? -1 : 1;
    if (one.priority !== other.priority) return one.priority > other.priority ? -2 : 2;
    return 0;
  }
}

function newLetterNode(): LetterNode {
  return { symbol: UNKNOWN_SYMBOL, next: null, more: null, ends: null };
}

/** The node after a symbol, which is made where there is none. */
function addLetter(node: LetterNode, symbol: number): LetterNode {
  if (node.next === null) {
    node.symbol = symbol;
    node.next = newLetterNode();
  }
  if (node.symbol === symbol) return node.next;
  node.more ??= new Map();
  return getOrAdd(node.more, symbol, newLetterNode);
}

/** Of one beginning: so that few of the other places stand for one. */
const PLACES_OF_A_BEGINNING = 32;
const MOST_PLACES = 8_192;
/** The golden ratio's: every bit of what it multiplies moves the middle ones. */
const SPREADS_BITS = 0x9e3779b1;

/**
 * First letters of parts: at most letters of a text no part begins, and no search starts. A place in a table may stand for several
 * beginnings; then a search is begun in vain. A creator has a matcher for each post, hence no table larger than it must be.
 */
class Beginnings {
  /** Three symbols of one word, or two and its end. */
  readonly #threes: Uint8Array;
  /** Parts that are shorter, or whose first word is one letter, as in scripts without spaces. */
  readonly #ones: Uint8Array;
  readonly #last: number;

  constructor(parts: number[][]) {
    const places = Math.min(MOST_PLACES, 2 ** Math.ceil(Math.log2(parts.length * PLACES_OF_A_BEGINNING)));
    this.#threes = new Uint8Array(places);
    this.#ones = new Uint8Array(places);
    this.#last = places - 1;
    for (const [first, second, third] of parts) {
      if (second === undefined || second === SPACE || third === undefined) this.#ones[first! & this.#last] = 1;
      else this.#threes[this.#placeOfThree(first!, second, third)] = 1;
    }
  }

  /** Letters of a word at which one may begin; null when there are none. */
  within(word: string): number[] | null {
    let found: number[] | null = null;
    for (let at = 0; at < word.length; at++) {
      if (!this.#mayBeAt(word, at)) continue;
      if (found === null) found = [at];
      else found.push(at);
    }
    return found;
  }

  #mayBeAt(word: string, at: number): boolean {
    const first = word.charCodeAt(at);
    if (this.#ones[first & this.#last] === 1) return true;
    if (at + 1 === word.length) return false;
    const third = at + 2 === word.length ? SPACE : word.charCodeAt(at + 2);
    return this.#threes[this.#placeOfThree(first, word.charCodeAt(at + 1), third)] === 1;
  }

  #placeOfThree(first: number, second: number, third: number): number {
    return (Math.imul(first ^ (second << 5) ^ (third << 10), SPREADS_BITS) >>> 16) & this.#last;
  }
}

/** With fewer patterns, working a word out is no dearer than remembering it. */
const WORTH_REMEMBERING = 64;
/** Longer ones are rare, and cut from a text they would keep all of it in memory. */
const LONGEST_REMEMBERED = 12;

/**
 * The words of texts that were looked at last: people use the same few hundred over and over. It has as many places as the
 * matcher has patterns, and every word has its place; whoever comes later takes it over.
 */
class Memory {
  readonly #places: (Known | undefined)[];
  readonly #last: number;

  constructor(patterns: number) {
    const places = 2 ** Math.ceil(Math.log2(patterns));
    this.#places = new Array<Known | undefined>(places).fill(undefined);
    this.#last = places - 1;
  }

  recall(key: string): Known | undefined {
    if (key.length > LONGEST_REMEMBERED) return undefined;
    const known = this.#places[this.#placeOf(key)];
    return known !== undefined && known.key === key ? known : undefined;
  }

  keep(known: Known): void {
    if (known.key.length <= LONGEST_REMEMBERED) this.#places[this.#placeOf(known.key)] = known;
  }

  #placeOf(key: string): number {
    const { length } = key;
    let letters = length;
    for (let at = 0; at < length; at++) letters = Math.imul(letters, 31) + key.charCodeAt(at);
    return (Math.imul(letters, SPREADS_BITS) >>> 16) & this.#last;
  }
}

/** Collects hits while a text is searched. */
class Findings {
  /** Rules with any finding, an excluded word or another. */
  readonly rules: Rule[] = [];
  readonly #text: number;
  readonly #tokens: Token[];
  readonly #contentStart: number;
  readonly #contentEnd: number;

  constructor(tokens: Token[], text: number) {
    this.#tokens = tokens;
    this.#text = text;
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
    const { rule } = pattern;
    if (pattern.text !== this.#text) {
      pattern.text = this.#text;
      pattern.seen = 0;
    }
    if (pattern.seen === MAX_HITS_PER_PATTERN) return;
    pattern.seen++;
    if (rule.text !== this.#text) {
      rule.text = this.#text;
      rule.wanted = NO_HITS;
      rule.excluded = NO_HITS;
      this.rules.push(rule);
    }
    const hit = { pattern, how, first, from, last, to };
    if (rule[pattern.use] === NO_HITS) rule[pattern.use] = [hit];
    else rule[pattern.use].push(hit);
  }
}

function bestHit(candidate: number, hits: Hit[]): Match {
  let best = hits[0]!;
  for (const hit of hits) if (compareHits(hit, best) < 0) best = hit;
  return { candidate, how: best.how, length: best.pattern.length };
}

function compareHits(a: Hit, b: Hit): number {
  return (
    RANK[a.how] - RANK[b.how] ||
    b.pattern.length - a.pattern.length ||
    a.first - b.first ||
    a.from - b.from ||
    a.pattern.entry - b.pattern.entry
  );
}

function details(text: string, tokens: Token[], hits: Hit[]): { matchedWords: string[]; found: Found[] } {
  // By far the most common, and the order and the repeats of one need no looking at.
  if (hits.length === 1) return { matchedWords: [hits[0]!.pattern.written], found: [foundAt(text, tokens, hits[0]!)] };
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
