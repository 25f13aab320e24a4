/**
 * Pages of blogs that have our script and no plugin. We read them ourselves: the browser says which page it is, never what stands
 * there. A page counts where its website is the creator's, by their word, and our own look finds the form's key in its HTML.
 *
 * Kept are the websites (`sites` of kind `script`) and, for a day, what their pages said.
 */
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { FormPageCheck } from '#contract/forms.ts';
import type { SubmittedPage } from '#contract/plugin.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { QueuedJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { isOfSite, placeOf, siteOfPage } from '#server/features/sites/site-place.ts';
import { addScriptSite } from '#server/features/sites/sites.ts';
import { nameOfPage } from '#server/features/submissions/submission-input.ts';
import { fillIn } from '#server/features/submissions/submissions.ts';
import { countsTooMany } from '#server/http/rate-limits.ts';
import type { GuardedFailure, GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { type Sight, visit } from '#server/platforms/visiting.ts';
import { readRecipePage } from './recipe-page.ts';

export type ReadingDeps = {
  db: Pick<Database, 'engine' | 'withCreator'>;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'baseUrl'>;
  fetching: GuardedFetch;
};
export type BlogSite = { id: string; place: string; url: string };
type Read =
  | { kind: 'read'; keys: string[]; page: SubmittedPage }
  /** It is no page of this website; or it may be one and nobody knows now. */
  | { kind: 'none' | 'unreadable'; says: string };

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5_000;
/** To another name of the website, and to its slash. */
const STEPS_AT_MOST = 3;
const LONGEST_URL = 1_500;
/** Mails wait so long for their page, and go with its link alone. */
export const READ_WITHIN_MS = 30_000;
const READ_AGAIN_MS = 24 * 3_600_000;
/** Where it was not as it should be, somebody may be mending it. */
const TRY_AGAIN_MS = 10 * 60_000;

/** The address of a page without what was asked of it. Null: it is none of the web. */
export function pageAddress(given: string): string | null {
  if (given.length > LONGEST_URL || !URL.canParse(given)) return null;
  const { protocol, origin, pathname, username, password } = new URL(given);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return null;
  return `${origin}${pathname}`;
}

/** The website of the creator that this page is of, or that this origin is. */
export async function findSite(db: Kysely<Tables>, creatorId: string, url: string): Promise<BlogSite | null> {
  return siteOfPage(await findSites(db, creatorId), placeOf(url) ?? '') ?? null;
}

/** @param origin as browsers send it */
export async function isOriginOfSite(db: Kysely<Tables>, creatorId: string, origin: string): Promise<boolean> {
  const host = { place: placeOf(origin) ?? '' };
  return (await findSites(db, creatorId)).some(({ url }) => isOfSite(host, url));
}

function findSites(db: Kysely<Tables>, creatorId: string): Promise<BlogSite[]> {
  return db
    .selectFrom('sites')
    .select(['id', 'place', 'url'])
    .where('creator_id', '=', creatorId)
    .where((eb) => eb.or([eb('kind', '=', 'script'), eb('is_live', '=', true)]))
    .execute();
}

export type KnownPage = { carriesForm: boolean; page: SubmittedPage } | null;

/** What is known of a page of the last day; null: it is to be read. */
export async function findPage(
  { db, clock }: Pick<ReadingDeps, 'db' | 'clock'>,
  form: { creatorId: string; key: string },
  url: string,
): Promise<KnownPage> {
  const row = await db.engine
    .selectFrom('script_pages')
    .select(['form_keys', 'page', 'read_at'])
    .where('creator_id', '=', form.creatorId)
    .where('url_key', '=', addressKey(url))
    .executeTakeFirst();
  if (row === undefined) return null;
  const carriesForm = row.form_keys === null || row.form_keys.includes(form.key);
  const keptMs = row.form_keys?.includes(form.key) ? READ_AGAIN_MS : TRY_AGAIN_MS;
  if (row.read_at.getTime() + keptMs <= clock.now().getTime()) return null;
  return { carriesForm, page: (row.page as SubmittedPage | null) ?? linkAlone(url) };
}

export function linkAlone(url: string): SubmittedPage {
  return { url, title: nameOfPage(url), pictureUrl: null, recipe: null };
}

/** Reads a page that somebody saved; their mails wait for it. */
export const readSavedPage: QueuedJob<ReadingDeps, { creatorId: string; url: string }> = {
  name: 'read-saved-page',
  payload: z.object({ creatorId: z.string(), url: z.string() }),
  atOnce: 4,
  run: async (deps, { creatorId, url }) => {
    const { db, clock } = deps;
    const since = new Date(clock.now().getTime() - READ_WITHIN_MS);
    const site = await findSite(db.engine, creatorId, url);
    // A program that names page after page has the blog asked for each.
    if (site === null || (await countsTooMany(db.engine, clock.now(), 'pages_by_creator', creatorId))) return;
    const read = await readPage(deps, { creatorId, site, url });
    await db.withCreator(creatorId, async (trx) => {
      await keep(deps, trx, { creatorId, site, url }, read);
      const page = read.kind === 'read' && read.keys.length > 0 ? read.page : null;
      await fillIn(deps, trx, { creatorId, url, since, page: read.kind === 'unreadable' ? linkAlone(url) : page });
    });
  },
};

/**
 * The creator says where their form is: the website is theirs from then on.
 *
 * @throws AppError not_possible_now
 */
export async function checkPage(
  deps: ReadingDeps,
  { creatorId, key, given }: { creatorId: string; key: string; given: string },
): Promise<FormPageCheck> {
  const url = pageAddress(/^https?:\/\//i.test(given) ? given : `https://${given}`);
  if (url === null) return not(SAYS.bad_address);
  if (await countsTooMany(deps.db.engine, deps.clock.now(), 'pages_by_creator', creatorId)) {
    return not('That’s a lot of pages. Try again in an hour.');
  }
  const sight = await lookAt(deps, url);
  const said = problemOf(sight);
  if (said !== null || sight.kind !== 'page') return not(said ?? '');
  const [here, html] = [pageAddress(sight.url)!, sight.text!];
  if (!html.includes(key)) {
    return not(
      'We read that page, and this form isn’t in it. Publish the page with the snippet in its HTML, then check again.',
    );
  }
  const page = readRecipePage(html, here);
  await deps.db.withCreator(creatorId, async (trx) => {
    const site = await addScriptSite(deps, trx, creatorId, here);
    const keys = await keysIn(trx, creatorId, html);
    await keep(deps, trx, { creatorId, site, url: here }, { kind: 'read', keys, page });
  });
  const { title, pictureUrl, recipe } = page;
  return {
    found: true,
    says:
      recipe === null ? 'Found. The page has no recipe data, so emails have its title, picture and link.' : 'Found.',
    page: { title: recipe?.name || title, pictureUrl, ingredients: recipe?.ingredients.length ?? 0 },
  };
}

function not(says: string): FormPageCheck {
  return { found: false, says, page: null };
}

type Place = { creatorId: string; site: BlogSite; url: string };

async function readPage(deps: ReadingDeps, { creatorId, site, url }: Place): Promise<Read> {
  const sight = await lookAt(deps, url);
  const says = problemOf(sight);
  if (says !== null || sight.kind !== 'page')
    return { kind: isForNow(sight) ? 'unreadable' : 'none', says: says ?? '' };
  if (!isOfSite(site, sight.url)) return { kind: 'none', says: 'It leads to another website.' };
  const html = sight.text!;
  return { kind: 'read', keys: await keysIn(deps.db.engine, creatorId, html), page: readRecipePage(html, url) };
}

function lookAt({ fetching, config }: ReadingDeps, url: string): Promise<Sight> {
  return visit(
    {
      fetching,
      takeTurn: async () => {},
      userAgent: `CreatorHQ-page-reader/1.0 (+${config.baseUrl})`,
      timeoutMs: TIMEOUT_MS,
      stepsAtMost: STEPS_AT_MOST,
      maxBytes: MAX_BYTES,
    },
    url,
  );
}

const SAYS: Record<GuardedFailure | 'loop', string> = {
  bad_address: 'Enter the whole address of a recipe, like https://annaskitchen.com/lemon-tart.',
  private_address: 'That address is inside a private network. Enter one that anyone can open.',
  unreachable: 'We can’t reach that website. Check the address.',
  certificate: 'That website’s certificate isn’t valid.',
  timeout: `The page took longer than ${TIMEOUT_MS / 1000} seconds. Try again.`,
  broken_off: 'The connection broke. Try again.',
  loop: 'That address keeps leading somewhere else. Enter the one you see when the page is open.',
};

/** Null: it is a page that can be read. */
function problemOf(sight: Sight): string | null {
  if (sight.kind === 'loop') return SAYS.loop;
  if (sight.kind === 'failure') return SAYS[sight.because];
  if (sight.status !== 200) return `That page answers with an error (${sight.status}).`;
  return sight.text === null ? 'That address isn’t a web page.' : null;
}

/** Who asks later may get the page: programs are turned away, and servers are busy. */
function isForNow(sight: Sight): boolean {
  if (sight.kind === 'page') return ![200, 404, 410].includes(sight.status);
  return sight.kind === 'failure' && !['bad_address', 'private_address'].includes(sight.because);
}

async function keysIn(db: Kysely<Tables>, creatorId: string, html: string): Promise<string[]> {
  const forms = await db.selectFrom('forms').select('key').where('creator_id', '=', creatorId).execute();
  return forms.map(({ key }) => key).filter((key) => html.includes(key));
}

async function keep(
  { clock }: Pick<ReadingDeps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, site, url }: Place,
  read: Read,
): Promise<void> {
  const facts = {
    site_id: site.id,
    url,
    form_keys: read.kind === 'read' ? read.keys : read.kind === 'none' ? [] : null,
    page: read.kind === 'read' ? JSON.stringify(read.page) : null,
    read_at: clock.now(),
  };
  await trx
    .insertInto('script_pages')
    .values({ creator_id: creatorId, url_key: addressKey(url), ...facts })
    .onConflict((conflict) => conflict.columns(['creator_id', 'url_key']).doUpdateSet(facts))
    .execute();
}
