/** Whom a creator's mails to readers are from, at this moment. */
import type { Kysely } from 'kysely';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { Tables } from '#server/db/types.ts';
import type { DkimKey, NamedServer } from '#server/platforms/email/transport.ts';
import { type Keys, openOrNull } from '#server/secrets.ts';

export type WhomFrom = {
  /** Where answers go, if elsewhere. */
  replyTo: string | null;
  /** Through which mail server of their own mails leave, and from which address. Null: through the shared one. */
  server: OwnServer | null;
  /** The sender's own address with the key of its domain, while that is verified. Null: the shared address. */
  own: { address: string; dkim: DkimKey; verifiedAt: Date | null } | null;
};

/** `password` is null where none of our keys opens it. */
export type OwnServer = Omit<NamedServer, 'address' | 'password'> & {
  from: string;
  password: string | null;
  /** It took nothing when it was last tried. */
  isFailing: boolean;
};

const NOBODY: WhomFrom = { replyTo: null, server: null, own: null };

/** @returns of each of these creators */
export async function findWhomFrom(
  db: Kysely<Tables>,
  { encryptionKeys }: Pick<Keys, 'encryptionKeys'>,
  creatorIds: string[],
): Promise<Map<string, WhomFrom>> {
  const senders = await db
    .selectFrom('senders')
    .select(['creator_id', 'address', 'reply_to'])
    .where('creator_id', 'in', creatorIds)
    .execute();
  const domains = senders.every(({ address }) => address === null)
    ? []
    : await db
        .selectFrom('sending_domains')
        .select(['creator_id', 'domain', 'selector', 'private_key', 'verified_at'])
        .where('creator_id', 'in', creatorIds)
        .where('state', '=', 'verified')
        .execute();
  const servers = await db.selectFrom('mail_servers').selectAll().where('creator_id', 'in', creatorIds).execute();
  const found = senders.map(({ creator_id, address, reply_to }): [string, WhomFrom] => {
    const row = servers.find((one) => one.creator_id === creator_id);
    const server =
      row === undefined || address === null
        ? null
        : {
            ...{ host: row.host, port: row.port, security: row.security, user: row.username },
            ...{ from: address, password: openOrNull(encryptionKeys, row.password) },
            isFailing: row.failing_since !== null,
          };
    const domain = domains.find((one) => one.creator_id === creator_id && one.domain === domainOf(address));
    const privateKey = domain === undefined ? null : openOrNull(encryptionKeys, domain.private_key);
    if (address === null || domain === undefined || privateKey === null) {
      return [creator_id, { replyTo: reply_to ?? (server === null ? address : null), server, own: null }];
    }
    const dkim = { domain: domain.domain, selector: domain.selector, privateKey };
    return [creator_id, { replyTo: reply_to, server, own: { address, dkim, verifiedAt: domain.verified_at } }];
  });
  const known = new Map(found);
  return new Map(creatorIds.map((id) => [id, known.get(id) ?? NOBODY]));
}

/** Whether the sender's address is at this domain, verified or not. */
export async function sendsFrom(db: Kysely<Tables>, creatorId: string, domain: string): Promise<boolean> {
  const sender = await db
    .selectFrom('senders')
    .select('address')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return domainOf(sender?.address ?? null) === domain;
}

/** As DNS writes it. */
function domainOf(address: string | null): string | null {
  return parseEmailAddress(address ?? '')?.key.split('@')[1] ?? null;
}
