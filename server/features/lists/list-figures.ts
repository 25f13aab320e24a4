/** Who opened lists and went on to a shop. The way back to a post and a word leads through the message that they came from. */
import { sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import { type getListFigures, LIST_DOORS, LIST_FIGURES_DAYS, type ListFigures } from '#contract/list-figures.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { findChosen, type SettingsDeps } from '#server/features/shops/settings.ts';
import { shopOf } from '#server/features/shops/shop-pages.ts';

const DAY_MS = 86_400_000;
const SHOWN = 20;
const RECIPES_SHOWN = 5;

type Row = { by: string; of: string | null; opened: number; toShops: number };
type Visits = Pick<Row, 'opened' | 'toShops'>;

export async function figuresOfLists(
  deps: SettingsDeps & { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { recipeId, mealPlanId }: QueryOf<typeof getListFigures>,
): Promise<ListFigures> {
  const since = new Date(deps.clock.now().getTime() - LIST_FIGURES_DAYS * DAY_MS);
  const rows = await readVisits(trx, creatorId, since, { recipeId, mealPlanId });
  const by = (what: string, most = SHOWN) => rows.filter((row) => row.by === what).slice(0, most);
  const [captions, names] = await Promise.all([
    readNames(trx, creatorId, 'posts', by('post')),
    readNames(trx, creatorId, 'recipes', by('recipe', RECIPES_SHOWN)),
  ]);
  const { shops } = await findChosen(deps, trx, creatorId);
  const shopNames = new Map(shops.map(shopOf).map(({ id, name }) => [id, name]));
  return {
    ...visitsOf(by('all')[0] ?? { opened: 0, toShops: 0 }),
    shops: by('part')
      .map((row) => ({ shop: row.of!.slice('shop '.length), people: row.toShops }))
      .map((row) => ({ ...row, name: shopNames.get(row.shop) ?? null }))
      .toSorted((a, b) => b.people - a.people),
    posts: by('post').map((row) => ({ ...visitsOf(row), postId: row.of, caption: captions.get(row.of ?? '') ?? null })),
    words: by('word').map((row) => ({ ...visitsOf(row), word: row.of })),
    doors: doorsOf(by('door')),
    recipes: (mealPlanId === undefined ? by('recipe', RECIPES_SHOWN) : []).map((row) => ({
      ...visitsOf(row),
      ...{ recipeId: row.of!, name: names.get(row.of!) ?? null },
    })),
  };
}

function visitsOf({ opened, toShops }: Visits): Visits {
  return { opened, toShops };
}

/** One that a later version knows is `other`. */
function doorsOf(rows: Row[]): ListFigures['doors'] {
  return LIST_DOORS.flatMap((door) => {
    const of = rows.filter((row) =>
      (LIST_DOORS as readonly (string | null)[]).includes(row.of) ? row.of === door : door === 'other',
    );
    const sum = (what: keyof Visits) => of.reduce((total, row) => total + row[what], 0);
    return of.length === 0 ? [] : [{ door, opened: sum('opened'), toShops: sum('toShops') }];
  }).toSorted((a, b) => b.opened - a.opened);
}

/** Counted as clicks are: of each list a message once, else a network once a minute. */
async function readVisits(
  trx: CreatorTransaction,
  creatorId: string,
  since: Date,
  { recipeId, mealPlanId }: QueryOf<typeof getListFigures>,
): Promise<Row[]> {
  const ofRecipe = recipeId === undefined ? sql`l.recipe_id is not null` : sql`l.recipe_id = ${recipeId}`;
  const ofOne = mealPlanId === undefined ? ofRecipe : sql`l.meal_plan_id = ${mealPlanId}`;
  // Those whom no message brought are counted at once; of a message whatever was done from it is one row.
  const { rows } = await sql<Row>`
    with parts as materialized (
      select l.recipe_id, l.part, c.delivery_id, case when c.delivery_id is null then count(*) else 1 end as people
      from links l
      join clicks c on c.creator_id = l.creator_id and c.link_id = l.id
      where l.creator_id = ${creatorId} and ${ofOne} and l.automation_id is null and l.part_of is null
        and (l.part = 'list' or l.part like 'shop %') and c.clicked_at > ${since} and c.not_counted_because is null
      group by 1, 2, 3
    ), visits as (
      select recipe_id, delivery_id, coalesce(sum(people) filter (where part = 'list'), 0) as opened,
        case when delivery_id is null then coalesce(sum(people) filter (where part <> 'list'), 0)
          else coalesce(max(people) filter (where part <> 'list'), 0) end as shopped
      from parts group by recipe_id, delivery_id
    ), known as (
      select v.recipe_id, v.opened, v.shopped, i.*
      from visits v
      -- Each looked up by its id, for which "offset 0" stands: joined as a whole, a long history would be read for a few visits.
      left join lateral (
        -- Of a sequence of messages the comment that began it.
        select coalesce(s.interaction_id, d.interaction_id) as id from deliveries d
        left join conversations s on s.creator_id = d.creator_id and s.id = d.conversation_id
        where d.creator_id = ${creatorId} and d.id = v.delivery_id offset 0
      ) as answered on v.delivery_id is not null
      left join lateral (
        select post_id, matched_words[1] as word, kind as door from interactions
        where creator_id = ${creatorId} and id = answered.id offset 0
      ) as i on answered.id is not null
    )
    select
      case
        when grouping(post_id) = 0 then 'post' when grouping(word) = 0 then 'word' when grouping(door) = 0 then 'door'
        when grouping(recipe_id) = 0 then 'recipe' else 'all'
      end as by,
      coalesce(post_id, word, door, recipe_id::text) as of,
      coalesce(sum(opened), 0)::int as opened, coalesce(sum(shopped), 0)::int as "toShops"
    from known group by grouping sets ((), (post_id), (word), (door), (recipe_id))
    union all
    select 'part', part, 0, sum(people)::int from parts where part <> 'list' group by part
    order by opened desc, "toShops" desc, of
  `.execute(trx);
  return rows;
}

async function readNames(
  trx: CreatorTransaction,
  creatorId: string,
  table: 'posts' | 'recipes',
  rows: Row[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ of }) => of ?? []);
  const [name, isOne] =
    table === 'posts' ? [sql`caption`, sql`id = any(${ids}::text[])`] : [sql`name`, sql`id = any(${ids}::uuid[])`];
  const { rows: found } = await sql<{ id: string; name: string }>`
    select id::text as id, left(${name}, 200) as name from ${sql.table(table)} where creator_id = ${creatorId} and ${isOne}
  `.execute(trx);
  return new Map(found.map(({ id, name: said }) => [id, said]));
}
