/**
 * Short links of newsletters: one for each newsletter (or email of the welcome series) and address. Its code is made of the two, so a
 * mail is the same on every try and nothing is read for it. The last part of the path names the mail it stands in, and proves it:
 * nobody who has one link can count as somebody else.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import type { CreatorHash } from '#server/features/contacts/creator-secret.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { makeLinks } from './making.ts';

type Newsletter = { creatorId: string; partOf: string };
type MailLink = Newsletter & { code: string; url: string };

const LINK_PATH = '/l';
const CODE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** About 83 bits. */
const CODE_LENGTH = 14;
const ID_BYTES = 16;
const MAC_BYTES = 8;

/** Links by newsletter and address that are in the database. */
const stored = new Map<string, string>();
const MOST_STORED = 20_000;

/** Collects the short links of mails while these are laid out. */
export type MailLinks = {
  /** Where an address in a mail leads; addresses of our own, and what is no page of the web, stay as they are. */
  follow(hash: CreatorHash, mail: Newsletter & { mailId: string }): (url: string) => string;
  /** Before the mails go out. */
  store(): Promise<void>;
};

export function createMailLinks(deps: {
  db: { engine: Kysely<Tables> };
  clock: Clock;
  ids: Ids;
  config: { baseUrl: string };
}): MailLinks {
  const { baseUrl } = deps.config;
  const missing = new Map<string, MailLink>();
  return {
    follow(hash, { creatorId, partOf, mailId }) {
      const mark = markOf(hash, mailId);
      return (url) => {
        const key = `${partOf} ${url}`;
        let code = stored.get(key) ?? missing.get(key)?.code;
        if (code === undefined) {
          if (!leadsAway(url, baseUrl)) return url;
          code = codeOf(hash, key);
          missing.set(key, { creatorId, partOf, code, url });
        }
        return `${baseUrl}${LINK_PATH}/${code}/${mark}`;
      };
    },
    async store() {
      if (missing.size === 0) return;
      await insert(deps, [...missing.values()]);
      for (const [key, { code }] of missing) {
        if (stored.size >= MOST_STORED) stored.delete(stored.keys().next().value!);
        stored.set(key, code);
      }
      missing.clear();
    },
  };
}

function leadsAway(url: string, baseUrl: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url) && new URL(url).origin !== new URL(baseUrl).origin;
}

/** One whose page is a recipe's follows that from now on. */
async function insert(
  deps: { db: { engine: Kysely<Tables> }; clock: Clock; ids: Ids },
  links: MailLink[],
): Promise<void> {
  const db = deps.db.engine;
  const asked = links.map(({ creatorId, url }) => ({ creator_id: creatorId, url, url_key: addressKey(url) }));
  const { rows } = await sql<{ creatorId: string; url: string; recipeId: string }>`
    select r.creator_id as "creatorId", g.url, r.id as "recipeId"
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(creator_id uuid, url text, url_key text)
    join recipes r on r.creator_id = g.creator_id and md5(r.url_key) = md5(g.url_key)
  `.execute(db);
  const recipes = new Map(rows.map(({ creatorId, url, recipeId }) => [`${creatorId} ${url}`, recipeId]));
  await makeLinks(
    deps,
    db,
    links.map((link) => ({ ...link, recipeId: recipes.get(`${link.creatorId} ${link.url}`) ?? null })),
  );
}

function codeOf(hash: CreatorHash, text: string): string {
  const bytes = Buffer.from(hash('mail_link', text), 'base64url').subarray(0, CODE_LENGTH);
  return Array.from(bytes, (byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
}

function markOf(hash: CreatorHash, mailId: string): string {
  const id = Buffer.from(mailId.replaceAll('-', ''), 'hex');
  const mac = Buffer.from(hash('mail_click', mailId), 'base64url').subarray(0, MAC_BYTES);
  return Buffer.concat([id, mac]).toString('base64url');
}

/** The mail that a link stands in; null for a mark that we did not make. */
export function mailOfMark(hash: CreatorHash, mark: string): string | null {
  const bytes = Buffer.from(mark, 'base64url');
  if (bytes.length !== ID_BYTES + MAC_BYTES) return null;
  const hex = bytes.subarray(0, ID_BYTES).toString('hex');
  const mailId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return timingSafeEqual(bytes, Buffer.from(markOf(hash, mailId), 'base64url')) ? mailId : null;
}

/** From the last time somebody clicked. */
export async function markMailsClicked(
  db: Kysely<Tables>,
  clicks: { creator_id: string; mail_id: string; at: Date }[],
): Promise<void> {
  if (clicks.length === 0) return;
  await sql`
    with earlier as materialized (
      select r.creator_id, r.id, g.at
      from json_to_recordset(${JSON.stringify(clicks)}) as g(creator_id uuid, mail_id uuid, at timestamptz)
      join reader_mails r on r.creator_id = g.creator_id and r.id = g.mail_id
      where r.clicked_at is null or r.clicked_at < g.at
      order by r.id for update of r
    )
    update reader_mails r set clicked_at = e.at from earlier e where r.creator_id = e.creator_id and r.id = e.id
  `.execute(db);
}
