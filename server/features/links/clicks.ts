/**
 * Clicks, written in batches: a person who taps never waits for the database, and a thousand taps a second are one
 * statement. At most a second of clicks is lost when the process is killed.
 *
 * Anybody may tap as often as they like, so a row stands for all taps of one link (and message), network and minute. Its id
 * is made of these by HMAC: every process finds the same row, and nobody reads a network's address out of it.
 */
import { createHmac } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { InAppBrowser } from '#contract/agents.ts';
import type { LinkChannel } from '#contract/link-channels.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { markClicked } from '#server/engine/outcomes/results-log.ts';
import { LISTENED, type ProductEvent, record } from '#server/events/product-events.ts';
import { markMailsClicked } from './mail-links.ts';
import { type NotCounted, TOLD } from './visitors.ts';

export type Click = {
  creatorId: string;
  linkId: string;
  /** As the link says; not yet known to exist. */
  deliveryId: string | null;
  /** The reader mail that the link stands in, as its mark proves. */
  mailId?: string | null;
  /** Of the caller: the widest of `networksOf`. */
  network: string;
  at: Date;
  notCountedBecause: NotCounted | null;
  /** Of app links, as far as it is known. */
  from?: { channel: LinkChannel | null; app: InAppBrowser | null; country: string | null };
};

export type ClickRecorder = {
  record(click: Click): void;
  /** Writes what is kept now; resolves when it is in the database, rejects when it could not be written. */
  flush(): Promise<void>;
  /** Writes the rest and stops. */
  close(): Promise<void>;
};

export type ClickDeps = {
  db: Database;
  clock: Clock;
  secretKey: string;
  log: FastifyBaseLogger;
  /** Told whose figures changed. */
  onCounted?: (creatorIds: string[]) => void;
};

const FLUSH_EVERY_MS = 1000;
const MINUTE_MS = 60_000;
const BATCH = 2000;
/** While the database is away. Beyond it the oldest go: figures are worth less than memory. */
const KEPT_AT_MOST = 100_000;
/** Between two flushes. More messages than that are not opened in one network in a second: they are made up. */
const MESSAGES_OF_A_NETWORK = 1000;

/** `times`: how many taps it stands for. */
type Kept = Click & { key: string; times: number };

export function createClickRecorder(deps: ClickDeps): ClickRecorder {
  const kept = new Map<string, Kept>();
  const messages = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  const closing = new AbortController();
  let ticking: Promise<void> | null = null;

  async function write(): Promise<void> {
    messages.clear();
    while (kept.size > 0) {
      const batch = [...kept.values()].slice(0, BATCH);
      // Taps meanwhile count for the next batch.
      for (const { key } of batch) kept.delete(key);
      const counted = await insert(deps, batch).catch((error: unknown) => {
        for (const click of batch) keep(click);
        throw error;
      });
      if (counted.length > 0) deps.onCounted?.(counted);
    }
  }

  function keep(click: Kept): void {
    const known = kept.get(click.key);
    if (known !== undefined) {
      known.times += click.times;
      return;
    }
    if (kept.size >= KEPT_AT_MOST) {
      for (const key of [...kept.keys()].slice(0, KEPT_AT_MOST / 10)) kept.delete(key);
    }
    kept.set(click.key, click);
  }

  function keyOf(click: Click): string {
    return factsOf(click, messageOf(click)).join(' ');
  }

  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write);
    return writing;
  }

  /** Runs only while there is something to write: an idle process does nothing. */
  async function tick(): Promise<void> {
    while (kept.size > 0 && !closing.signal.aborted) {
      await deps.clock.sleep(FLUSH_EVERY_MS, closing.signal);
      await flush().catch((error) => deps.log.error({ err: error, kept: kept.size }, 'clicks could not be written'));
    }
    ticking = null;
  }

  return {
    record(click) {
      let key = keyOf(click);
      let one = click;
      if (click.deliveryId !== null && !kept.has(key)) {
        const opened = (messages.get(click.network) ?? 0) + 1;
        messages.set(click.network, opened);
        if (opened > MESSAGES_OF_A_NETWORK) {
          one = { ...click, deliveryId: null };
          key = keyOf(one);
        }
      }
      keep({ ...one, key, times: 1 });
      ticking ??= tick();
    },
    flush,
    async close() {
      closing.abort();
      await ticking;
      await flush();
    },
  };
}

function messageOf({ deliveryId, mailId = null }: Click): string | null {
  return deliveryId ?? mailId;
}

function minuteOf({ at }: Click): number {
  return Math.floor(at.getTime() / MINUTE_MS);
}

/** What makes it another row than the next one. */
function factsOf(click: Click, messageId: string | null) {
  const { linkId, network, notCountedBecause, from } = click;
  const facts = [linkId, messageId, network, minuteOf(click), notCountedBecause];
  // Not the country: anybody may name one after the other.
  return from === undefined ? facts : [...facts, from.channel, from.app];
}

function idOf(secretKey: string, click: Click, messageId: string | null): string {
  const bytes = createHmac('sha256', secretKey)
    .update(`click ${factsOf(click, messageId).join(' ')}`)
    .digest()
    .subarray(0, 16);
  // As RFC 9562 has it for ids of an application's own making (version 8).
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns the creators whose messages got their first click. A delivery of another link's automation is left out, as is one that has no
 * link to the list's recipe or plan, and a mail of another newsletter.
 */
async function insert(deps: ClickDeps, clicks: Kept[]): Promise<string[]> {
  const rows = clicks.map((click) => ({
    creator_id: click.creatorId,
    id: idOf(deps.secretKey, click, messageOf(click)),
    id_without_message: idOf(deps.secretKey, click, null),
    link_id: click.linkId,
    delivery_id: click.deliveryId,
    mail_id: click.mailId ?? null,
    clicked_at: click.at,
    not_counted_because: click.notCountedBecause,
    times: click.times,
    ...(click.from ?? { channel: null, app: null, country: null }),
  }));
  return deps.db.engine.transaction().execute(async (trx) => {
    const { rows: written } = await sql<Marked | MailMarked | Told>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}) as g (creator_id uuid, id uuid, id_without_message uuid,
        link_id uuid, delivery_id uuid, mail_id uuid, clicked_at timestamptz, not_counted_because text, times int,
        channel text, app text, country text)
    ), known as (
      -- Messages that are made up are one with the link without a message.
      select g.creator_id, case when d.id is null and m.id is null then g.id_without_message else g.id end as id, g.link_id,
        d.id as delivery_id, m.id as mail_id, g.not_counted_because, g.channel, g.app, min(g.country) as country,
        min(g.clicked_at) as clicked_at, sum(g.times)::int as times
      from given g
      -- Gone with its automation's creator in the meantime: nobody to count for.
      join links l on l.creator_id = g.creator_id and l.id = g.link_id
      left join deliveries d on d.creator_id = g.creator_id and d.id = g.delivery_id and (d.automation_id = l.automation_id
        -- Visits of a list that a message of this recipe led to.
        or l.automation_id is null and exists (
          select from links b
          where b.creator_id = l.creator_id and b.automation_id = d.automation_id
            and (b.recipe_id = l.recipe_id or b.meal_plan_id = l.meal_plan_id)))
      left join reader_mails m on m.creator_id = g.creator_id and m.id = g.mail_id and m.part_of = l.part_of
      group by 1, 2, 3, 4, 5, 6, 7, 8
    ), written as (
      insert into clicks (creator_id, id, link_id, delivery_id, mail_id, clicked_at, not_counted_because, times, channel, app, country)
      select creator_id, id, link_id, delivery_id, mail_id, clicked_at, not_counted_because, times, channel, app, country
      from known order by id
      on conflict (creator_id, id) do update set times = clicks.times + excluded.times
      returning creator_id, id, link_id, delivery_id, mail_id, clicked_at, not_counted_because, channel, app, country,
        clicks.xmax = 0 as is_new
    ), summed as (
      insert into link_days (creator_id, link_id, day, channel, app, country, told, people)
      select creator_id, link_id, day, case grouping(channel) when 1 then '*' else channel end as channel,
        case grouping(app) when 1 then '*' else app end as app, case grouping(country) when 1 then '*' else country end as country,
        told, count(*)
      from (
        select w.creator_id, w.link_id, (w.clicked_at at time zone 'UTC')::date as day, coalesce(w.channel, '') as channel,
          coalesce(w.app, '') as app, coalesce(w.country, '') as country, coalesce(w.not_counted_because, '') as told
        from written w join links l on l.creator_id = w.creator_id and l.id = w.link_id and l.app_link_id is not null
        where w.is_new and (w.not_counted_because is null or w.not_counted_because = any(${TOLD}))
      ) as followed
      group by grouping sets ((creator_id, link_id, day, told, channel, app, country), (creator_id, link_id, day, told))
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (creator_id, link_id, day, channel, app, country, told) do update set people = link_days.people + excluded.people
    )
    select 'marked' as what, creator_id, delivery_id, min(clicked_at) as at, null::uuid as id, null as url,
      null::uuid as automation_id, null as part, null as channel
    from written
    where delivery_id is not null and not_counted_because is null
    group by creator_id, delivery_id
    union all
    select 'mail_marked', creator_id, null, max(clicked_at), mail_id, null, null, null, null
    from written
    where mail_id is not null and not_counted_because is null
    group by creator_id, mail_id
    union all
    select 'told', w.creator_id, w.delivery_id, w.clicked_at, w.id, coalesce(p.address, l.url), l.automation_id, l.part, w.channel
    from written w join links l on l.creator_id = w.creator_id and l.id = w.link_id
    left join app_links p on p.creator_id = l.creator_id and p.id = l.app_link_id
    -- A sponsor's product that was seen is no tap.
    where w.is_new and w.not_counted_because is null and coalesce(l.part, '') not like 'pin %'
      and w.creator_id in ${sql.raw(LISTENED)}
    order by creator_id, delivery_id, id
  `.execute(trx);
    const told = written.filter((row) => row.what === 'told');
    await record(trx, told.map(clickEvent), deps.clock.now());
    await markMailsClicked(
      trx,
      written.filter((row) => row.what === 'mail_marked').map(({ id, ...row }) => ({ ...row, mail_id: id })),
    );
    return markClicked(
      trx,
      written.filter((row) => row.what === 'marked'),
    );
  });
}

type Marked = { what: 'marked'; creator_id: string; delivery_id: string; at: Date };
/** `id`: the mail's. */
type MailMarked = { what: 'mail_marked'; creator_id: string; id: string; at: Date };
type Told = {
  what: 'told';
  creator_id: string;
  id: string;
  url: string;
  delivery_id: string | null;
  automation_id: string | null;
  part: string | null;
  channel: LinkChannel | null;
  at: Date;
};

function clickEvent(row: Told): ProductEvent {
  const shop = row.part?.startsWith('shop ') ? row.part.slice('shop '.length) : null;
  // The list itself; a button's link to it has an automation.
  const isList = row.part === 'list' && row.automation_id === null;
  return {
    type: 'click',
    creatorId: row.creator_id,
    happenedAt: row.at,
    data: {
      id: row.id,
      url: row.url,
      deliveryId: row.delivery_id,
      automationId: row.automation_id,
      what: shop !== null ? 'shop' : isList ? 'list' : 'followed',
      ...{ channel: row.channel, shop },
      clickedAt: row.at.toISOString(),
    },
  };
}
