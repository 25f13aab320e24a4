import { type Candidate, compileMatcher, type MatchMode } from '#contract/matching/index.ts';

/**
 * How long one comment takes against 1,000 keywords: `node bench/matcher-speed.ts`.
 *
 * Every comment is a different one and is timed alone (in `COMMENTS_PER_SAMPLE`, as the clock is coarser than one), so the
 * figures are those of a server that meets each text once. Comments have 200 characters.
 */

const KEYWORDS = 1_000;
const SAMPLES = 20_000;
const WARM_UP = 5_000;
const COMMENT_LENGTH = 200;

/** Small seeded generator (mulberry32), so that two runs measure the same work. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ENGLISH =
  `recipe please send the link this looks so good and love it yum what is in the sauce how many cups of flour chicken
  pasta lemon garlic butter cookies chocolate banana bread sourdough starter dinner breakfast lunch snack protein vegan gluten
  free dairy keto salad soup curry noodles rice beans tomato basil cheese mozzarella parmesan cream egg sugar vanilla cinnamon
  apple pumpkin pie cake brownie muffin pancake waffle oats yogurt smoothie berries strawberry peach mango coconut almond peanut
  oven fryer skillet grill roast bake fried crispy tender juicy spicy sweet salty smoky fresh quick easy simple healthy family
  kids husband mom weekend holiday christmas thanksgiving party potluck picnic amazing delicious wonderful beautiful thank you
  can where when who made making tried trying need want would could should must have has had going tomorrow tonight today`.split(
    /\s+/,
  );
const SYLLABLES = ['ba', 'cho', 'de', 'fri', 'gu', 'ha', 'ko', 'la', 'mi', 'no', 'pe', 'ri', 'sa', 'to', 've', 'zu'];
const OTHERS = [
  'crème brûlée recette délicieuse s’il te plaît où est le lien merci beaucoup',
  'рецепт пожалуйста очень вкусно спасибо ссылка хочу приготовить',
  'συνταγή παρακαλώ υπέροχο ευχαριστώ',
  'レシピをください とても美味しそうですね 作ってみたいです',
  '请发食谱谢谢 看起来很好吃',
  'الوصفة من فضلك شكرا جزيلا لذيذ جدا',
  'कृपया रेसिपी भेजें बहुत स्वादिष्ट',
  '레시피 부탁드려요 맛있어 보여요',
  'ขอสูตรหน่อยค่ะ น่ากินมาก',
  '😍🔥🙌🏽👩‍👩‍👧 recipe ❤️',
];

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Keywords as creators choose them: words of their dishes and made-up names, no two alike. */
function keywords(random: () => number, alphabetic: readonly string[]): string[] {
  const chosen = new Set<string>();
  while (chosen.size < KEYWORDS) {
    const made = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(random, SYLLABLES)).join('');
    const kind = random();
    if (kind < 0.15) chosen.add(pick(random, alphabetic));
    else if (kind < 0.4) chosen.add(`${pick(random, alphabetic)} ${pick(random, alphabetic)}`);
    else chosen.add(made);
  }
  return [...chosen];
}

function misspell(random: () => number, word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 1));
  if (random() < 0.5) return word.slice(0, at) + word.slice(at + 1);
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
}

function comments(random: () => number, words: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < COMMENT_LENGTH) {
      const word = pick(random, words);
      text += `${random() < 0.1 ? misspell(random, word) : word}${random() < 0.1 ? ', ' : ' '}`;
    }
    return text.slice(0, COMMENT_LENGTH);
  });
}

function candidates(words: string[], modeOf: (index: number) => MatchMode, typos: boolean): Candidate<number>[] {
  return words.map((word, index) => ({
    id: `automation-${index}`,
    rule: { words: [word], mode: modeOf(index), excludedWords: index % 10 === 0 ? ['not'] : [], typoTolerance: typos },
    scope: index % 2 === 0 ? 'post' : 'any_post',
    priority: 0,
    createdAt: index,
    value: index,
  }));
}

function measure(name: string, rules: Candidate<number>[], texts: string[]): void {
  const compiledAt = performance.now();
  const matcher = compileMatcher(rules);
  const compileMs = performance.now() - compiledAt;
  let matched = 0;
  const samplesUs: number[] = [];
  for (let i = 0; i < texts.length; i++) {
    const startedAt = process.hrtime.bigint();
    const result = matcher.match(texts[i]!);
    const tookNs = Number(process.hrtime.bigint() - startedAt);
    if (i < WARM_UP) continue;
    samplesUs.push(tookNs / 1_000);
    if (result !== null) matched++;
  }
  samplesUs.sort((a, b) => a - b);
  const at = (share: number) => samplesUs[Math.floor(samplesUs.length * share)]!.toFixed(1).padStart(6);
  const share = Math.round((100 * matched) / samplesUs.length);
  console.log(
    `${name.padEnd(48)} median ${at(0.5)} µs   p99 ${at(0.99)} µs   matched ${share} %   compiled in ${compileMs.toFixed(0)} ms`,
  );
}

/** Text people write around the word that counts; none of it is a keyword. */
const CHATTER =
  `omg this those they we you he she it is was are be been being do does did doing wow girl friend never ever always just only
  also very really truly absolutely totally honestly literally finally already again soon later early late night morning week
  month year day house home work school town city country world people everyone somebody nothing something anything looks
  looked looking feel feels felt think thought know knew see saw seen watch watched hear heard say said tell told ask asked
  give gave get got take took bring brought keep kept start started stop stopped open opened close closed wait waited`.split(
    /\s+/,
  );

const MIX: MatchMode[] = ['whole_word', 'contains', 'whole_word', 'exact', 'all_words'];
const mixed = (index: number) => MIX[index % MIX.length]!;
const whole = (): MatchMode => 'whole_word';
const random = randomFrom(7);
const words = keywords(random, ENGLISH).filter((word) => !CHATTER.includes(word));
const otherWords = OTHERS.flatMap((line) => line.split(' '));

const count = SAMPLES + WARM_UP;
const chatter = comments(random, CHATTER, count);
// Half of the comments have a keyword or a few among what else they say.
const usual = comments(random, [...CHATTER, ...CHATTER, ...CHATTER, ...words.slice(0, 20)], count);
const onlyKeywords = comments(random, ENGLISH, count);
const everyThird = otherWords.filter((_, index) => index % 3 === 0);
const tenScripts = comments(random, otherWords, count);

// A large matcher remembers the words of texts. Of these no two have one in common, as nobody writes.
const neverAgain = Array.from(
  { length: count },
  (_, text) =>
    comments(
      random,
      Array.from({ length: 40 }, (_, place) => `${pick(random, CHATTER)}${lettersFor(40 * text + place)}`),
      1,
    )[0]!,
);
console.log(`node ${process.version}, comments of ${COMMENT_LENGTH} characters, ${SAMPLES} of each kind\n`);
measure('1,000 whole words', candidates(words, whole, false), usual);
measure('1,000 whole words, small talk only', candidates(words, whole, false), chatter);
measure('1,000 of mixed modes, typos forgiven', candidates(words, mixed, true), usual);
measure('1,000 of mixed modes, typos, small talk only', candidates(words, mixed, true), chatter);
measure('1,000 of mixed modes, typos, every word found', candidates(words, mixed, true), onlyKeywords);
measure('1,000 of mixed modes, typos, no word met before', candidates(words, mixed, true), neverAgain);
measure('1,000 of mixed modes, typos, ten scripts', candidates(with1000(everyThird), mixed, true), tenScripts);
measure('  the same, every word found', candidates(with1000(otherWords), mixed, true), tenScripts);

function with1000(first: string[]): string[] {
  return [...new Set([...first, ...words])].slice(0, KEYWORDS);
}

/** Another word for each number. */
function lettersFor(number: number): string {
  return [...number.toString(16)].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('');
}
