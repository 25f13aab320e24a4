/** A creator's sender and the domains they send from. What name servers say of those is asked in domain-checks.ts. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type Selectable, sql } from 'kysely';
import { getDomain } from 'tldts';
import { isMailProvider, parseEmailAddress } from '#contract/email-address.ts';
import type { Sender, Sending, SendingDomain } from '#contract/sending.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { SendingDomainsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { addressIn } from '#server/platforms/email/transport.ts';
import { type Keys, seal } from '#server/secrets.ts';
import { showMailServer } from './mail-servers.ts';
import * as records from './records.ts';
import { findWhomFrom } from './whom-from.ts';

type Deps = { clock: Clock; ids: Ids; keys: Keys; config: Pick<Config, 'mailFrom'> };

const KEY_BITS = 2048;
const SELECTOR_CHARACTERS = 6;

export async function show(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<Sending> {
  const sender = await trx.selectFrom('senders').selectAll().where('creator_id', '=', creatorId).executeTakeFirst();
  const domains = await trx
    .selectFrom('sending_domains')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('added_at')
    .orderBy('id')
    .execute();
  const whom = (await findWhomFrom(trx, keys, [creatorId])).get(creatorId)!;
  const { rows } = await sql<{ name: string }>`select ${creatorName(sql`${creatorId}::uuid`)} as name`.execute(trx);
  return {
    sender: {
      name: sender?.name ?? '',
      address: sender?.address ?? '',
      replyTo: sender?.reply_to ?? '',
      postalAddress: sender?.postal_address ?? '',
    },
    from: {
      name: rows[0]!.name,
      address: whom.own?.address ?? whom.server?.from ?? addressIn(config.mailFrom),
      isOwn: whom.own !== null || whom.server !== null,
    },
    mailServer: await showMailServer(trx, creatorId),
    domains: domains.map(showDomain),
  };
}

/** @throws AppError invalid_input */
export async function changeSender(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { name, address, replyTo, postalAddress }: Sender,
): Promise<Sending> {
  if (address === '' && (await showMailServer(trx, creatorId)) !== null) {
    throw refused('address', 'Your own mail server sends from this address. Remove the server first.');
  }
  const values = {
    name: name || null,
    address: readAddress('address', address),
    reply_to: readAddress('replyTo', replyTo),
    postal_address: postalAddress,
    updated_at: deps.clock.now(),
  };
  await trx
    .insertInto('senders')
    .values({ creator_id: creatorId, ...values })
    .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(values))
    .execute();
  return show(deps, trx, creatorId);
}

/** @throws AppError invalid_input, already_exists */
export async function addDomain(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  written: string,
): Promise<Sending> {
  const domain = readDomain(written);
  const now = deps.clock.now();
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
  const row = await trx
    .insertInto('sending_domains')
    .values({
      creator_id: creatorId,
      id: deps.ids.uuid(now),
      domain,
      // Another one each time: an old key that is still there is not taken for a wrong one.
      selector: `chq${deps.ids.code(SELECTOR_CHARACTERS).toLowerCase()}`,
      private_key: seal(deps.keys.encryptionKeys, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      added_at: now,
      due_at: now,
    })
    .onConflict((conflict) => conflict.columns(['creator_id', 'domain']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw refused('domain', 'You’ve added this domain already.', 'already_exists');
  return show(deps, trx, creatorId);
}

/** @throws AppError not_found */
export async function removeDomain(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  domainId: string,
): Promise<Sending> {
  const { numDeletedRows } = await trx
    .deleteFrom('sending_domains')
    .where('creator_id', '=', creatorId)
    .where('id', '=', domainId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw domainGone();
  return show(deps, trx, creatorId);
}

export function domainGone(): AppError {
  return new AppError('not_found', 'This domain was removed meanwhile.');
}

/** An address that every mail server takes as a sender: its first part in ASCII. */
function readAddress(field: 'address' | 'replyTo', text: string): string | null {
  if (text === '') return null;
  const parsed = parseEmailAddress(text);
  if (parsed === null || !/^[!-~]+@/.test(parsed.address)) {
    throw refused(field, 'Enter an email address like name@example.com.');
  }
  return parsed.address;
}

/** Also of an address, a link or `www.` in front of it, as people paste it. */
function readDomain(written: string): string {
  const name = written.replace(/^(https?:\/\/)?([^/?#]*@)?(www\.)?([^/?#:]*).*$/is, '$4');
  const domain = parseEmailAddress(`name@${name}`)?.key.split('@')[1];
  if (domain === undefined || getDomain(domain, { allowPrivateDomains: true }) === null) {
    throw refused('domain', 'Enter a domain like annaskitchen.com.');
  }
  if (isMailProvider(domain)) {
    throw refused('domain', `Only ${domain} itself can add records there. Use a domain of your own, like your blog’s.`);
  }
  return domain;
}

function refused(path: string, message: string, code: 'invalid_input' | 'already_exists' = 'invalid_input'): AppError {
  return new AppError(code, message, { fields: [{ path, message }] });
}

function showDomain(row: Selectable<SendingDomainsTable>): SendingDomain {
  const seen = row.seen as records.Seen | null;
  const [dkim, dmarc] = [records.dkimName(row.domain, row.selector), records.dmarcName(row.domain)];
  return {
    id: row.id,
    domain: row.domain,
    state: row.state,
    dkim: {
      host: records.hostOf(dkim),
      name: dkim,
      value: records.dkimValue(row.public_key),
      state: seen?.dkim.state ?? null,
      says: records.dkimInWords(seen),
    },
    dmarc: {
      host: records.hostOf(dmarc),
      name: dmarc,
      value: records.DMARC_VALUE,
      state: seen?.dmarc.state ?? null,
      says: records.dmarcInWords(seen),
    },
    addedAt: row.added_at.toISOString(),
    checkedAt: row.checked_at?.toISOString() ?? null,
  };
}
