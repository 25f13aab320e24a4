/**
 * `/l/{code}` and `/l/{code}/{part}`: where the buttons of our messages and the links of newsletters lead; the part names the message or
 * the mail. Outside the API: people tap these.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { readAgent } from '#contract/agents.ts';
import { type AmazonRules, amazonAddressIn } from '#contract/amazon-rules.ts';
import { openingOf } from '#contract/opening-rules.ts';
import { deliveryIdOf } from '#server/engine/deciding/tracked-url.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { watchedAddress } from '#server/features/link-guard/watched-links.ts';
import { listUrl, MESSAGE_OF_LIST } from '#server/features/recipes/ingredients.ts';
import { countryOf } from '#server/features/shops/country.ts';
import { amazonRulesOf } from '#server/features/shops/settings.ts';
import { MISSES_WAIT, MissLimit } from '#server/http/miss-limits.ts';
import { networksOf } from '#server/http/rate-limits.ts';
import { channelOf, isAmazon } from './amazon-links.ts';
import { mailOfMark } from './mail-links.ts';
import { openingPage } from './opening-page.ts';
import { notCountedBecause } from './visitors.ts';

type Link = {
  creatorId: string;
  id: string;
  url: string;
  /** Reads who clicked from a newsletter's link; null for other links. */
  mailOf: ((mark: string) => string | null) | null;
  /** Null: it does not lead to Amazon. */
  amazon: AmazonRules | null;
  /** Null: another kind of link. Its address is the link's. */
  appLink: AppLink | null;
};
type AppLink = {
  name: string;
  opensApp: boolean;
  beginsAt: number;
  endsAt: number;
  elsewhere: string | null;
  /** Said of links that pay the creator. */
  disclosure: string;
};
type Deps = Pick<RouteDeps, 'clicks' | 'clock' | 'config' | 'db' | 'ids' | 'keys' | 'openingRules'>;

/** In milliseconds since 1970: the year 9999. */
const FOREVER = 253_402_300_799_000;
const REMEMBERED_AT_MOST = 20_000;
/** A recipe may move and a page break: so long may a tap still lead to where it was. */
const REMEMBERED_MS = 10_000;

export function registerLinks(app: FastifyInstance, deps: Deps): void {
  const remembered = new Map<string, { link: Link; untilMs: number }>();
  const misses = new MissLimit();

  /** @returns 'too_often' where this network guesses codes */
  async function find(code: string, ip: string): Promise<Link | null | 'too_often'> {
    const nowMs = deps.clock.now().getTime();
    const known = remembered.get(code);
    if (known !== undefined && known.untilMs > nowMs) return known.link;
    if (misses.isReached(ip, nowMs)) return 'too_often';
    const found = await read(code, nowMs);
    if (found === null) misses.countMiss(ip, nowMs);
    return found;
  }

  async function read(code: string, nowMs: number): Promise<Link | null> {
    if (!/^[0-9A-Za-z]{4,16}$/.test(code)) return null;
    const { rows } = await sql<
      Omit<Link, 'mailOf' | 'amazon' | 'url'> & {
        address: string;
        isOfNewsletter: boolean;
        instead: string | null;
        broken: string[];
      }
    >`
      select l.creator_id as "creatorId", l.id, coalesce(p.address, l.url) as address, l.part_of is not null as "isOfNewsletter", a.link_instead as instead, array(
        select w.url from link_uses u
        join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
        where u.creator_id = a.creator_id and u.automation_id = a.id
      ) as broken,
      case when p.id is not null then jsonb_build_object(
        'name', p.name, 'opensApp', p.opens_app, 'elsewhere', p.elsewhere, 'disclosure', coalesce(s.disclosure, ''),
        'beginsAt', coalesce(extract(epoch from p.begins_at) * 1000, 0),
        'endsAt', coalesce(extract(epoch from p.ends_at) * 1000, ${FOREVER})
      ) end as "appLink"
      from links l
      left join app_links p on p.creator_id = l.creator_id and p.id = l.app_link_id
      left join shop_settings s on s.creator_id = p.creator_id
      left join automations a on a.creator_id = l.creator_id and a.id = l.automation_id and a.when_link_breaks = 'swap'
      where l.code = ${code}
    `.execute(deps.db.engine);
    const [found] = rows;
    if (found === undefined) return null;
    const { address, isOfNewsletter, instead, broken, ...facts } = found;
    // While the page does not answer, to where the creator wants it.
    const url = instead !== null && broken.includes(watchedAddress(address) ?? '') ? instead : address;
    const mailOf = isOfNewsletter ? await mailReader(facts.creatorId) : null;
    const amazon = isAmazon(url) ? await amazonRulesOf(deps.db.engine, facts.creatorId) : null;
    const link: Link = { ...facts, url, mailOf, amazon };
    // The oldest goes: a Map keeps the order of insertion.
    remembered.delete(code);
    if (remembered.size >= REMEMBERED_AT_MOST) remembered.delete(remembered.keys().next().value!);
    remembered.set(code, { link, untilMs: nowMs + REMEMBERED_MS });
    return link;
  }

  async function mailReader(creatorId: string) {
    const hash = await creatorHashes(deps.db.engine, deps, creatorId, deps.clock.now());
    return (mark: string) => mailOfMark(hash, mark);
  }

  async function follow(request: FastifyRequest, reply: FastifyReply) {
    const { code, part } = request.params as { code: string; part?: string };
    const link = await find(code, request.ip);
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer-when-downgrade');
    if (link === 'too_often') {
      return sayUnknown(reply.header('retry-after', MISSES_WAIT), 429, TOO_OFTEN);
    }
    if (link === null || !/^https?:\/\//i.test(link.url)) return sayUnknown(reply, 404, UNKNOWN);
    const because = notCountedBecause(request);
    const deliveryId = part === undefined || link.mailOf !== null ? null : deliveryIdOf(part);
    deps.clicks.record({
      creatorId: link.creatorId,
      linkId: link.id,
      deliveryId,
      // Of programs nothing is kept but that they were there.
      mailId: part === undefined || because !== null ? null : (link.mailOf?.(part) ?? null),
      network: networksOf(request.ip).at(-1)!,
      at: deps.clock.now(),
      notCountedBecause: because,
    });
    const isOff = link.appLink === null ? null : offBecause(link.appLink, deps.clock.now().getTime());
    if (isOff !== null && link.appLink!.elsewhere === null) return sayUnknown(reply, isOff.status, isOff.words);
    const now = isOff === null ? link : { ...link, ...(await elsewhereOf(link)) };
    const leadsTo = leadsToOf(request, now, part, because === null);
    if (leadsTo === 'withheld') return sayUnknown(reply, 404, NOT_HERE);
    const url = new URL(leadsTo);
    const page =
      because === null && link.appLink?.opensApp ? await openingPageOf(request, link.appLink, url, code) : null;
    if (page !== null) {
      return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html);
    }
    // Lists of ours say which message led there, so that their figures can name its post and word.
    if (deliveryId !== null && link.url.startsWith(listUrl(deps.config, '')))
      url.searchParams.set(MESSAGE_OF_LIST, part!);
    return reply.code(302).header('location', url.href).send();
  }

  async function elsewhereOf({ creatorId, appLink }: Link): Promise<Pick<Link, 'url' | 'amazon'>> {
    const url = appLink!.elsewhere!;
    return { url, amazon: isAmazon(url) ? await amazonRulesOf(deps.db.engine, creatorId) : null };
  }

  /** For somebody in the browser of another app on a phone; null: they are led there at once. */
  async function openingPageOf({ headers }: FastifyRequest, appLink: AppLink, address: URL, code: string) {
    const { app, system } = readAgent(headers['user-agent'] ?? '');
    if (app === null || system === null || address.protocol !== 'https:') return null;
    const opening = openingOf(await deps.openingRules.current(), { app, system, address });
    if (opening === null) return null;
    const disclosure = address.searchParams.has('tag') && appLink.disclosure !== '' ? appLink.disclosure : null;
    return openingPage({ app, opening, address, title: appLink.name, tellAt: null, key: code, disclosure });
  }

  /** By the creator's rules, where it leads to Amazon. Of programs it does not matter where they are. */
  function leadsToOf({ headers }: FastifyRequest, link: Link, part: string | undefined, isPerson: boolean): string {
    const { url, amazon, mailOf } = link;
    if (amazon === null) return url;
    const { countryHeader } = deps.config.shops;
    const country =
      amazon.byCountry && isPerson ? countryOf({ chosen: undefined, headers, countryHeader, fallback: null }) : null;
    return amazonAddressIn(url, amazon, channelOf(mailOf !== null, part), country) ?? url;
  }

  for (const url of ['/l/:code', '/l/:code/:part']) app.route({ method: ['GET', 'HEAD'], url, handler: follow });
}

function offBecause({ beginsAt, endsAt }: AppLink, nowMs: number): { status: number; words: Words } | null {
  if (nowMs >= endsAt) return { status: 410, words: ENDED };
  return nowMs < beginsAt ? { status: 404, words: TO_COME } : null;
}

type Words = { title: string; says: string };

const UNKNOWN: Words = {
  title: 'This link doesn’t work',
  says: 'It may be incomplete. Open it from the message again, or ask the person who sent it.',
};
const ENDED: Words = {
  title: 'This link has ended',
  says: 'The person who made it set an end for it. Ask them what there is now.',
};
const TO_COME: Words = {
  title: 'This link isn’t there yet',
  says: 'It starts later. Open it again then.',
};
const NOT_HERE: Words = {
  title: 'This link isn’t offered here',
  says: 'The person who made it doesn’t share links to Amazon in this place. Ask them for the product’s name.',
};
const TOO_OFTEN: Words = {
  title: 'Too many broken links',
  says: 'Too many broken links were opened from your network. Wait a minute, then open yours again.',
};

function sayUnknown(reply: FastifyReply, status: number, { title, says }: Words) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { max-width: 26rem; padding: 2rem; text-align: center; }
h1 { font-size: 1.4rem; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } }
</style>
</head>
<body><main><h1>${title}</h1><p>${says}</p></main></body>
</html>
`);
}
