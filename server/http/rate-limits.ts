/** Limits on guessing passwords, codes and links: per network address and per account, shared by all processes. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';

const MINUTE_MS = 60_000;

/** `most` tries in `perMs`, counted from the first one. */
const LIMITS = {
  login_by_address: { most: 50, perMs: 15 * MINUTE_MS },
  login_by_account: { most: 10, perMs: 15 * MINUTE_MS },
  second_factor_by_address: { most: 30, perMs: 15 * MINUTE_MS },
  /** A code of the authenticator app opens one session only. */
  second_factor_code: { most: 1, perMs: 5 * MINUTE_MS },
  sign_up_by_address: { most: 20, perMs: 60 * MINUTE_MS },
  link_by_address: { most: 30, perMs: 15 * MINUTE_MS },
  mail_by_address: { most: 30, perMs: 60 * MINUTE_MS },
  mail_by_recipient: { most: 5, perMs: 60 * MINUTE_MS },
  /** Somebody at an unlocked computer guesses the password of the person signed in there. */
  password_by_user: { most: 10, perMs: 15 * MINUTE_MS },
  invites_by_creator: { most: 20, perMs: 60 * MINUTE_MS },
  /** Not `mail_by_recipient`: invites must not use up the mails that a person asks for. */
  invite_by_recipient: { most: 5, perMs: 60 * MINUTE_MS },
  plugin_by_address: { most: 60, perMs: 15 * MINUTE_MS },
  connect_by_address: { most: 30, perMs: 15 * MINUTE_MS },
  /** It lives for a minute. */
  connect_code: { most: 1, perMs: 5 * MINUTE_MS },
  /** The blog limits who submits, too; behind this is one that was taken over. */
  submissions_by_network: { most: 30, perMs: 10 * MINUTE_MS },
  submissions_by_creator: { most: 20_000, perMs: 60 * MINUTE_MS },
  /** Of all creators, to one who never confirmed. */
  reader_mails_by_address: { most: 20, perMs: 60 * MINUTE_MS },
  /** Of a creator, to people who never confirmed, for submissions without work (submissions/proof-of-work.ts). */
  reader_mails_without_work: { most: 1_000, perMs: 24 * 60 * MINUTE_MS },
  /** Pages of a creator's blog that we read, for readers who save them. */
  pages_by_creator: { most: 600, perMs: 60 * MINUTE_MS },
  /** A shop makes a page for each. */
  shop_selections: { most: 30, perMs: 15 * MINUTE_MS },
  /** A code each, mailed to whoever has a pass. */
  fan_codes_by_network: { most: 20, perMs: 60 * MINUTE_MS },
  fan_codes_by_address: { most: 5, perMs: 60 * MINUTE_MS },
  /** Typed wrong, from whatever networks: codes are longer for the rest of the hour. */
  fan_wrong_codes_by_creator: { most: 300, perMs: 60 * MINUTE_MS },
  /** Each makes a page at Stripe. */
  fan_joins_by_network: { most: 20, perMs: 60 * MINUTE_MS },
  fan_joins_by_address: { most: 10, perMs: 60 * MINUTE_MS },
  /** Discount codes that do not exist. */
  fan_discount_guesses_by_network: { most: 20, perMs: 60 * MINUTE_MS },
  /** Each may mail somebody. */
  fan_endings_by_network: { most: 10, perMs: 60 * MINUTE_MS },
  fan_endings_by_address: { most: 5, perMs: 60 * MINUTE_MS },
  /** All that is known of somebody. */
  fan_files_by_contact: { most: 10, perMs: 60 * MINUTE_MS },
  link_reports: { most: 10, perMs: 60 * MINUTE_MS },
  /** Each takes about a tenth of a second to lay out. */
  list_files: { most: 30, perMs: 15 * MINUTE_MS },
  /** Each reads everything there is. */
  exports_by_creator: { most: 10, perMs: 60 * MINUTE_MS },
  tables_by_creator: { most: 60, perMs: 60 * MINUTE_MS },
  /** Each makes a key, which takes a tenth of a second. */
  domains_by_creator: { most: 100, perMs: 24 * 60 * MINUTE_MS },
  /** Each logs in somewhere and sends an email. */
  mail_servers_by_creator: { most: 20, perMs: 60 * MINUTE_MS },
  creators_by_user: { most: 20, perMs: 24 * 60 * MINUTE_MS },
} as const;
export type Limit = keyof typeof LIMITS;

/**
 * Counts a try, before it is looked at: guesses made at the same moment count too.
 * @throws AppError too_many_requests, with the time to wait, when there were too many
 */
export function countTry(db: Kysely<Tables>, now: Date, limit: Limit, whom: string): Promise<void> {
  return countAll(db, now, limit, [{ whom, most: LIMITS[limit].most }]);
}

/** As `countTry`, where too many refuse nothing. @returns whether there were */
export async function countsTooMany(db: Kysely<Tables>, now: Date, limit: Limit, whom: string): Promise<boolean> {
  return (await countBeyond(db, now, limit, whom)) > 0;
}

/** Counts none. @returns whether there were too many */
export async function wereTooMany(db: Kysely<Tables>, now: Date, limit: Limit, whom: string): Promise<boolean> {
  const row = await db
    .selectFrom('tries')
    .select('count')
    .where('key', '=', keyOf(limit, whom))
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return (row?.count ?? 0) >= LIMITS[limit].most;
}

/** As `countTry`, where too many refuse nothing. @returns which one this is of those that are too many; 0: it is none */
export async function countBeyond(db: Kysely<Tables>, now: Date, limit: Limit, whom: string): Promise<number> {
  const { most, perMs } = LIMITS[limit];
  const [row] = await addUses(db, now, { limit, perMs }, [whom]);
  return Math.max(0, row!.count - most);
}

/**
 * As `countTry`, for where a request comes from: an IPv4 address, or a /64 of IPv6. Whoever has a /56 or a /48 has
 * hundreds or thousands of those: these count too, with two and four times as many tries, for the neighbours in them.
 */
export function countNetwork(db: Kysely<Tables>, now: Date, limit: Limit, address: string): Promise<void> {
  const { most } = LIMITS[limit];
  return countAll(
    db,
    now,
    limit,
    networksOf(address).map((whom, wider) => ({ whom, most: most * 2 ** wider })),
  );
}

/** Counts a try of a network. @returns seconds to wait where it had too many, else null */
export function tryOf(db: Kysely<Tables>, now: Date, limit: Limit, address: string): Promise<number | null> {
  const { most, perMs } = LIMITS[limit];
  const counted = networksOf(address).map((whom, wider) => ({ whom, most: most * 2 ** wider }));
  return countUses(db, now, { limit, perMs }, counted);
}

async function countAll(
  db: Kysely<Tables>,
  now: Date,
  limit: Limit,
  counted: { whom: string; most: number }[],
): Promise<void> {
  const seconds = await countUses(db, now, { limit, perMs: LIMITS[limit].perMs }, counted);
  if (seconds === null) return;
  throw new AppError('too_many_requests', `Too many attempts. Try again in ${inWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

/** @returns null while none has more than its `most`, else the seconds until all are counted from one again */
export async function countUses(
  db: Kysely<Tables>,
  now: Date,
  { limit, perMs }: { limit: string; perMs: number },
  counted: { whom: string; most: number }[],
): Promise<number | null> {
  const whoms = counted.map(({ whom }) => whom);
  const rows = await addUses(db, now, { limit, perMs }, whoms);
  const over = rows.filter((row) =>
    counted.some(({ whom, most }) => row.key === keyOf(limit, whom) && row.count > most),
  );
  if (over.length === 0) return null;
  const until = Math.max(...over.map((row) => row.ends_at.getTime()));
  return Math.max(1, Math.ceil((until - now.getTime()) / 1000));
}

function addUses(db: Kysely<Tables>, now: Date, { limit, perMs }: { limit: string; perMs: number }, whoms: string[]) {
  const ends_at = new Date(now.getTime() + perMs);
  return db
    .insertInto('tries')
    .values(whoms.map((whom) => ({ key: keyOf(limit, whom), count: 1, ends_at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when tries.ends_at <= ${now} then 1 else tries.count + 1 end`,
        ends_at: sql`case when tries.ends_at <= ${now} then excluded.ends_at else tries.ends_at end`,
      }),
    )
    .returning(['key', 'count', 'ends_at'])
    .execute();
}

/** A success: the account's earlier failures no longer count. */
export async function forgetTries(db: Kysely<Tables>, limit: Limit, whom: string): Promise<void> {
  await db.deleteFrom('tries').where('key', '=', keyOf(limit, whom)).execute();
}

/** Hashed: addresses of people who never signed up do not belong in a table. */
function keyOf(limit: string, whom: string): string {
  return `${limit}:${createHash('sha256').update(whom).digest('base64url')}`;
}

/** From the smallest to the widest; the same order for all, so that counts made at the same moment wait for no circle. */
export function networksOf(address: string): string[] {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return [address];
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : [];
  const [a, b, c, d = 0] = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  const written = (...groups: (number | undefined)[]) => groups.map((group = 0) => group.toString(16)).join(':');
  return [`${written(a, b, c, d)}::/64`, `${written(a, b, c, d & 0xff00)}::/56`, `${written(a, b, c)}::/48`];
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
