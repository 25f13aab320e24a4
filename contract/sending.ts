/** Whom mails to readers are from, and the domains that they are signed for. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/**
 * - `waiting`: its key has not been found yet.
 * - `verified`: mails are signed for it.
 * - `shaky`: its key was found once, and was missing twice within a day since; mails go out from the shared address meanwhile.
 */
export const DomainState = z.enum(['waiting', 'verified', 'shaky']);
export type DomainState = z.infer<typeof DomainState>;

/**
 * - `foreign`: another key is there.
 * - `split`: ours, cut or spread over several records.
 * - `doubled`: ours beside another record that makes it void.
 * - `broken`: a DMARC record without a policy.
 * - `no_answer`: no name server answered.
 */
export const RecordState = z.enum(['found', 'missing', 'foreign', 'split', 'doubled', 'broken', 'no_answer']);
export type RecordState = z.infer<typeof RecordState>;

/** A TXT record for the domain's DNS. */
const DnsRecord = z.object({
  /** Within the domain that was registered, as most DNS providers ask for it; `name` is whole. */
  host: z.string(),
  name: z.string(),
  value: z.string(),
  /** Null: nobody looked yet. */
  state: z.nullable(RecordState),
  /** What was seen, in a sentence. */
  says: z.string(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

export const SendingDomain = z.object({
  id: Id,
  domain: z.string(),
  state: DomainState,
  dkim: DnsRecord,
  dmarc: DnsRecord,
  addedAt: Timestamp,
  checkedAt: z.nullable(Timestamp),
});
export type SendingDomain = z.infer<typeof SendingDomain>;

const line = (most: number) => z.string().check(z.trim(), z.maxLength(most, `At most ${most} characters.`));

/** Empty: the name of the account; the shared address; no other address for answers; none yet. */
export const Sender = z.object({
  name: line(80),
  address: line(254),
  replyTo: line(254),
  postalAddress: line(300),
});
export type Sender = z.infer<typeof Sender>;

/** `none`: without encryption, only inside the operator's own network. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none']);
export type MailSecurity = z.infer<typeof MailSecurity>;

const MailServer = z.object({
  host: z.string().check(z.trim(), z.regex(/^[\w.:-]{1,253}$/, 'Enter a name like smtp.example.com.')),
  port: z.int().check(z.gte(1, 'Enter a port from 1 to 65535.'), z.lte(65_535, 'Enter a port from 1 to 65535.')),
  security: MailSecurity,
  user: z.string().check(z.trim(), z.minLength(1, 'Enter the user name.'), z.maxLength(320)),
});

/** `password` is never answered; left out, it stays as it is, for the same server and user. */
export const MailServerLogin = z.extend(MailServer, {
  password: z.optional(z.string().check(z.minLength(1, 'Enter the password.'), z.maxLength(1000))),
});
export type MailServerLogin = z.infer<typeof MailServerLogin>;

export const Sending = z.object({
  sender: Sender,
  /** What readers see now. `isOwn`: the sender's own address; else the shared one, with answers to the sender. */
  from: z.object({ name: z.string(), address: z.string(), isOwn: z.boolean() }),
  domains: atMost(QUOTAS.sending_domains.most, SendingDomain),
  /** The creator's own; null: emails leave through the shared one. */
  mailServer: z.nullable(
    z.extend(MailServer, {
      /** Since when it takes no emails, which wait meanwhile, and what it said. */
      trouble: z.nullable(z.object({ since: Timestamp, says: z.string() })),
    }),
  ),
});
export type Sending = z.infer<typeof Sending>;

const DomainParams = z.object({ creatorId: Id, domainId: Id });

export const getSending = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/sending',
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'Sender of emails to readers, and domains they are signed for',
  params: CreatorParams,
  response: Sending,
});

export const changeSender = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/sending/sender',
  access: 'creator',
  needs: 'sending',
  summary: 'Change the sender of emails to readers',
  params: CreatorParams,
  body: Sender,
  response: Sending,
  errors: ['invalid_input'],
});

export const addSendingDomain = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/sending/domains',
  access: 'creator',
  needs: 'sending',
  quotas: ['sending_domains'],
  makes: true,
  summary: 'Add a domain to send from; its records are for the domain’s DNS',
  params: CreatorParams,
  body: z.object({ domain: z.string().check(z.trim(), z.maxLength(253, 'Enter a domain like annaskitchen.com.')) }),
  response: Sending,
  errors: ['invalid_input', 'already_exists'],
});

export const checkSendingDomain = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/sending/domains/:domainId/check',
  access: 'creator',
  needs: 'sending',
  summary: 'Ask name servers for the domain’s records now',
  params: DomainParams,
  response: Sending,
  errors: ['not_found'],
});

export const removeSendingDomain = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/sending/domains/:domainId',
  access: 'creator',
  needs: 'sending',
  summary: 'Remove a domain; emails are no longer signed for it',
  params: DomainParams,
  response: Sending,
  errors: ['not_found'],
});

export const setMailServer = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/sending/mail-server',
  access: 'creator',
  needs: 'sending',
  summary: 'Send through a mail server of your own, once it took a test email to you',
  params: CreatorParams,
  body: MailServerLogin,
  response: Sending,
  errors: ['invalid_input'],
});

export const removeMailServer = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/sending/mail-server',
  access: 'creator',
  needs: 'sending',
  summary: 'Send through the shared mail server again',
  params: CreatorParams,
  response: Sending,
});
