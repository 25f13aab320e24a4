/** From rows to what goes out: whether a mail is still wanted, its links, its HTML and text. */
import { sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { type CreatorHash, creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { compileOnce, findLiveTemplates, type LiveTemplates } from '#server/features/email-templates/live-templates.ts';
import { listedRecipes } from '#server/features/email-templates/previews.ts';
import type { ListedRecipe } from '#server/features/email-templates/rendering/facts.ts';
import {
  type CompiledTemplate,
  type RenderedMail,
  renderMail,
} from '#server/features/email-templates/rendering/render-mail.ts';
import { createMailLinks, type MailLinks } from '#server/features/links/mail-links.ts';
import { findListLinks } from '#server/features/lists/list-links.ts';
import { findLocks } from '#server/features/recipes/locks.ts';
import { findWhomFrom, type OwnServer, type WhomFrom } from '#server/features/sending/whom-from.ts';
import { withPasses } from '#server/features/sites/gate-passes.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import type { Keys } from '#server/secrets.ts';
import { type Envelope, envelopeOf, type MailKind, type Standing } from './envelope.ts';
import { findShutEverywhere } from './not-me.ts';
import { findOwnDesigns, type TakenMail } from './queries.ts';
import { hashOfToken, READER_PATH, tokenOfContact, tokenOfMail } from './reader-links.ts';

const DAY_MS = 24 * 3_600_000;
const CONFIRMS_FOR_MS = 30 * DAY_MS;
const STANDING: Record<MailKind, Standing> = {
  save: 'asked_for',
  confirmation: 'asked_for',
  broadcast: 'subscription',
  digest: 'subscription',
  welcome: 'subscription',
  correction: 'asked_for',
};
/** A name in a header. */
const LONGEST_NAME = 80;

/** `againAfterMs`: it waits by itself, and is looked at again. */
type NotSent = { state: 'suppressed' | 'cancelled' | 'held' | 'waiting'; because: string; againAfterMs?: number };
/** What goes out, or why nothing does any more. */
export type LaidOut = { mail: TakenMail } & (
  | { sends: RenderedMail & Envelope; server: OwnServer | null; not: null }
  | { not: NotSent }
);

export type LayOutDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Pick<Config, 'baseUrl'>;
};

/** What all mails of a creator share, by creator. */
export type Creators = Map<string, { hash: CreatorHash; whom: WhomFrom; live: LiveTemplates }>;

/**
 * Lays mails out that are about to be sent. What their questions need to be answered is in the database then.
 *
 * @param creators those read so far, to which it adds: what changes about one counts once they are read anew
 */
export async function layOutAll(deps: LayOutDeps, taken: TakenMail[], creators: Creators): Promise<LaidOut[]> {
  await readCreators(deps, taken, creators);
  const mails = await withPasses(deps.db.engine, deps.keys, taken);
  const hashOf = (mail: TakenMail) => creators.get(mail.creator_id)!.hash;
  const emailKeys = mails.map((mail) => mail.email_key);
  const [suppressed, shut] = await Promise.all([
    findSuppressed(deps, mails, hashOf),
    findShutEverywhere(deps, emailKeys),
  ]);
  await makeConfirmations(deps, mails.filter(isAsked), hashOf);
  const contentOf = await contentsOf(deps, mails, (creatorId, type) => creators.get(creatorId)!.live(creatorId, type));
  const links = createMailLinks(deps);
  const laidOut = mails.map((mail): LaidOut => {
    const { kind, creator_id: creatorId, contact_id: contactId } = mail;
    const { whom } = creators.get(creatorId)!;
    const envelope = envelopeOf({
      ...{ kind, creatorId, name: oneLine(mail.creator_name, LONGEST_NAME), standing: STANDING[kind] },
      whom,
      unsubscribeUrl: linkOf(
        deps,
        'unsubscribe',
        tokenOfContact(hashOf(mail), { creatorId, contactId }, 'unsubscribe'),
      ),
    });
    const content = contentOf(mail);
    if (content === null) return { mail, not: CANCELLED };
    const not =
      content.not ?? reasonNotToSend(mail, shut.has(mail.email_key) ? 'not_me' : (suppressed.get(mail.id) ?? null));
    if (not !== null) return { mail, not };
    if (envelope === null) return { mail, not: NO_DOMAIN };
    const sends = { ...layOut(deps, hashOf(mail), mail, content, links), ...envelope };
    return { mail, sends, server: whom.server, not: null };
  });
  await links.store();
  return laidOut;
}

async function readCreators({ db, keys, ...deps }: LayOutDeps, mails: TakenMail[], known: Creators): Promise<void> {
  const added = [...new Set(mails.map((mail) => mail.creator_id))].filter((creatorId) => !known.has(creatorId));
  if (added.length === 0) return;
  const [whomFrom, live] = await Promise.all([
    findWhomFrom(db.engine, keys, added),
    findLiveTemplates(db.engine, added),
  ]);
  for (const creatorId of added) {
    const hash = await creatorHashes(db.engine, { keys, ...deps }, creatorId, deps.clock.now());
    known.set(creatorId, { hash, whom: whomFrom.get(creatorId)!, live });
  }
}

type Content = {
  template: CompiledTemplate;
  listed: Map<string, ListedRecipe[]>;
  /** Where the shopping list of a page's recipe is. */
  shopUrlOf: (page: string) => string | null;
  /** For whom alone the blog shows a page's recipe; null: everybody. */
  lockOf: (page: string) => string | null;
  /** Why none of these is sent now. */
  not: NotSent | null;
};

/** What these mails look like now; null: nobody knows any more. */
export async function contentsOf(
  { db, ...deps }: Pick<LayOutDeps, 'clock' | 'config' | 'db' | 'ids'>,
  mails: TakenMail[],
  live: LiveTemplates,
): Promise<(mail: TakenMail) => Content | null> {
  const many = await findOwnDesigns(db.engine, mails);
  const listed = new Map<string, Content['listed']>();
  for (const { id, creator_id: creatorId, design } of many) {
    listed.set(id, await listedRecipes(db.engine, creatorId, design));
  }
  const pages = [
    ...mails.flatMap(({ creator_id, about }) => (about === null ? [] : [{ creatorId: creator_id, url: about.url }])),
    ...many.flatMap(({ creator_id, id }) =>
      [...listed.get(id)!.values()].flat().map(({ url }) => ({ creatorId: creator_id, url })),
    ),
  ];
  const linkOfList = await findListLinks(deps, db.engine, pages, 'mail');
  const lockOfPage = await findLocks(db.engine, pages);
  return ({ creator_id: creatorId, kind, part_of: partOf }) => {
    const shopUrlOf = (url: string) => linkOfList({ creatorId, url });
    const lockOf = (url: string) => lockOfPage({ creatorId, url });
    if (kind === 'save' || kind === 'confirmation') {
      return { template: live(creatorId, TYPES[kind]), listed: new Map(), shopUrlOf, lockOf, not: null };
    }
    const own = many.find(({ id }) => id === partOf);
    if (own === undefined) return null;
    const template = compileOnce(`${own.id} ${own.version}`, kind, own.design);
    return { template, listed: listed.get(own.id)!, shopUrlOf, lockOf, not: NOT_SENT[own.state] ?? null };
  };
}

/** By the state of what a mail is one of. */
const CANCELLED: NotSent = { state: 'cancelled', because: 'You canceled this newsletter.' };
const NO_DOMAIN: NotSent = {
  ...{ state: 'waiting', because: 'It waits for a verified domain.', againAfterMs: 3_600_000 },
};
const NOT_SENT: Record<string, NotSent> = {
  cancelled: CANCELLED,
  paused: { state: 'held', because: 'This newsletter is paused.' },
};

function linkOf({ config }: Pick<LayOutDeps, 'config'>, action: string, token: string): string {
  return `${config.baseUrl}${READER_PATH}/${action}/${token}`;
}

const TYPES = { save: 'save-to-email', confirmation: 'confirmation' } as const;

/** The same on every call, until another version of its template is published. */
export function layOut(
  deps: Pick<LayOutDeps, 'config'>,
  hash: CreatorHash,
  mail: TakenMail,
  { template, listed, shopUrlOf, lockOf }: Omit<Content, 'not'>,
  links: Pick<MailLinks, 'follow'>,
): RenderedMail {
  const link = (action: string, token: string) => linkOf(deps, action, token);
  const contact = { creatorId: mail.creator_id, contactId: mail.contact_id };
  return renderMail(template, {
    creatorName: mail.creator_name,
    postalAddress: mail.postal_address,
    name: mail.contact_name,
    about: mail.about,
    listed,
    shopUrlOf,
    lockedFor: mail.about === null ? null : lockOf(mail.about.url),
    question: !isAsked(mail)
      ? null
      : {
          wording: mail.question ?? '',
          confirmUrl: link('confirm', tokenOfMail(hash, mail.id, 'confirm')),
          tripwireUrl: link('more', tokenOfMail(hash, mail.id, 'tripwire')),
        },
    isConfirmed: mail.newsletter === 'confirmed',
    cookbookUrl: link('cookbook', tokenOfContact(hash, contact, 'cookbook')),
    notMeUrl: link('not-me', tokenOfContact(hash, contact, 'not_me')),
    unsubscribeUrl: link('unsubscribe', tokenOfContact(hash, contact, 'unsubscribe')),
    ...(mail.part_of !== null && {
      follow: links.follow(hash, { creatorId: mail.creator_id, partOf: mail.part_of, mailId: mail.id }),
    }),
  });
}

/** Who answered it already, or left since, is not asked. */
function isAsked({ question, newsletter }: TakenMail): boolean {
  return question !== null && newsletter === 'unconfirmed';
}

/** `unsubscribed` and `erased` keep newsletters away, and nothing that was asked for. */
export const SHUT: Record<string, string> = {
  bounced: 'Emails to this address came back.',
  complained: 'They marked an email from you as spam.',
  not_me: 'They said that they didn’t enter this address.',
  team: 'Your team blocked this address.',
};

function reasonNotToSend(mail: TakenMail, suppressed: string | null): NotSent | null {
  if (suppressed !== null && suppressed in SHUT) return { state: 'suppressed', because: SHUT[suppressed]! };
  if (STANDING[mail.kind] === 'subscription' && (suppressed !== null || mail.newsletter !== 'confirmed')) {
    return { state: 'suppressed', because: 'They left your newsletter before it was sent.' };
  }
  if (mail.kind === 'confirmation' && !isAsked(mail)) {
    return { state: 'cancelled', because: 'They had answered before it was sent.' };
  }
  return null;
}

type HashOf = (mail: TakenMail) => CreatorHash;

/** By mail, why its address is suppressed. */
async function findSuppressed({ db }: LayOutDeps, mails: TakenMail[], hashOf: HashOf): Promise<Map<string, string>> {
  const asked = mails.map((mail) => ({
    ...{ id: mail.id, creator_id: mail.creator_id, hash: hashOf(mail)('suppression', mail.email_key) },
  }));
  const { rows } = await sql<{ id: string; reason: string }>`
    select a.id, s.reason from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a(id uuid, creator_id uuid, hash text)
    join suppressions s on s.creator_id = a.creator_id and s.email_hash = a.hash
  `.execute(db.engine);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/** Once for each mail, however often it is tried. */
async function makeConfirmations({ db, clock }: LayOutDeps, mails: TakenMail[], hashOf: HashOf): Promise<void> {
  if (mails.length === 0) return;
  const now = clock.now();
  const rows = mails.map((mail) => ({
    ...{ creator_id: mail.creator_id, id: mail.id, contact_id: mail.contact_id },
    token_hash: hashOfToken(tokenOfMail(hashOf(mail), mail.id, 'confirm')),
    tripwire_hash: hashOfToken(tokenOfMail(hashOf(mail), mail.id, 'tripwire')),
    ...{ created_at: now, expires_at: new Date(now.getTime() + CONFIRMS_FOR_MS) },
  }));
  await db.engine
    .insertInto('confirmations')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['creator_id', 'id']).doNothing())
    .execute();
}
