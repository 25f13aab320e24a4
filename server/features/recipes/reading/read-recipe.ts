/** Reads a recipe from an address, a text or a post. What goes wrong at an address is an answer: `READ_FAILURES`. */
import { sql } from 'kysely';
import type { BodyOf, ResponseOf } from '#contract/endpoint.ts';
import { guessLanguage } from '#contract/ingredients/languages.ts';
import { measuresOfLanguage } from '#contract/ingredients/recipe-language.ts';
import type { SubmittedPage } from '#contract/plugin.ts';
import { type FoundBy, READ_FAILURES, type ReadFailure, type readRecipe } from '#contract/recipe-reading.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { addressKey, recipesAt } from '#server/features/recipes/address-key.ts';
import { measuresOf } from '#server/features/shops/settings.ts';
import type { GuardedFailure, GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { takeTurn } from '#server/platforms/host-turns.ts';
import { type Sight, visit } from '#server/platforms/visiting.ts';
import { readRest, restAddress } from './card-rest.ts';
import { asEntry, lineOf, servingsIn } from './json-ld.ts';
import { type Page, readPage } from './page.ts';
import { groupsOf, minutesOrNull, webAddressOrNull } from './recipe-reading.ts';
import { merge, ofReading, recipesOf, type Source, sameness, withPageFacts } from './sources.ts';
import { readText } from './text.ts';

export type ReadingDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  config: Pick<Config, 'baseUrl'>;
  fetching: GuardedFetch;
  /** Nobody waits: it goes at the pace of what looks in the background. */
  inBackground?: true;
};
type Of = { creatorId: string; inCreator<T>(work: (trx: CreatorTransaction) => Promise<T>): Promise<T> };
type Answer = ResponseOf<typeof readRecipe>;

const PAGE = { timeoutMs: 15_000, maxBytes: 3 * 1024 * 1024 };
const REST = { timeoutMs: 5_000, maxBytes: 1024 * 1024, types: /json/i, stepsAtMost: 1 };
const HOST_PAUSE_MS = 1_000;
/** As the link guard's. */
const BACKGROUND_PAUSE_MS = 4_000;
/** Of one process: each may hold two pages in memory, packed and not. */
const VISITS_AT_ONCE = 8;
/** As recipes may have them. */
const LONGEST_NAME = 120;
const LONGEST_HEADING = 100;
const LONGEST_UID = 100;

const BECAUSE: Record<GuardedFailure, ReadFailure> = {
  bad_address: 'bad_address',
  private_address: 'private_address',
  unreachable: 'unreachable',
  certificate: 'certificate',
  timeout: 'no_answer',
  broken_off: 'no_answer',
};
/** Titles of gates that ask whether one is human, some of them without an error. */
const GATE = /just a moment|attention required|are you (?:a )?human|access denied|security check|captcha/i;

/** @throws AppError not_found for a post that is not there */
export async function read(deps: ReadingDeps, of: Of, given: BodyOf<typeof readRecipe>): Promise<Answer> {
  const answer = await readGiven(deps, of, given);
  if (answer.kind !== 'read' || measuresOfLanguage(answer.reading.language) !== null) return answer;
  const measures = await of.inCreator((trx) => measuresOf(trx, of.creatorId));
  return { ...answer, reading: { ...answer.reading, measures } };
}

async function readGiven(
  deps: ReadingDeps,
  of: Of,
  { url, text, postId, choice }: BodyOf<typeof readRecipe>,
): Promise<Answer> {
  if (url !== undefined) return readAddress(deps, of, url, choice);
  const written = text ?? (await of.inCreator((trx) => findCaption(trx, of.creatorId, postId ?? '')));
  return readWritten(written, text === undefined ? 'post' : 'text');
}

function readWritten(text: string, by: FoundBy): Answer {
  const { steps, ...reading } = readText(text);
  if (reading.groups.length === 0) return failed('nothing');
  const source = ofReading({ ...reading, picture: null, minutes: null }, by);
  return answer(source, { url: null, steps, already: null });
}

async function readAddress(deps: ReadingDeps, of: Of, url: string, choice: string | undefined): Promise<Answer> {
  const { creatorId, inCreator } = of;
  const copy = await inCreator((trx) => findCopy(trx, creatorId, url));
  const sight = await atOnce(() => visit({ ...PAGE, ...visitor(deps) }, url));
  const because = failureOf(sight);
  if (because !== null || sight.kind !== 'page') {
    // Our plugin gets in where we do not.
    if (copy === null) return failed(because ?? 'no_answer');
    return answer(copy, { url, steps: [], already: await inCreator((trx) => findAlready(trx, creatorId, [url])) });
  }
  const page = readPage(sight.text ?? '');
  const found = chosen(recipesOf(page, sight.url), copy, { url, choice });
  if (found === null) return failed(whyNothing(page, sight.text ?? ''));
  if ('choices' in found) return failed('several', found.choices);
  const { card } = merge(found.sources);
  const told = card === null ? null : await askSite(deps, card, page, sight.url);
  const merged = merge(told === null ? found.sources : [...found.sources, told]);
  const already = await inCreator((trx) => findAlready(trx, creatorId, [url, sight.url]));
  return answer(withPageFacts(merged, page, sight.url), { url: sight.url, steps: [], already });
}

/** The one recipe, or the names to choose from; null: the page has none. */
function chosen(
  recipes: Source[][],
  copy: Source | null,
  { url, choice }: { url: string; choice: string | undefined },
): { sources: Source[] } | { choices: string[] } | null {
  const names = distinct(recipes.map((sources) => merge(sources).name ?? 'Recipe'));
  // "#wprm-recipe-container-7"
  const anchor = URL.canParse(url) ? new URL(url).hash.split('-').at(-1) : undefined;
  const named = recipes[names.indexOf(choice ?? '')];
  const anchored = recipes.find((sources) => sources.some(({ card }) => card?.id != null && card.id === anchor));
  const sources = named ?? (recipes.length === 1 ? recipes[0] : anchored);
  if (sources === undefined) return recipes.length > 0 ? { choices: names } : copy && { sources: [copy] };
  return { sources: copy !== null && sameness(copy, sources) > 0 ? [...sources, copy] : sources };
}

function distinct(names: readonly string[]): string[] {
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return `${name.slice(0, LONGEST_NAME)}${before === 0 ? '' : ` (${before + 1})`}`;
  });
}

/** What the card's plugin tells of it on its own site; null: nothing, or not to us. */
async function askSite(
  deps: ReadingDeps,
  card: NonNullable<Source['card']>,
  page: Page,
  url: string,
): Promise<Source | null> {
  const { origin } = new URL(url);
  const said = webAddressOrNull(page.restRoot, url);
  const isOwn = said !== null && new URL(said).origin === origin && said.endsWith('/');
  const address = restAddress(card, isOwn ? said : `${origin}/wp-json/`);
  if (address === null) return null;
  const sight = await atOnce(() => visit({ ...REST, ...visitor(deps) }, address));
  if (sight.kind !== 'page' || sight.status !== 200 || sight.text === null || sight.isCut) return null;
  return readRest(card.plugin, sight.text, url);
}

function visitor(deps: ReadingDeps) {
  if (deps.inBackground) return backgroundVisitor(deps);
  return {
    ...backgroundVisitor(deps),
    // Not the turns of what looks in the background: somebody waits.
    takeTurn: (host: string) => takeTurn(deps, `${host} reading`, HOST_PAUSE_MS),
  };
}

/** In the turns of what looks in the background. */
export function backgroundVisitor(deps: ReadingDeps) {
  return {
    fetching: deps.fetching,
    userAgent: `CreatorHQ-recipes/1.0 (+${deps.config.baseUrl})`,
    takeTurn: (host: string) => takeTurn(deps, host, BACKGROUND_PAUSE_MS),
  };
}

let visits = 0;
const waiting: (() => void)[] = [];

async function atOnce<T>(work: () => Promise<T>): Promise<T> {
  while (visits >= VISITS_AT_ONCE) await new Promise<void>((resolve) => void waiting.push(resolve));
  visits += 1;
  try {
    return await work();
  } finally {
    visits -= 1;
    waiting.shift()?.();
  }
}

/** Null: it is a page that can be read. */
function failureOf(sight: Sight): ReadFailure | null {
  if (sight.kind === 'loop') return 'no_answer';
  if (sight.kind === 'failure') return BECAUSE[sight.because];
  const { status, text, isCut, url } = sight;
  if (status === 401 || new URL(url).pathname.endsWith('/wp-login.php')) return 'login';
  if (status === 404 || status === 410) return 'gone';
  if ((status >= 400 && status < 500) || (status === 503 && GATE.test(text ?? ''))) return 'blocked';
  if (status !== 200) return 'no_answer';
  if (text === null) return 'not_html';
  return isCut ? 'too_large' : null;
}

function whyNothing({ title }: Page, html: string): ReadFailure {
  if (html.includes('post-password-form')) return 'login';
  return GATE.test(title ?? '') ? 'blocked' : 'nothing';
}

function failed(because: ReadFailure, choices: string[] = []): Answer {
  return { kind: 'failed', because, says: READ_FAILURES[because], choices };
}

type Rest = Pick<Extract<Answer, { kind: 'read' }>['reading'], 'url' | 'steps' | 'already'>;

function answer({ card: _card, by: foundBy, picture: pictureUrl, name, groups, ...read }: Source, rest: Rest): Answer {
  const cut = (text: string | null, most: number) => text?.slice(0, most).toWellFormed().trim() || null;
  return {
    kind: 'read',
    reading: {
      ...read,
      ...rest,
      measures: measuresOfLanguage(read.language) ?? 'us',
      name: cut(name, LONGEST_NAME),
      pictureUrl,
      groups: groups.map((group) => ({
        name: cut(group.name, LONGEST_HEADING),
        lines: group.lines.map(({ text, uid }) => ({
          text,
          uid: uid !== null && uid.length <= LONGEST_UID ? uid : null,
        })),
      })),
      foundBy,
    },
  };
}

/** The recipe of this page as the blog's plugin told it. */
async function findCopy(trx: CreatorTransaction, creatorId: string, url: string): Promise<Source | null> {
  const row = await trx
    .selectFrom('blog_posts')
    .select(['recipe', 'picture_url'])
    .where('creator_id', '=', creatorId)
    .where(sql<boolean>`md5(url_key) = md5(${addressKey(url)})`)
    .where('gone_at', 'is', null)
    .where('recipe', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const recipe = row?.recipe as SubmittedPage['recipe'] | undefined;
  if (row === undefined || !recipe) return null;
  const lines = recipe.ingredients.map(lineOf).filter((text) => text !== '');
  if (lines.length === 0) return null;
  const read = {
    name: recipe.name || null,
    picture: webAddressOrNull(row.picture_url, url),
    servings: servingsIn(recipe.yield),
    minutes: minutesOrNull(recipe.totalMinutes ?? 0),
    language: guessLanguage(lines.join('\n')),
  };
  return ofReading({ ...read, ...groupsOf(lines.map(asEntry)) }, 'plugin');
}

async function findAlready(trx: CreatorTransaction, creatorId: string, urls: string[]) {
  const row = await trx
    .selectFrom('recipes')
    .select(['id', 'name'])
    .where('creator_id', '=', creatorId)
    .where(sql<boolean>`id = any(${recipesAt(creatorId, urls.map(addressKey))})`)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

async function findCaption(trx: CreatorTransaction, creatorId: string, postId: string): Promise<string> {
  const row = await trx
    .selectFrom('posts')
    .select('caption')
    .where('creator_id', '=', creatorId)
    .where('id', '=', postId)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This post doesn’t exist, or was deleted.');
  return row.caption ?? '';
}
