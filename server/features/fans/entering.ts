/**
 * How a contact enters: an address, a code that is mailed there, a grant for the blog, and a browser of theirs there that may
 * ask again. The one writer of `fan_entries` and `fan_devices`.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { creatorHash, type SecretDeps } from '#server/features/contacts/creator-secret.ts';
import { inNameOf } from '#server/features/creators/creator-name.ts';
import { countNetwork, countsTooMany, countTry, wereTooMany } from '#server/http/rate-limits.ts';
import { mailLater, mailNobody, NOBODY } from '#server/platforms/email/mail-later.ts';
import { type Keys, openOrNull } from '#server/secrets.ts';
import { isBlocked } from './blocking.ts';
import { mailFan, momentOf } from './mails.ts';
import { countFreeOpen, freeOpens, makePassed, openedPosts, openPassed, recipesToPass } from './opened-posts.ts';
import { heldTiers, isLate } from './passes.ts';
import { allTiers, type TierName, takesFreeReaders } from './tiers.ts';
import { memberToken, passedLink } from './tokens.ts';
import { askAgain } from './word-ends.ts';

export type EnteringDeps = { db: Database; clock: Clock; keys: Pick<Keys, 'encryptionKeys'> } & SecretDeps;
export type Creator = { id: string; handle: string };

/** What the blog said of the browser that it sent: see `Enter.php`. */
export type Begun = {
  siteId: string;
  start: string;
  to: string;
  goesByPath: boolean;
  /** Their browser, where a friend passed them a recipe. */
  friend?: string | undefined;
};

export const CODE_MS = 10 * 60_000;
export const MOST_TRIES = 5;
const [USUAL_CODE, LONG_CODE] = [6, 10];
const GRANT_MS = 60_000;
/** The one that was idle longest goes. */
export const MOST_DEVICES = 5;

/** To be mailed. It is longer while many wrong ones are typed at this creator's. */
export async function newCode({ db }: Pick<EnteringDeps, 'db'>, creatorId: string, now: Date): Promise<string> {
  const isGuessed = await wereTooMany(db.engine, now, 'fan_wrong_codes_by_creator', creatorId);
  const digits = isGuessed ? LONG_CODE : USUAL_CODE;
  return randomInt(10 ** digits)
    .toString()
    .padStart(digits, '0');
}

/**
 * Mails a code to an address that has or had a pass, and to any where readers enter without paying; of others, and those who are blocked, nothing is told.
 * Whoever is no contact becomes one by typing the code.
 *
 * @param asked.begun null: they want to see their membership, not the blog
 * @returns the entry to type the code for; one that nobody has for an address that nobody knows
 * @throws AppError invalid_input, too_many_requests
 */
export async function askForCode(
  deps: EnteringDeps,
  creator: Creator,
  { email, ip, begun }: { email: string; ip: string; begun: Begun | null },
): Promise<string> {
  const { db, clock, ids } = deps;
  const now = clock.now();
  const { siteId = null, start = null, to = '/', goesByPath = true } = begun ?? {};
  const address = parseEmailAddress(email);
  if (address === null) throw new AppError('invalid_input', 'That isn’t an email address. Check what you typed.');
  await countNetwork(db.engine, now, 'fan_codes_by_network', ip);
  await countTry(db.engine, now, 'fan_codes_by_address', `${creator.id} ${address.key}`);
  const id = ids.uuid(now);
  const code = await newCode(deps, creator.id, now);
  const hash = await creatorHash(
    db.engine,
    deps,
    { creatorId: creator.id, purpose: 'fan_code', text: `${id}\n${code}` },
    now,
  );
  return db.engine.transaction().execute(async (trx) => {
    const { rows } = await sql<{ email: string }>`
      with found as (
        select id, email from contacts where creator_id = ${creator.id} and email_key = ${address.key}
      ), may_enter as (
        select c.id, coalesce(c.email, ${address.address}) as email
        from (values (${creator.id}::uuid)) as creator (id) left join found c on true
        where (${siteId}::uuid is null or exists (select from sites s where s.creator_id = creator.id and s.id = ${siteId}))
          and not ${isBlocked(sql`creator.id`, sql`c.id`)}
          and (exists (select from passes p where p.creator_id = creator.id and p.contact_id = c.id)
            or exists (select from fan_devices d where d.creator_id = creator.id and d.contact_id = c.id)
            or ${siteId}::uuid is not null and ${takesFreeReaders(sql`creator.id`)})
      ), made as (
        insert into fan_entries (creator_id, id, contact_id, email, site_id, code_hash, start, to_path, goes_by_path, asked_at)
        select ${creator.id}, ${id}, m.id, case when m.id is null then m.email end, ${siteId}, ${hash}, ${start}, ${to}, ${goesByPath}, ${now}
        from may_enter m
      )
      select email from may_enter
    `.execute(trx);
    const [known] = rows;
    if (known === undefined) {
      await mailNobody(trx);
      return NOBODY;
    }
    const subject = `${code} is your code for @${creator.handle}`;
    await mailLater(trx, deps, {
      ...{ kind: 'fan_code', to: known.email, aboutCreatorId: creator.id, from: inNameOf(creator.id) },
      letter: {
        ...{ subject, heading: code },
        paragraphs: [
          `Type this code where you asked for it, and read on at @${creator.handle}. It’s good for ten minutes.`,
          'If you didn’t ask for it, nothing has happened: no one can enter without it.',
        ],
      },
    });
    return id;
  });
}

/**
 * Takes a code that was typed.
 *
 * @returns where they go: back to the blog with a grant, or to their membership, in a browser that is known from now on
 * @throws AppError invalid_input: a wrong code, or one that is too old or was tried too often; not_possible_now: nothing is open to them any more
 */
export async function enterCode(
  deps: EnteringDeps,
  { id: creatorId }: Creator,
  { entryId, code }: { entryId: string; code: string },
): Promise<{ url: string } | { device: string }> {
  const now = deps.clock.now();
  const hash = await creatorHash(
    deps.db.engine,
    deps,
    { creatorId, purpose: 'fan_code', text: `${entryId}\n${code.replaceAll(/\s/g, '')}` },
    now,
  );
  // Outside of what follows: a try counts, whatever becomes of it.
  const entry = await deps.db.withCreator(creatorId, (trx) =>
    trx
      .updateTable('fan_entries as e')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('e.creator_id', '=', creatorId)
      .where('e.id', '=', entryId)
      .where('e.tries', '<', MOST_TRIES)
      .where('e.granted_at', 'is', null)
      .where('e.asked_at', '>', new Date(now.getTime() - CODE_MS))
      .returning(['e.code_hash', 'e.contact_id', 'e.email', 'e.site_id'])
      .returning([
        heldTiers(sql.ref('e.contact_id'), now).as('held'),
        takesFreeReaders(sql.ref('e.creator_id')).as('isReader'),
      ])
      .executeTakeFirst(),
  );
  if (entry === undefined || !isSame(entry.code_hash, hash)) {
    await countsTooMany(deps.db.engine, now, 'fan_wrong_codes_by_creator', creatorId);
    throw new AppError('invalid_input', 'That code isn’t right, or it’s too old. Check it, or ask for another one.');
  }
  if (entry.held === null && !entry.isReader && entry.site_id !== null) {
    throw new AppError('not_possible_now', 'No membership is running for this address.');
  }
  return deps.db.withCreator(creatorId, async (trx) => {
    const grant = randomBytes(32).toString('base64url');
    const granted = await trx
      .updateTable('fan_entries as e')
      .set({ grant_hash: entry.site_id === null ? null : sha256(grant), granted_at: now, email: null })
      .where('creator_id', '=', creatorId)
      .where('id', '=', entryId)
      .where('granted_at', 'is', null)
      .returning(['site_id', 'goes_by_path'])
      .executeTakeFirst();
    if (granted === undefined) throw new AppError('invalid_input', 'This code was used already. Ask for another one.');
    if (granted.site_id === null) {
      const { id, secret } = await addDevice(deps, trx, { creatorId, contactId: entry.contact_id!, siteId: null });
      return { device: `${id}.${secret}` };
    }
    if (entry.contact_id === null) {
      const reader = { creatorId, email: entry.email!, name: null, language: null, source: 'blog', at: now } as const;
      const { id } = await findOrMakeContact(trx, deps, reader);
      await trx
        .updateTable('fan_entries')
        .set({ contact_id: id })
        .where('creator_id', '=', creatorId)
        .where('id', '=', entryId)
        .execute();
    }
    return { url: await wayBack(trx, { siteId: granted.site_id, grant, goesByPath: granted.goes_by_path }) };
  });
}

/**
 * For who has just paid, or is known here: the blog lets them in without a code.
 *
 * @param known.message the message that lets them in, and the browser's id from then on
 * @returns the address that they go to; null: there is no such blog, or the message let somebody in before
 */
export async function grantKnown(
  deps: EnteringDeps,
  trx: CreatorTransaction,
  known: { creatorId: string; contactId: string; begun: Begun; message?: { deliveryId: string; device: string } },
): Promise<string | null> {
  const { creatorId, contactId, begun, message } = known;
  const now = deps.clock.now();
  const site = await trx.selectFrom('sites').select('id').where('id', '=', begun.siteId).executeTakeFirst();
  if (site === undefined) return null;
  const grant = randomBytes(32).toString('base64url');
  const id = message?.device ?? deps.ids.uuid(now);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('fan_entries')
    .values({
      ...{ creator_id: creatorId, id, contact_id: contactId, site_id: begun.siteId, code_hash: '' },
      ...{ start: begun.start, to_path: begun.to, goes_by_path: begun.goesByPath, asked_at: now },
      ...{ grant_hash: sha256(grant), granted_at: now, delivery_id: message?.deliveryId ?? null },
    })
    .onConflict((conflict) =>
      conflict.columns(['creator_id', 'delivery_id']).where('delivery_id', 'is not', null).doNothing(),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return null;
  return wayBack(trx, { siteId: begun.siteId, grant, goesByPath: begun.goesByPath });
}

async function wayBack(
  trx: CreatorTransaction,
  { siteId, grant, goesByPath }: { siteId: string; grant: string; goesByPath: boolean },
): Promise<string> {
  const { url } = await trx.selectFrom('sites').select('url').where('id', '=', siteId).executeTakeFirstOrThrow();
  const base = url.replace(/\/+$/, '');
  return goesByPath ? `${base}/creator-hq-entered/${grant}/` : `${base}/?creator-hq-entered=${grant}`;
}

/** For whoever came by a link that only they were mailed. @returns the cookie of a browser at this hub */
export async function enterHere(
  deps: EnteringDeps,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<string> {
  const whose = { creatorId, contactId, siteId: null };
  const { id, secret } = await deps.db.withCreator(creatorId, (trx) => addDevice(deps, trx, whose));
  return `${id}.${secret}`;
}

/** The one that was idle longest goes, where there are too many. @param given.siteId null: a browser at this hub @param given.contactId null: a friend's */
async function addDevice(
  deps: Pick<EnteringDeps, 'clock' | 'ids'>,
  trx: CreatorTransaction,
  given: { creatorId: string; contactId: string | null; siteId: string | null; id?: string },
): Promise<{ id: string; secret: string }> {
  const { creatorId, contactId, siteId } = given;
  const now = deps.clock.now();
  const secret = randomBytes(32).toString('base64url');
  const id = given.id ?? deps.ids.uuid(now);
  const whose = sql`creator_id = ${creatorId} and contact_id = ${contactId} and site_id is not distinct from ${siteId}`;
  const { rows: earlier } = await sql`select from fan_devices where ${whose} limit 1`.execute(trx);
  await trx
    .insertInto('fan_devices')
    .values({
      ...{ creator_id: creatorId, id, contact_id: contactId, site_id: siteId, secret_hash: sha256(secret) },
      ...{ entered_at: now, seen_at: now },
    })
    .execute();
  const { rows } = await sql<{ id: string }>`
    update fan_devices set ended_at = ${now} where creator_id = ${creatorId} and id in (
      select id from fan_devices where ${whose} and ended_at is null
      order by seen_at desc, id desc offset ${MOST_DEVICES}
    ) returning id
  `.execute(trx);
  if (contactId !== null) {
    for (const { id: device } of rows) await askAgain(deps, trx, { creatorId, contactId, device });
  }
  if (earlier.length > 0) await later(trx, deps, tellDevice, { creatorId, id, pushedOut: rows.length > 0 });
  return { id, secret };
}

/** Once. */
export const tellDevice: QueuedJob<JobDeps, { creatorId: string; id: string; pushedOut: boolean }> = {
  name: 'tell-new-browser',
  payload: z.object({ creatorId: z.string(), id: z.string(), pushedOut: z.boolean() }),
  atOnce: 2,
  run: async (deps, { creatorId, id, pushedOut }) => {
    await deps.db.engine.transaction().execute(async (trx) => {
      const device = await trx
        .updateTable('fan_devices as d')
        .from('creators as c')
        .set({ told_at: deps.clock.now() })
        .whereRef('c.id', '=', 'd.creator_id')
        .where('d.creator_id', '=', creatorId)
        .where('d.id', '=', id)
        .where('d.told_at', 'is', null)
        .returning(['d.contact_id as contactId', 'd.entered_at', 'd.site_id', 'c.handle'])
        .executeTakeFirst();
      // A friend's is told to nobody.
      if (device === undefined || device.contactId === null) return;
      const { contactId, entered_at: at, site_id: siteId, handle } = device;
      const where = siteId === null ? 'the page of your membership' : 'the blog';
      await mailFan(
        deps,
        trx,
        { creatorId, contactId },
        {
          kind: 'fan_device',
          letter: {
            subject: 'A new browser came in',
            paragraphs: [
              `On ${momentOf(at)}, someone entered as you on ${where} of @${handle}, in a browser that was new to us.`,
              ...(pushedOut
                ? [
                    `You can be logged in in ${MOST_DEVICES} at a time, so the one that was idle longest was logged out.`,
                  ]
                : []),
              'If that was you, there’s nothing to do. If it wasn’t, log it out here.',
            ],
          },
        },
      );
    });
  },
};

/** Signs a contact out everywhere. */
export async function endDevices(
  deps: Pick<EnteringDeps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, contactId, device }: { creatorId: string; contactId: string; device?: string },
): Promise<void> {
  await trx
    .updateTable('fan_devices')
    .set({ ended_at: deps.clock.now() })
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('ended_at', 'is', null)
    .$if(device !== undefined, (query) => query.where('id', '=', device!))
    .execute();
  await askAgain(deps, trx, { creatorId, contactId, ...(device !== undefined && { device }) });
}

/** All that entered at a blog. */
export async function endDevicesOf(
  { clock }: Pick<EnteringDeps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, siteId }: { creatorId: string; siteId: string },
): Promise<void> {
  await trx
    .updateTable('fan_devices')
    .set({ ended_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('site_id', '=', siteId)
    .where('ended_at', 'is', null)
    .execute();
}

const AT_THE_HUB_MS = 30 * 86_400_000;

/** @param cookie `{device}.{secret}` @returns whose browser it is; null: nobody's */
export async function findEntered(
  { db, clock }: Pick<EnteringDeps, 'db' | 'clock'>,
  { creatorId, cookie }: { creatorId: string; cookie: string },
): Promise<{ contactId: string; device: string } | null> {
  const [device = '', secret = ''] = cookie.split('.');
  if (!UUID.test(device) || secret === '') return null;
  const now = clock.now();
  const row = await db.engine
    .updateTable('fan_devices')
    .set({ seen_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', device)
    .where('site_id', 'is', null)
    .where('secret_hash', '=', sha256(secret))
    .where('ended_at', 'is', null)
    .where('seen_at', '>', new Date(now.getTime() - AT_THE_HUB_MS))
    .where(({ not }) => not(isBlocked(sql.ref('fan_devices.creator_id'), sql.ref('fan_devices.contact_id'))))
    .returning('contact_id')
    .executeTakeFirst();
  return row === undefined || row.contact_id === null ? null : { contactId: row.contact_id, device };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `tiers`: as the blog needs them to read the token; none without one. */
type Word = { token: string | null; tiers: TierName[] };
const NO_WORD: Word = { token: null, tiers: [] };
const NO_WAY_IN = { ...NO_WORD, secret: '', to: '/' };

/**
 * The blog hands in a grant with what it gave the browser before it left: only both together make a browser known.
 *
 * @returns no token: no such grant, too old, used already, or begun in another browser
 */
export async function exchangeGrant(
  deps: EnteringDeps,
  trx: CreatorTransaction,
  creatorId: string,
  { grant, start }: { grant: string; start: string },
): Promise<Word & { secret: string; to: string }> {
  const now = deps.clock.now();
  const entry = await trx
    .updateTable('fan_entries')
    .set({ grant_hash: null })
    .where('creator_id', '=', creatorId)
    .where('grant_hash', '=', sha256(grant))
    .returning(['id', 'contact_id', 'site_id', 'start', 'to_path', 'granted_at'])
    .executeTakeFirst();
  if (entry === undefined || !isSame(entry.start ?? '', sha256(start))) return NO_WAY_IN;
  if (entry.granted_at!.getTime() < now.getTime() - GRANT_MS) return NO_WAY_IN;
  const { id, contact_id: contactId, site_id: siteId } = entry;
  const { secret } = await addDevice(deps, trx, { creatorId, contactId: contactId!, siteId, id });
  return { ...(await renewWord(deps, trx, creatorId, { device: id, secret })), secret, to: entry.to_path };
}

/** One statement. @returns no token: they read no more, or this browser was signed out */
export async function renewWord(
  { clock, keys }: Pick<EnteringDeps, 'clock' | 'keys'>,
  trx: CreatorTransaction,
  creatorId: string,
  { device, secret }: { device: string; secret: string },
): Promise<Word> {
  const now = clock.now();
  const known = await trx
    .updateTable('fan_devices as d')
    .from('sites as s')
    .set({ seen_at: now })
    .where('d.creator_id', '=', creatorId)
    .where('d.id', '=', device)
    .where('d.secret_hash', '=', sha256(secret))
    .where('d.ended_at', 'is', null)
    .where(({ not }) => not(isBlocked(sql.ref('d.creator_id'), sql.ref('d.contact_id'))))
    .whereRef('s.creator_id', '=', 'd.creator_id')
    .whereRef('s.id', '=', 'd.site_id')
    .returning([
      's.signing_key',
      heldTiers(sql.ref('d.contact_id'), now).as('held'),
      sql<boolean>`(d.contact_id is not null and ${takesFreeReaders(sql.ref('d.creator_id'))})`.as('isReader'),
      ...[
        allTiers.as('tiers'),
        openedPosts(now).as('posts'),
        freeOpens(now).as('free'),
        recipesToPass(now).as('toPass'),
        isLate(sql.ref('d.contact_id'), now).as('isLate'),
      ],
    ])
    .executeTakeFirst();
  const key = known?.signing_key ? openOrNull(keys.encryptionKeys, known.signing_key) : null;
  if (known === undefined || key === null || (known.held === null && !known.isReader && known.posts === null)) {
    return NO_WORD;
  }
  const { held, isReader, tiers } = known;
  const more = { posts: known.posts ?? {}, free: isReader && held === null ? known.free : null };
  const said = {
    device,
    held: held ?? {},
    isReader,
    now,
    ...more,
    isLate: known.isLate,
    toPass: held === null ? null : known.toPass,
  };
  return { token: memberToken(Buffer.from(key, 'base64url'), said), tiers };
}

/** @returns their word, in which the post is open if one was left this month */
export async function openForFree(
  deps: Pick<EnteringDeps, 'clock' | 'keys'>,
  trx: CreatorTransaction,
  creatorId: string,
  { device, secret, post }: { device: string; secret: string; post: number },
): Promise<Word> {
  await countFreeOpen(deps, trx, { creatorId, device, secretHash: sha256(secret), post });
  return renewWord(deps, trx, creatorId, { device, secret });
}

/** @returns their word, and the end of a link for a friend; null: they are no member, or none is left this month */
export async function passRecipe(
  deps: EnteringDeps,
  trx: CreatorTransaction,
  creatorId: string,
  { device, secret, post }: { device: string; secret: string; post: number },
): Promise<Word & { link: string | null }> {
  const link = randomBytes(32).toString('base64url');
  const passed = { creatorId, device, secretHash: sha256(secret), post, linkHash: sha256(link) };
  const key = (await makePassed(deps, trx, passed)) ? await signingKeyOf(deps, trx, { creatorId, device }) : null;
  const word = await renewWord(deps, trx, creatorId, { device, secret });
  return { ...word, link: key && passedLink(key, { post, link }) };
}

async function signingKeyOf(
  { keys }: Pick<EnteringDeps, 'keys'>,
  trx: CreatorTransaction,
  { creatorId, device }: { creatorId: string; device: string },
): Promise<Buffer | null> {
  const site = await trx
    .selectFrom('sites as s')
    .innerJoin('fan_devices as d', (join) =>
      join.onRef('d.creator_id', '=', 's.creator_id').onRef('d.site_id', '=', 's.id'),
    )
    .select('s.signing_key')
    .where('d.creator_id', '=', creatorId)
    .where('d.id', '=', device)
    .executeTakeFirst();
  const key = site?.signing_key ? openOrNull(keys.encryptionKeys, site.signing_key) : null;
  return key === null ? null : Buffer.from(key, 'base64url');
}

/**
 * A friend opens a link, in a browser that may be known already.
 *
 * @returns no token: there is no such link, it is over, or was opened in too many browsers
 */
export async function openForFriend(
  deps: EnteringDeps,
  trx: CreatorTransaction,
  creatorId: string,
  { link, ...known }: { link: string; device: string | null; secret: string | null },
): Promise<Word & { secret: string }> {
  const opened = await openPassed(deps, trx, {
    ...{ creatorId, linkHash: sha256(link) },
    known: async (siteId) => {
      const found = await trx
        .selectFrom('fan_devices')
        .select('id')
        .where('creator_id', '=', creatorId)
        .where('id', '=', known.device ?? NOBODY)
        .where('site_id', '=', siteId)
        .where('secret_hash', '=', sha256(known.secret ?? ''))
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return found === undefined ? null : { id: found.id, secret: known.secret! };
    },
    made: (siteId) => addDevice(deps, trx, { creatorId, contactId: null, siteId }),
  });
  if (opened === null) return { ...NO_WORD, secret: '' };
  const { id: device, secret } = opened;
  return { ...(await renewWord(deps, trx, creatorId, { device, secret })), secret };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Takes as long wherever they differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
