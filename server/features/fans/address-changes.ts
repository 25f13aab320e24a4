/**
 * A reader’s membership moves to another address of theirs. Contacts keep their addresses, with what was agreed there: the
 * membership moves from one contact to the other. The one writer of `address_changes`; what it moves belongs to others.
 */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { record } from '#server/events/product-events.ts';
import type { JobDeps, RouteDeps } from '#server/features/app-deps.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { creatorHash } from '#server/features/contacts/creator-secret.ts';
import { inNameOf } from '#server/features/creators/creator-name.ts';
import { countNetwork, countsTooMany, countTry } from '#server/http/rate-limits.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { inAccountOf } from './accounts.ts';
import type { Whose } from './ending.ts';
import { CODE_MS, type Creator, endDevices, isSame, MOST_TRIES, newCode } from './entering.ts';
import { mailFan, momentOf } from './mails.ts';
import { counting } from './pass-counts.ts';
import { noteChange } from './passes.ts';
import { syncFan } from './sync.ts';

type Deps = Pick<RouteDeps, 'db' | 'clock' | 'ids' | 'keys' | 'config' | 'live'>;

const DAY_MS = 86_400_000;
/** What says whose it is by `contact_id`, and moves; `fans` are joined. */
export const MOVED = [
  'passes',
  'pass_changes',
  'fan_devices',
  'gifts',
  'fan_checkouts',
  'money_lines',
  'passed_recipes',
] as const;

/**
 * Mails a code to the new address.
 *
 * @returns the change to type the code for
 * @throws AppError invalid_input, too_many_requests; not_possible_now: changed less than a day ago
 */
export async function askForChange(
  deps: Deps,
  creator: Creator,
  { contactId, email, isTypo, ip }: { contactId: string; email: string; isTypo: boolean; ip: string },
): Promise<string> {
  const { db, clock, ids } = deps;
  const now = clock.now();
  const address = parseEmailAddress(email);
  if (address === null) throw new AppError('invalid_input', 'That isn’t an email address. Check what you typed.');
  await countNetwork(db.engine, now, 'fan_codes_by_network', ip);
  await countTry(db.engine, now, 'fan_codes_by_address', `${creator.id} ${address.key}`);
  const { rows } = await sql<{ key: string | null; isFresh: boolean }>`
    select email_key as key, exists (
      select from address_changes a where a.creator_id = c.creator_id and a.to_contact_id = c.id and a.undone_at is null
        and a.changed_at > ${new Date(now.getTime() - DAY_MS)}) as "isFresh"
    from contacts c where creator_id = ${creator.id} and id = ${contactId}
  `.execute(db.engine);
  if (rows[0]?.key === address.key) throw new AppError('invalid_input', 'That’s the address of your membership.');
  // Whoever was changed away can take it back meanwhile, and has to find it.
  if (rows[0]?.isFresh)
    throw new AppError('not_possible_now', 'It was changed less than a day ago. Come back tomorrow.');
  const id = ids.uuid(now);
  const code = await newCode(deps, creator.id, now);
  const code_hash = await hashOf(deps, creator.id, id, code);
  await db.engine.transaction().execute(async (trx) => {
    await trx
      .insertInto('address_changes')
      .values({
        ...{ creator_id: creator.id, id, contact_id: contactId, email: address.address, is_typo: isTypo, code_hash },
        asked_at: now,
      })
      .execute();
    await mailLater(trx, deps, {
      ...{ kind: 'fan_address_code', to: address.address, aboutCreatorId: creator.id, from: inNameOf(creator.id) },
      letter: {
        ...{ subject: `${code} confirms your address for @${creator.handle}`, heading: code },
        paragraphs: [
          `Type this code where you changed your address, and your membership of @${creator.handle} is at this one. It’s good for ten minutes.`,
          'If you didn’t ask for it, nothing has happened.',
        ],
      },
    });
  });
  return id;
}

function hashOf(deps: Deps, creatorId: string, id: string, code: string): Promise<string> {
  return creatorHash(
    deps.db.engine,
    deps,
    { creatorId, purpose: 'fan_code', text: `${id}\n${code}` },
    deps.clock.now(),
  );
}

/**
 * Takes the code, and moves the membership. Both addresses are mailed; the one before can take it back for a day.
 *
 * @throws AppError invalid_input: a wrong code, or one that is too old or was tried too often; not_possible_now: the address has a
 *   membership of its own
 */
export async function confirmChange(
  deps: Deps,
  { id: creatorId }: Creator,
  { contactId: from, id, code }: { contactId: string; id: string; code: string },
): Promise<void> {
  const now = deps.clock.now();
  const hash = await hashOf(deps, creatorId, id, code.replaceAll(/\s/g, ''));
  // Outside of what follows: a try counts, whatever becomes of it.
  const asked = !z.uuid().safeParse(id).success
    ? undefined
    : await deps.db.withCreator(creatorId, (trx) =>
        trx
          .updateTable('address_changes')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('creator_id', '=', creatorId)
          .where('id', '=', id)
          .where('contact_id', '=', from)
          .where('tries', '<', MOST_TRIES)
          .where('changed_at', 'is', null)
          .where('asked_at', '>', new Date(now.getTime() - CODE_MS))
          .returning(['code_hash', 'email'])
          .executeTakeFirst(),
      );
  if (asked === undefined || !isSame(asked.code_hash, hash)) {
    await countsTooMany(deps.db.engine, now, 'fan_wrong_codes_by_creator', creatorId);
    throw new AppError('invalid_input', 'That code isn’t right, or it’s too old. Check it, or ask for another one.');
  }
  const contactId = await deps.db.withCreator(creatorId, async (trx) => {
    const contact = { creatorId, email: asked.email, name: null, language: null, source: 'blog', at: now } as const;
    const { id: to } = await findOrMakeContact(trx, deps, contact);
    const { numUpdatedRows } = await trx
      .updateTable('address_changes')
      .set({ changed_at: now, to_contact_id: to })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('changed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('invalid_input', 'This code was used already.');
    await moveMembership(deps, trx, { creatorId, from, to, key: id });
    await later(trx, deps, tellAddress, { creatorId, id });
    return to;
  });
  await noteAndFollow(deps, { creatorId, contactId, what: 'Changed their email address.' });
}

/** @throws AppError not_possible_now: the address has, or had, a membership of its own */
async function moveMembership(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, from, to, key }: { creatorId: string; from: string; to: string; key: string },
): Promise<void> {
  await counting(trx, { creatorId, contactIds: [from, to] }, async () => {
    const own = await trx
      .selectFrom('passes')
      .select('id')
      .where('creator_id', '=', creatorId)
      .where('contact_id', '=', to)
      .limit(1)
      .executeTakeFirst();
    if (own !== undefined) {
      const says = 'There is, or was, another membership at this address. Enter with it, or write to the creator.';
      throw new AppError('not_possible_now', says);
    }
    for (const table of MOVED) {
      await trx
        .updateTable(table)
        .set({ contact_id: to })
        .where('creator_id', '=', creatorId)
        .where('contact_id', '=', from)
        .execute();
    }
    await sql`
      update fan_checkouts k set email = c.email, email_key = c.email_key from contacts c
      where k.creator_id = ${creatorId} and k.contact_id = ${to} and c.creator_id = k.creator_id and c.id = ${to}
    `.execute(trx);
    // A fetch that is under way finds nobody to write for.
    await sql`
      with gone as (delete from fans where creator_id = ${creatorId} and contact_id = ${from} returning customers, blocked_at)
      insert into fans as f (creator_id, contact_id, customers, blocked_at) select ${creatorId}, ${to}, customers, blocked_at from gone
      on conflict (creator_id, contact_id) do update
        set synced_at = null, customers = f.customers || excluded.customers, blocked_at = coalesce(f.blocked_at, excluded.blocked_at)
    `.execute(trx);
  });
  await tellOthers(deps, trx, { creatorId, from, to });
  await later(trx, deps, renameCustomers, { creatorId, contactId: to, key });
  await later(trx, deps, syncFan, { creatorId, contactId: to });
}

/** Other tools of the creator know members by their address. */
async function tellOthers(
  { clock }: Deps,
  trx: CreatorTransaction,
  { creatorId, from, to }: { creatorId: string; from: string; to: string },
): Promise<void> {
  const paid = await trx
    .selectFrom('passes as p')
    .innerJoin('tiers as t', (on) => on.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .select(['t.name as tier', 'p.paid_until'])
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', '=', to)
    .where('p.source', '=', 'stripe')
    .where('p.ended_at', 'is', null)
    .executeTakeFirst();
  if (paid === undefined) return;
  const contacts = await trx
    .selectFrom('contacts')
    .select(['id', 'email'])
    .where('creator_id', '=', creatorId)
    .where('id', 'in', [from, to])
    .execute();
  const now = clock.now();
  const events = contacts.map(({ id: contactId, email }) => ({
    ...{ type: 'member' as const, creatorId, happenedAt: now },
    data: {
      ...{ change: contactId === to ? ('joined' as const) : ('over' as const), contactId, email, tier: paid.tier },
      paidUntil: paid.paid_until?.toISOString() ?? null,
    },
  }));
  await record(trx, events, now);
}

async function noteAndFollow(deps: Deps, { what, ...whose }: Whose & { what: string }): Promise<void> {
  await deps.db.withCreator(whose.creatorId, (trx) => noteChange(deps, trx, { ...whose, what }));
  deps.live.publish(whose.creatorId, { what: 'account' });
}

/** Stripe’s own mails go where ours go. */
export const renameCustomers: QueuedJob<JobDeps, Whose & { key: string }> = {
  name: 'change-address-of-customers',
  payload: z.object({ creatorId: z.string(), contactId: z.string(), key: z.string() }),
  atOnce: 2,
  run: async ({ accounts, ...rest }, { creatorId, contactId, key }) => {
    const account = accounts === null ? null : await inAccountOf({ ...rest, accounts }, creatorId);
    const row = await rest.db.engine
      .selectFrom('fans as f')
      .innerJoin('contacts as c', (on) =>
        on.onRef('c.creator_id', '=', 'f.creator_id').onRef('c.id', '=', 'f.contact_id'),
      )
      .select(['f.customers', 'c.email'])
      .where('f.creator_id', '=', creatorId)
      .where('f.contact_id', '=', contactId)
      .executeTakeFirst();
    if (account === null || row?.email == null) return;
    for (const id of row.customers) {
      const params = { id, email: row.email };
      await changeStripe(account, { creatorId, verb: 'change_customer', params, key: `address:${key}:${id}` });
    }
  },
};

/** Once each. */
export const tellAddress: QueuedJob<JobDeps, { creatorId: string; id: string }> = {
  name: 'tell-changed-address',
  payload: z.object({ creatorId: z.string(), id: z.string() }),
  atOnce: 2,
  run: async (deps, { creatorId, id }) => {
    await deps.db.engine.transaction().execute(async (trx) => {
      const change = await trx
        .updateTable('address_changes as a')
        .from('creators as c')
        .set({ told_at: deps.clock.now() })
        .whereRef('c.id', '=', 'a.creator_id')
        .where('a.creator_id', '=', creatorId)
        .where('a.id', '=', id)
        .where('a.told_at', 'is', null)
        .returning(['a.contact_id', 'a.to_contact_id', 'a.is_typo', 'a.changed_at', 'c.handle'])
        .executeTakeFirst();
      if (change === undefined) return;
      const { contact_id: before, to_contact_id: after, is_typo: isTypo, changed_at: at, handle } = change;
      const subject = 'Your membership has another address';
      await mailFan(
        deps,
        trx,
        { creatorId, contactId: after! },
        {
          kind: 'fan_address_changed',
          letter: {
            subject,
            paragraphs: [
              'Your membership is at this address now, and all about it comes here.',
              'To read on another phone or computer, press “Enter as a member” there and type this address.',
            ],
          },
        },
      );
      await mailFan(
        deps,
        trx,
        { creatorId, contactId: before },
        {
          kind: 'fan_address_changed',
          letter: isTypo
            ? {
                subject: 'You have nothing to do',
                paragraphs: ['Someone became a member with your address by mistake. They have corrected it.'],
              }
            : {
                subject,
                paragraphs: [
                  `On ${momentOf(at!)}, your membership was moved to another address, where all about it goes now.`,
                  'If that wasn’t you, take it back within a day: it’s at this address again, and no one is logged in any longer.',
                ],
                button: { label: 'That was not me', url: await undoUrlOf(deps, { creatorId, handle, id }) },
              },
        },
      );
    });
  },
};

async function undoUrlOf(
  deps: Deps,
  { creatorId, handle, id }: { creatorId: string; handle: string; id: string },
): Promise<string> {
  const mac = await macOf(deps, creatorId, id);
  return `${deps.config.baseUrl}/join/${encodeURIComponent(handle)}/address/${id}/${mac}`;
}

function macOf(deps: Deps, creatorId: string, id: string): Promise<string> {
  return creatorHash(deps.db.engine, deps, { creatorId, purpose: 'fan_address', text: id }, deps.clock.now());
}

/**
 * By the link that the address before was mailed: the membership is there again, and nobody is logged in.
 *
 * @returns false: the link is not ours, older than a day, or was used
 * @throws AppError not_possible_now: the address has another membership by now
 */
export async function undoChange(
  deps: Deps,
  { id: creatorId }: Creator,
  { id, mac }: { id: string; mac: string },
): Promise<boolean> {
  const now = deps.clock.now();
  if (!z.uuid().safeParse(id).success || !isSame(mac, await macOf(deps, creatorId, id))) return false;
  const contactId = await deps.db.withCreator(creatorId, async (trx) => {
    const change = await trx
      .updateTable('address_changes')
      .set({ undone_at: now })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .where('is_typo', '=', false)
      .where('changed_at', '>', new Date(now.getTime() - DAY_MS))
      .returning(['contact_id', 'to_contact_id'])
      .executeTakeFirst();
    if (change === undefined) return null;
    const to = change.contact_id;
    await moveMembership(deps, trx, { creatorId, from: change.to_contact_id!, to, key: `${id}:undone` });
    await endDevices(deps, trx, { creatorId, contactId: to });
    return to;
  });
  if (contactId === null) return false;
  await noteAndFollow(deps, { creatorId, contactId, what: 'Canceled the change of their email address.' });
  return true;
}

/**
 * Whoever paid less than a day ago may have mistyped their address: nobody has entered there, and it had no membership before.
 *
 * @param sessionId of Stripe’s page, which only their browser was led back with
 * @returns whose it is; null: it is not to be changed there
 */
export async function findTypo(deps: Deps, creatorId: string, sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ contactId: string }>`
    select k.contact_id as "contactId" from fan_checkouts k
    where k.creator_id = ${creatorId} and k.session_id = ${sessionId} and k.state = 'paid'
      and k.begun_at > ${new Date(deps.clock.now().getTime() - DAY_MS)}
      and (select count(*) from passes p where p.creator_id = k.creator_id and p.contact_id = k.contact_id) = 1
      and not exists (
        select from fan_entries e
        where e.creator_id = k.creator_id and e.contact_id = k.contact_id and e.code_hash <> '' and e.granted_at is not null)
      and not exists (
        select from fan_devices d where d.creator_id = k.creator_id and d.contact_id = k.contact_id and d.entered_at < k.begun_at)
      and not exists (
        select from address_changes a where a.creator_id = k.creator_id and a.to_contact_id = k.contact_id and a.undone_at is null)
  `.execute(deps.db.engine);
  return rows[0]?.contactId ?? null;
}
