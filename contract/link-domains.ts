/** A creator's own host for their short links and lists: `go.annaskitchen.com/lemon-pasta`. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/** Why a host does not lead here yet, in words. */
export const DOMAIN_PROBLEMS = {
  no_entry: 'Nothing answers at this host yet. A new DNS entry can take up to a day to reach everyone.',
  elsewhere: 'This host leads to another website. Check the DNS entry.',
  no_certificate:
    'The host leads here, but has no valid certificate yet. The server gets one by itself, or its operator adds it.',
  private_address: 'This host leads into a private network that your followers can’t reach.',
  no_answer: 'The host doesn’t answer in time.',
} as const;
export type DomainProblem = keyof typeof DOMAIN_PROBLEMS;

const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export const LinkDomain = z.object({
  id: Id,
  host: z.string(),
  /** `lost`: it worked before; links are made without it until it works again. */
  state: z.enum(['waiting', 'works', 'lost']),
  problem: z.nullable(z.enum(Object.keys(DOMAIN_PROBLEMS) as [DomainProblem, ...DomainProblem[]])),
  checkedAt: z.nullable(Timestamp),
});
export type LinkDomain = z.infer<typeof LinkDomain>;

const path = '/creators/:creatorId/link-domains';
const params = z.object({ creatorId: Id, linkDomainId: Id });

export const listLinkDomains = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['account'],
  summary: 'The creator’s own hosts for short links, and where their DNS entries must lead',
  params: CreatorParams,
  response: z.object({
    /** The host that a CNAME entry names. */
    target: z.string(),
    items: atMost(QUOTAS.link_domains.most, LinkDomain),
  }),
});

export const addLinkDomain = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  needs: 'connect',
  quotas: ['link_domains'],
  makes: true,
  summary: 'Add a host for short links; it is used as soon as it leads here',
  params: CreatorParams,
  body: z.object({
    host: z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.overwrite((typed) => typed.replace(/^https?:\/\//, '').replace(/[/.]$/, '')),
      z.regex(HOST, 'Enter a host like go.yourblog.com, without an address behind it.'),
    ),
  }),
  response: LinkDomain,
  errors: ['invalid_input', 'already_exists'],
});

export const checkLinkDomain = endpoint({
  method: 'POST',
  path: `${path}/:linkDomainId/check`,
  access: 'creator',
  needs: 'connect',
  summary: 'Look now whether the host leads here',
  params,
  response: LinkDomain,
  errors: ['not_found'],
});

export const removeLinkDomain = endpoint({
  method: 'DELETE',
  path: `${path}/:linkDomainId`,
  access: 'creator',
  needs: 'connect',
  summary: 'Remove a host; links that were shared with it stop working, those with our host go on',
  params,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});
