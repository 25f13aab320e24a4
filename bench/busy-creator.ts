/** A creator with a long past: what the lists of a big account have to cope with. */
import type pg from 'pg';
import { fillQuickly, inPortions } from './bulk-fill.ts';

/** `linkClicks`: of app links, in the last 28 days; none when absent. */
export type CreatorSize = { people: number; interactions: number; posts: number; linkClicks?: number };

export type BusyCreator = {
  connectionId: string;
  /** Answered half of all comments; lately in two wordings that are compared. */
  automationId: string;
  /** Of somebody ordinary, `person777`. */
  handle: string;
  /** Whose list was opened most. */
  recipeId: string;
  /** The one that most people followed. */
  appLinkId: string;
  /** Of 60 meals. */
  mealPlanId: string;
};

/** Of the last hour, all under `post1`: they wait for the platform's hourly limit. */
const WAITING_AT_MOST = 20_000;
const STORIES = 900;
const COMPARED = 2900;
const RECIPES = 10_000;
const LIST_VISITS = 100_000;
const APP_LINKS = 20_000;
const MEAL_PLANS = 200;

/**
 * Over one year, the last hour viral: a twentieth of all comments under `post1`, as many under `post2` that nothing answered (an automation is there
 * only now), one in a thousand by `person1`, a twentieth direct messages, a hundredth replies to stories.
 */
export async function fillCreator(client: pg.Client, creatorId: string, size: CreatorSize): Promise<BusyCreator> {
  const { rows } = await client.query<{ connection_id: string; id: string }>(
    'select connection_id, id from automations where creator_id = $1 order by created_at limit 1',
    [creatorId],
  );
  const { connection_id: connectionId, id: automationId } = rows[0]!;
  const own = [creatorId, connectionId];
  await client.query(POSTS, [...own, size.posts]);
  await client.query(STORIES_OF_A_YEAR, [...own, STORIES]);
  await client.query(
    `update automations set variants = '[{"id": "b", "text": "Hi! Here it is."}]' where creator_id = $1 and id = $2`,
    [creatorId, automationId],
  );
  await client.query(NEW_AUTOMATION, own);
  // The most messages that are read again for each look at the comparison.
  await client.query(
    `update automations set variants_since = now() - $3 * interval '1 year' where creator_id = $1 and id = $2`,
    [creatorId, automationId, (2 * COMPARED) / size.interactions],
  );
  const waiting = Math.min(WAITING_AT_MOST, Math.floor(size.interactions / 20));
  const tables = ['people', 'interactions', 'deliveries', 'clicks', 'outcome_counts', 'answered_people'];
  await fillQuickly(client, tables, async () => {
    await inPortions(1, size.people, (from, to) => client.query(PEOPLE, [...own, from, to, size.people]));
    await inPortions(1, size.interactions, (from, to) =>
      client.query(INTERACTIONS, [...own, automationId, from, to, size.interactions, size.people, size.posts, waiting]),
    );
    await client.query(MANY_APP_LINKS, [creatorId, APP_LINKS]);
    await inPortions(1, size.linkClicks ?? 0, (from, to) =>
      client.query(LINK_CLICKS, [creatorId, from, to, APP_LINKS, size.linkClicks]),
    );
    await client.query(LINK_DAYS, [creatorId]);
    await client.query(COUNTS, [creatorId]);
    await client.query(ANSWERED, [creatorId, automationId, size.people]);
  });
  await client.query(MANY_RECIPES, [creatorId, RECIPES]);
  await client.query(INGREDIENTS, [creatorId]);
  const { rows: visited } = await client.query<{ recipe_id: string }>(VISITS, [creatorId, LIST_VISITS]);
  await client.query(MANY_PLANS, [creatorId, MEAL_PLANS]);
  await client.query('analyze recipes, recipe_ingredients, links, clicks, link_days, app_links, meal_plans');
  const found = await client.query<{ username: string }>(
    `select username from people where creator_id = $1 and id = 'person777'`,
    [creatorId],
  );
  const recipeId = visited[0]!.recipe_id;
  const { rows: firsts } = await client.query<{ app_link_id: string; meal_plan_id: string }>(
    `select (select id from app_links where creator_id = $1 and name = 'Link 1') as app_link_id,
      (select id from meal_plans where creator_id = $1 and name = 'Plan 1') as meal_plan_id`,
    [creatorId],
  );
  const { app_link_id: appLinkId, meal_plan_id: mealPlanId } = firsts[0]!;
  return { connectionId, automationId, handle: found.rows[0]!.username, recipeId, appLinkId, mealPlanId };
}

const POSTS = `
  insert into posts (creator_id, connection_id, id, caption, caption_key, product_type, picture_url, comments_count, posted_at, synced_at)
  select $1, $2, 'post' || n, 'Lemon cake number ' || n, 'lemon cake number ' || n, case when n % 2 = 0 then 'REELS' else 'FEED' end,
    'https://example.com/p.jpg', n, now() - n * interval '3 hours', now() from generate_series(1, $3::int) n
`;

const STORIES_OF_A_YEAR = `
  insert into stories (creator_id, connection_id, id, kind, posted_at, expires_at, ended_at, seen_at)
  select $1, $2, 'story' || n, 'story', at, at + interval '1 day', case when n > 3 then at + interval '1 day' end, now()
  from generate_series(1, $3::int) n cross join lateral (select now() - n * interval '9 hours' as at) as posted
`;

const NEW_AUTOMATION = `
  insert into automations (creator_id, id, connection_id, name, scope, post_id, words, mode, message_text, switched_on_at, created_at,
    updated_at)
  select $1, gen_random_uuid(), $2, 'Recipe', 'one', 'post2', '{recipe}', 'whole_word', 'Here is the recipe.', now(), now(), now()
`;

/** Letters only, spread evenly. */
const name = (of: string) => `translate(md5(${of}), '0123456789', 'ghijklmnop')`;

/** The last hundredth was here first, and has a name in common. */
const PEOPLE = `
  insert into people (creator_id, connection_id, id, username, name, name_key, email, follows, stopped_at, taken_over_until,
    blocked_at, last_wrote_at, first_seen_at, last_seen_at)
  select $1, $2, 'person' || n, substr(${name('n::text')}, 1, 8) || '_' || n, initcap(first) || ' Müller' || n,
    first || ' muller' || n, case when n % 10 = 0 then 'mail' || n || '@example.com' end,
    case n % 5 when 0 then true when 1 then false end, case when n % 1000 = 0 then now() end,
    case when n % 2000 = 0 then now() + interval '1 day' end, case when n % 5000 = 0 then now() end,
    case when n % 3 = 0 then now() - n * interval '1 second' end, now() - interval '1 year', now() - n * interval '1 year' / $5::int
  from generate_series($3::int, $4::int) n cross join lateral (
    select case when n > $5::int * 0.99 then 'oldtimer' else substr(${name(`'a' || n`)}, 1, 5) end as first
  ) as names
`;

/** Ids in the order of time, as the program makes them: what came together stands together. */
const INTERACTIONS = `
  with past as (
    insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, person_id, username, text, occurred_at,
      received_at, outcome, reason, automation_id, outcome_at)
    select $1, uuidv7(at - now()), $2, kind, 'past' || n,
      case when kind = 'story_reply' then 'story' || 1 + n % ${STORIES} when kind <> 'comment' then null
        when outcome = 'waiting' or n % 40 in (1, 2) then 'post1' when n % 40 in (3, 4) then 'post2'
        else 'post' || 3 + (n * 31) % ($8::int - 2) end,
      'person' || p, substr(${name('p::text')}, 1, 8) || '_' || p, 'Looks so good, recipe please', at, at, outcome,
      case outcome when 'replied' then 'sent' when 'waiting' then 'queued' else 'no_match' end,
      case when outcome <> 'skipped' then $3::uuid end, at
    from generate_series($4::int, $5::int) n
    cross join lateral (
      select case when n % 1000 = 0 then 1 else 1 + n % $7::int end as p,
        now() - n * case when n <= $9::int then interval '1 hour' / $9::int else interval '1 year' / $6::int end as at,
        case when n <= $9::int then 'comment' when n % 20 = 0 then 'direct_message' when n % 100 = 51 then 'story_reply'
          else 'comment' end as kind,
        case when n <= $9::int then 'waiting' when n % 2 = 0 and n % 40 not in (2, 4) then 'replied' else 'skipped' end as outcome
    ) as of
    returning creator_id, id, connection_id, automation_id, platform_id, person_id, received_at, outcome
  ), answers as (
    insert into deliveries (creator_id, id, connection_id, interaction_id, automation_id, variant, kind, lane, recipient, content,
      state, due_at, expires_at, called_at, finished_at, clicked_at, attempts, recipient_person_id, created_at)
    select creator_id, uuidv7(received_at - now()), connection_id, id, automation_id,
      case when hashtext(person_id) % 2 = 0 then 'a' else 'b' end, 'private_reply', 'private_replies', platform_id,
      '{"text": "Here is the recipe you asked for.", "buttons": []}', case outcome when 'replied' then 'sent' else 'queued' end,
      case outcome when 'replied' then received_at else now() + interval '1 day' end, received_at + interval '7 days', called, called,
      case when hashtext(platform_id) % 5 = 0 then called end, 1, case when called is not null then person_id end, received_at
    from past cross join lateral (select case when outcome = 'replied' then received_at end as called) as call
    where outcome <> 'skipped'
    returning creator_id, id, clicked_at
  )
  insert into clicks (creator_id, id, link_id, delivery_id, clicked_at)
  select creator_id, gen_random_uuid(), gen_random_uuid(), id, clicked_at from answers where clicked_at is not null
`;

/** As the triggers would have counted. */
const COUNTS = `
  insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
  select creator_id, counted_by, counted_id, counted, because, sum(count)
  from (
    select creator_id, post_id, automation_id, (received_at at time zone 'UTC')::date as day, outcome, reason, count(*) as count
    from interactions where creator_id = $1 and kind <> 'direct_message' group by 1, 2, 3, 4, 5, 6
  ) as rows cross join lateral counted_as(outcome, reason, automation_id, false) cross join lateral (
    values ('post', post_id), ('automation', automation_id::text), ('day', day::text),
      ('post_day', day || ' ' || post_id), ('automation_day', day || ' ' || automation_id)
  ) as key (counted_by, counted_id)
  where counted_id is not null
  group by 1, 2, 3, 4, 5
  on conflict (creator_id, counted_by, counted_id, counted, reason) do update set count = outcome_counts.count + excluded.count
`;

const ANSWERED = `
  insert into answered_people (creator_id, automation_id, person_id, interaction_id, answered_at)
  select $1, $2, 'person' || n * 10, gen_random_uuid(), now() from generate_series(1, $3::int / 10) n
  on conflict do nothing
`;

const MANY_RECIPES = `
  insert into recipes (creator_id, id, name, url, url_key, keyword_ideas, created_at, updated_at)
  select $1, gen_random_uuid(), initcap(substr(${name(`'r' || n`)}, 1, 6)) || ' cake ' || n, 'https://blog.example/cake-' || n,
    'blog.example/cake-' || n, array['cake' || n], now() - n * interval '1 hour', now() - n * interval '1 hour'
  from generate_series(1, $2::int) n
`;

/** Fifteen lines each; one in ten has one to check. */
const INGREDIENTS = `
  insert into recipe_ingredients (creator_id, recipe_id, list_code, servings, measures, language, lines, line_count, to_check, foods,
    updated_at)
  select $1, r.id, substr(md5(r.id::text), 1, 12), 4, 'us', 'en', l.lines, 15, case when r.n % 10 = 0 then 1 else 0 end, l.foods, now()
  from (select id, row_number() over (order by id) as n from recipes where creator_id = $1) as r
  cross join lateral (
    select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'group', '', 'text', i || ' cups ' || food || ', finely chopped',
        'fixes', '{}'::jsonb, 'checked', false, 'sourceText', i || ' cups ' || food || ', finely chopped', 'sourceUid', null)) as lines,
      string_agg(food, ', ') as foods
    from generate_series(1, 15) i
    cross join lateral (select substr(${name("(r.n * 31 + i * 7) % 900 || 'food'")}, 1, 7) || ' flour' as food) as f
  ) as l
  where not exists (select from recipe_ingredients o where o.creator_id = $1 and o.recipe_id = r.id)
`;

/** Of one recipe in 28 days; a tenth went on to a shop. */
const VISITS = `
  with recipe as (
    select recipe_id, list_code from recipe_ingredients where creator_id = $1 order by recipe_id limit 1
  ), doors as (
    insert into links (creator_id, id, code, url, recipe_id, part, created_at)
    select $1, gen_random_uuid(), list_code || part, 'https://hq.example/s/' || list_code, recipe_id, part, now()
    from recipe cross join (values ('list'), ('shop instacart')) as of (part)
    returning id, recipe_id, part
  ), visits as (
    insert into clicks (creator_id, id, link_id, clicked_at)
    select $1, gen_random_uuid(), id, now() - n * interval '20 seconds'
    from doors cross join generate_series(1, case when part = 'list' then $2::int else $2::int / 10 end) n
  )
  select recipe_id from doors limit 1
`;

const MANY_APP_LINKS = `
  with made as (
    insert into app_links (creator_id, id, name, address, opens_app, created_at, updated_at)
    select $1, gen_random_uuid(), 'Link ' || n, 'https://www.amazon.com/dp/B' || lpad(n::text, 9, '0') || '?tag=anna-20', true,
      now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, $2::int) n
    returning creator_id, id, address, name, created_at
  )
  insert into links (creator_id, id, code, url, app_link_id, created_at)
  select creator_id, gen_random_uuid(), 'bench' || substr(name, 6), address, id, created_at from made
`;

/** A few links have most of them: the first one a twenty-seventh. */
const LINK_CLICKS = `
  with all_links as materialized (
    select array_agg(id order by length(code), code) as ids from links where creator_id = $1 and code like 'bench%' and app_link_id is not null
  )
  insert into clicks (creator_id, id, link_id, clicked_at, channel, app, country)
  select $1, gen_random_uuid(), ids[1 + floor($4::int * power(hashint4(n)::float8 / 4294967296 + 0.5, 3))::int],
    now() - (n::float8 / $5::int) * interval '27 days', (array['bio', 'story', 'blog', 'qr'])[n % 4 + 1],
    (array['instagram', 'tiktok', null])[n % 3 + 1], (array['US', 'DE', 'ES', 'FR', 'IT'])[n % 5 + 1]
  from all_links cross join generate_series($2::int, $3::int) n
`;

/** As the recorder of clicks sums them. */
const LINK_DAYS = `
  insert into link_days
  select creator_id, link_id, day, case grouping(channel) when 1 then '*' else channel end, case grouping(app) when 1 then '*' else app end,
    case grouping(country) when 1 then '*' else country end, '', count(*)
  from (
    select c.creator_id, c.link_id, (c.clicked_at at time zone 'UTC')::date as day, coalesce(c.channel, '') as channel,
      coalesce(c.app, '') as app, coalesce(c.country, '') as country
    from clicks c join links l on l.creator_id = c.creator_id and l.id = c.link_id and l.app_link_id is not null
    where c.creator_id = $1
  ) as followed
  group by grouping sets ((creator_id, link_id, day, channel, app, country), (creator_id, link_id, day)) on conflict do nothing
`;

/** Of 60 meals each. */
const MANY_PLANS = `
  insert into meal_plans (creator_id, id, name, note, kind, sections, meals, changes, list_code, created_at, updated_at)
  select $1, gen_random_uuid(), 'Plan ' || n, '', 'week', '[]', m.meals,
    '{"lines": [], "items": [], "own": [], "together": [], "apart": []}', 'bench' || lpad(n::text, 5, '0'),
    now() - n * interval '1 hour', now() - n * interval '1 hour'
  from generate_series(1, $2::int) n
  cross join lateral (
    select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'section', at % 7, 'slot', 'dinner', 'recipeId', id, 'text', '',
      'servings', null)) as meals
    from (select id, row_number() over (order by id) as at from recipes where creator_id = $1 order by id offset n * 40 limit 60) r
  ) as m
`;
