/**
 * Saved last season: the recipe that most readers saved in the eight weeks that begin now, a year ago. It is suggested for a
 * newsletter to those who saved it, which is a draft like any other.
 */
import { sql } from 'kysely';
import type { EmailBlock, EmailDesign } from '#contract/email-templates.ts';
import type { Broadcast, Season } from '#contract/newsletters.ts';
import { writeSegment } from '#contract/segments.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { findLiveDesign } from '#server/features/email-templates/live-templates.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import { show } from './broadcasts.ts';

type Deps = { clock: Clock; ids: Ids };
type Whose = { creatorId: string; url: string };
type Page = Pick<Season, 'url' | 'title' | 'pictureUrl'>;

const WEEKS = 8;
/** Readers who said yes; fewer are no season. */
const AT_LEAST = 10;
/** Until next year's. */
const ANSWERED_DAYS = 300;
const LONGEST_TITLE = 150;

/** @returns null where no recipe was saved by enough readers, all were answered, or a tool sends newsletters */
export async function findSeason(trx: CreatorTransaction, creatorId: string, now: Date): Promise<Season | null> {
  const { rows } = await sql<{ key: string; count: number }>`
    with settings as (
      select writer, seasons from newsletter_settings where creator_id = ${creatorId}
    ), answered as (
      select key from settings cross join lateral jsonb_each_text(seasons)
      where value::timestamptz > ${now}::timestamptz - make_interval(days => ${ANSWERED_DAYS})
    )
    select split_part(s.address_key, '#', 1) as key, count(distinct whole.id)::int as count
    from submissions s join contacts c on c.creator_id = s.creator_id and c.id = s.contact_id
    join contacts whole on whole.creator_id = c.creator_id and whole.newsletter_of_all = 'confirmed'
      and whole.id = case when c.joined_to is null then c.id else c.joined_to end
    where s.creator_id = ${creatorId} and s.address_key is not null and not s.is_test
      and s.received_at >= ${now}::timestamptz - interval '1 year'
      and s.received_at < ${now}::timestamptz - interval '1 year' + make_interval(weeks => ${WEEKS})
      and split_part(s.address_key, '#', 1) not in (select key from answered)
      and not exists (select from settings where writer <> 'here')
    group by 1 having count(distinct whole.id) >= ${AT_LEAST} order by 2 desc, 1 limit 1
  `.execute(trx);
  const [most] = rows;
  const page = most && (await findPage(trx, creatorId, most.key));
  return page === undefined ? null : { ...page, count: most!.count };
}

/**
 * In the words of the live template, with the recipe. It is not suggested again this year.
 *
 * @throws AppError not_found for a page that nobody saved
 */
export async function writeDraft(
  deps: Deps,
  trx: CreatorTransaction,
  whose: Whose,
  by: { name: string },
): Promise<Broadcast> {
  const { creatorId } = whose;
  const page = await answer(deps, trx, whose);
  const now = deps.clock.now();
  const row = await trx
    .insertInto('broadcasts')
    .values({
      ...{ creator_id: creatorId, id: deps.ids.uuid(now), kind: 'broadcast' },
      design: JSON.stringify(withRecipe(await findLiveDesign(trx, creatorId, 'broadcast'), page)),
      segment: writeSegment({
        match: 'all',
        groups: [
          { match: 'all', negated: false, conditions: [{ field: 'saved_page', negated: false, value: page.url }] },
        ],
      }),
      ...{ changed_by: by.name, changed_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return show(row);
}

/**
 * Remembers that the creator decided about it.
 *
 * @throws AppError not_found for a page that nobody saved
 */
export async function answer(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, url }: Whose,
): Promise<Page> {
  const key = addressKey(url);
  const page = await findPage(trx, creatorId, key);
  if (page === undefined) throw new AppError('not_found', 'No one has this recipe saved anymore.');
  const seasons = sql`jsonb_build_object(${key}::text, ${clock.now().toISOString()}::text)`;
  await sql`
    insert into newsletter_settings as s (creator_id, seasons) values (${creatorId}, ${seasons})
    on conflict (creator_id) do update set seasons = s.seasons || excluded.seasons
  `.execute(trx);
  return page;
}

/** As it was saved last. A longer address is in no segment. */
async function findPage(trx: CreatorTransaction, creatorId: string, key: string): Promise<Page | undefined> {
  const { rows } = await sql<Page>`
    select url, coalesce(nullif(recipe ->> 'name', ''), title) as title, picture_url as "pictureUrl" from saved_recipes
    where creator_id = ${creatorId} and md5(page_key) = md5(${key}) and page_key = ${key} and length(url) <= 500
    order by last_saved_at desc, id limit 1
  `.execute(trx);
  const [page] = rows;
  // A brace would begin a field.
  return page && { ...page, title: oneLine(page.title.replaceAll(/[{}]/g, ''), LONGEST_TITLE) };
}

/** In place of the first text. */
function withRecipe(design: EmailDesign, { url, title, pictureUrl }: Page): EmailDesign {
  const base = (part: string) => ({ id: `season-${part}`, hideWhen: null });
  const says = 'You saved this recipe around this time last year. Here it is again.';
  const card: EmailBlock[] = [
    {
      ...{ ...base('text'), kind: 'text' },
      parts: [{ kind: 'paragraph', lines: [[{ text: says, bold: false, italic: false, link: null }]] }],
    },
    { ...base('title'), kind: 'heading', text: title, size: 'small' },
    ...(pictureUrl?.startsWith('https://')
      ? [{ ...base('picture'), kind: 'picture' as const, url: pictureUrl, alt: title, link: url }]
      : []),
    { ...base('button'), kind: 'button', label: 'Open the recipe', link: url },
  ];
  const text = design.blocks.findIndex(({ kind }) => kind === 'text');
  const blocks = text === -1 ? design.blocks.toSpliced(-1, 0, ...card) : design.blocks.toSpliced(text, 1, ...card);
  return { ...design, subject: `${title}, again this year?`, preheader: says, blocks };
}
