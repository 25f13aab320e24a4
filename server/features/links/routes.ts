/**
 * `/l/{code}` and `/l/{code}/{part}`: where the buttons of our messages and the links of newsletters lead; the part names the message or
 * the mail. Outside the API: people tap these.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { readAgent } from '#contract/agents.ts';
import { amazonAddressIn } from '#contract/amazon-rules.ts';
import { IN_CAMPAIGN } from '#contract/app-links.ts';
import { REPORT_REASONS, type ReportReason } from '#contract/link-reports.ts';
import { openingOf } from '#contract/opening-rules.ts';
import { deliveryIdOf } from '#server/engine/deciding/tracked-url.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { AS_ANYONE, findWay, wayUrl } from '#server/features/fans/message-ways.ts';
import { servedOnDomains } from '#server/features/link-domains/hosts.ts';
import { listUrl, MESSAGE_OF_LIST } from '#server/features/recipes/ingredients.ts';
import { countryOf } from '#server/features/shops/country.ts';
import { MISSES_WAIT } from '#server/http/miss-limits.ts';
import { networksOf, tryOf } from '#server/http/rate-limits.ts';
import { channelOf, mayBeAmazon, placeOf } from './amazon-links.ts';
import { type ToldInCampaign, withCampaign } from './campaign.ts';
import { type AppLink, createLinkFinder, type Link } from './find-link.ts';
import { lookPage, type Words, wordsPage } from './look-page.ts';
import { markOfMessage } from './message-marks.ts';
import { openingPage } from './opening-page.ts';
import { ANSWERS, isTestOf, looksLikeTest, saveAnswer } from './opening-tests.ts';
import { report } from './reported-links.ts';
import { type NotCounted, notCountedBecause, TOLD } from './visitors.ts';

type Deps = Pick<
  RouteDeps,
  'clicks' | 'clock' | 'config' | 'db' | 'ids' | 'keys' | 'linkHosts' | 'live' | 'openingRules'
>;

export function registerLinks(app: FastifyInstance, deps: Deps): void {
  const find = createLinkFinder(deps);

  async function follow(request: FastifyRequest, reply: FastifyReply) {
    const { code: name, part } = request.params as { code: string; part?: string };
    const looksFirst = part === undefined && name.endsWith('+');
    const code = looksFirst ? name.slice(0, -1) : name;
    const link = await find(code, request.ip, deps.linkHosts.creatorOf(request.headers.host));
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer-when-downgrade');
    if (link === 'too_often') {
      return sayUnknown(reply.header('retry-after', MISSES_WAIT), 429, TOO_OFTEN);
    }
    if (link === null || !/^https?:\/\//i.test(link.url)) return sayUnknown(reply, 404, UNKNOWN);
    if (link.isStopped) return sayUnknown(reply, 410, STOPPED);
    if (looksFirst) return sendPage(reply, 200, lookPage(link, { code, by: await nameOf(link.creatorId) }));
    if (looksLikeTest(part)) return test(request, reply, link, { code, part });
    const because = notCountedBecause(request);
    const deliveryId = part === undefined || link.mailOf !== null ? null : deliveryIdOf(part);
    // Of programs nothing is kept but that they were there.
    const mailId = part === undefined || because !== null ? null : (link.mailOf?.(part) ?? null);
    count(request, link, part, { deliveryId, mailId, because });
    const target = targetOf(link, deps.clock.now().getTime());
    if (typeof target !== 'string') return sayUnknown(reply, target.status, target.words);
    if (
      because === null &&
      deliveryId !== null &&
      link.isForMembers &&
      !Object.hasOwn(request.query as object, AS_ANYONE)
    ) {
      const way = await findWay(deps, { creatorId: link.creatorId, code, deliveryId });
      if (way !== null) return reply.redirect(wayUrl(deps.config.baseUrl, way.handle, { code, part: part! }));
    }
    const told = { channel: placeOf(part), ...(await answeredBy(link, deliveryId)) };
    const leadsTo = leadsToOf(request, { ...link, url: target }, { part, told, isPerson: because === null });
    if (leadsTo === 'withheld') return sayUnknown(reply, 404, NOT_HERE);
    const url = new URL(leadsTo);
    if (because === null && link.appLink?.opensApp) {
      const page = await openingPageOf(request, link.appLink, url);
      if (page !== null) {
        return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html);
      }
    }
    // Lists of ours say which message led there, so that their figures can name its post and word.
    if (deliveryId !== null && link.url.startsWith(listUrl(deps.config, '')))
      url.searchParams.set(MESSAGE_OF_LIST, markOfMessage(deps.keys.secretKey, part!));
    return reply.code(302).header('location', url.href).send();
  }

  function count(
    { headers, ip }: FastifyRequest,
    link: Link,
    part: string | undefined,
    { deliveryId, mailId, because }: { deliveryId: string | null; mailId: string | null; because: NotCounted | null },
  ): void {
    const from = {
      channel: placeOf(part),
      app: readAgent(headers['user-agent'] ?? '').app,
      country: countryOf({ chosen: undefined, headers, ...deps.config.shops, fallback: null }),
    };
    deps.clicks.record({
      ...{ creatorId: link.creatorId, linkId: link.id, deliveryId, mailId, notCountedBecause: because },
      ...{ network: networksOf(ip).at(-1)!, at: deps.clock.now() },
      ...(link.appLink !== null && { from }),
    });
  }

  /** On the creator's own phone: tried as anybody would, counted as nobody. */
  async function test(
    request: FastifyRequest,
    reply: FastifyReply,
    link: Link,
    { code, part }: { code: string; part: string },
  ) {
    if (link.appLink === null || !(await isTest(link, code, part))) return sayUnknown(reply, 404, UNKNOWN);
    const told = { channel: null, post: null, word: null };
    const leadsTo = leadsToOf(request, link, { part: undefined, told, isPerson: true });
    const page =
      link.appLink.opensApp && leadsTo !== 'withheld'
        ? await openingPageOf(request, link.appLink, new URL(leadsTo), true)
        : null;
    if (page === null) return sayUnknown(reply, 200, OPEN_IN_APP);
    return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html);
  }

  async function isTest(link: Link, code: string, part: string): Promise<boolean> {
    return isTestOf(await creatorHashes(deps.db.engine, deps, link.creatorId, deps.clock.now()), code, part);
  }

  async function answerTest({ headers }: FastifyRequest, link: Link, worked: boolean): Promise<void> {
    const { app, system } = readAgent(headers['user-agent'] ?? '');
    if (app === null || system === null) return;
    const opening = openingOf(await deps.openingRules.current(), { app, system, address: new URL(link.url) });
    if (opening === null) return;
    await saveAnswer(deps, { creatorId: link.creatorId, app, system, opening, worked });
    deps.live.publish(link.creatorId, { what: 'links' });
  }

  /** The opening page says whether the app came up. Whoever says it is led nowhere, and learns nothing. */
  async function beTold(request: FastifyRequest, reply: FastifyReply) {
    const { code, part, what } = request.params as { code: string; part?: string; what: string };
    const because = TOLD.find((one) => one === what);
    const answer = ANSWERS.find((one) => one === what);
    const isPerson = notCountedBecause(request) === null;
    const hostOf = deps.linkHosts.creatorOf(request.headers.host);
    const link = (because ?? answer) === undefined || !isPerson ? null : await find(code, request.ip, hostOf);
    if (link === null || link === 'too_often' || !link.appLink?.opensApp) return reply.code(204).send();
    if (!looksLikeTest(part)) {
      if (because !== undefined) count(request, link, part, { deliveryId: null, mailId: null, because });
    } else if (answer !== undefined && (await isTest(link, code, part))) {
      await answerTest(request, link, answer === 'worked');
    }
    return reply.code(204).send();
  }

  async function nameOf(creatorId: string): Promise<string> {
    const { rows } = await sql<{ name: string }>`select ${creatorName(sql`${creatorId}::uuid`)} as name`.execute(
      deps.db.engine,
    );
    return rows[0]!.name;
  }

  /** What a stranger says of a link, on the page that shows where it leads. */
  async function beReported(request: FastifyRequest, reply: FastifyReply) {
    const { code } = request.params as { code: string };
    const { reason } = (request.body ?? {}) as { reason?: string };
    const link = await find(code, request.ip, deps.linkHosts.creatorOf(request.headers.host));
    if (link === null || link === 'too_often') return sayUnknown(reply, 404, UNKNOWN);
    const isReason = typeof reason === 'string' && Object.hasOwn(REPORT_REASONS, reason);
    if (!isReason) return sayUnknown(reply, 422, NO_REASON);
    // Who reports one link after the other is thanked all the same.
    const wait = await tryOf(deps.db.engine, deps.clock.now(), 'link_reports', request.ip);
    if (wait === null) await report(deps, { creatorId: link.creatorId, linkId: link.id }, reason as ReportReason);
    return sayUnknown(reply, 200, REPORTED);
  }

  /** For somebody in the browser of another app on a phone; null: they are led there at once. */
  async function openingPageOf({ headers, params }: FastifyRequest, appLink: AppLink, address: URL, isTest = false) {
    const { code, part } = params as { code: string; part?: string };
    const { app, system } = readAgent(headers['user-agent'] ?? '');
    if (app === null || system === null || address.protocol !== 'https:') return null;
    const opening = openingOf(await deps.openingRules.current(), { app, system, address });
    if (opening === null) return null;
    const disclosure = address.searchParams.has('tag') && appLink.disclosure !== '' ? appLink.disclosure : null;
    const tellAt = `/l/${code}/${isTest ? part : (placeOf(part) ?? 'link')}/`;
    // A test tries anew each time.
    const key = isTest ? `${code} ${deps.clock.now().getTime()}` : code;
    return openingPage({ app, opening, address, title: appLink.name, tellAt, key, disclosure, isTest });
  }

  /** Looked up only where the campaign asks for it. */
  async function answeredBy({ creatorId, appLink }: Link, deliveryId: string | null) {
    const asks = [IN_CAMPAIGN.post, IN_CAMPAIGN.word].some((name) => appLink?.campaign.includes(name));
    const nothing = { post: null, word: null };
    if (!asks || deliveryId === null) return nothing;
    const { rows } = await sql<Pick<ToldInCampaign, 'post' | 'word'>>`
      select i.post_id as post, i.matched_words[1] as word from deliveries d
      left join conversations s on s.creator_id = d.creator_id and s.id = d.conversation_id
      join interactions i on i.creator_id = d.creator_id and i.id = coalesce(s.interaction_id, d.interaction_id)
      where d.creator_id = ${creatorId} and d.id = ${deliveryId}
    `.execute(deps.db.engine);
    return rows[0] ?? nothing;
  }

  /** By the creator's rules, where it leads to Amazon. Of programs it does not matter where they are. */
  function leadsToOf(
    { headers }: FastifyRequest,
    link: Link,
    { part, told, isPerson }: { part: string | undefined; told: ToldInCampaign; isPerson: boolean },
  ): string {
    const { url, amazon, appLink, mailOf } = link;
    if (!mayBeAmazon(url)) return withCampaign(url, appLink?.campaign ?? '', told);
    const { countryHeader } = deps.config.shops;
    const country =
      amazon.byCountry && isPerson ? countryOf({ chosen: undefined, headers, countryHeader, fallback: null }) : null;
    return amazonAddressIn(url, amazon, channelOf(mailOf !== null, part), country, appLink?.productsAbroad) ?? url;
  }

  servedOnDomains(app, { method: 'POST', url: '/l/:code/:part/:what', handler: beTold });
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    servedOnDomains(scope, { method: 'POST', url: '/l/:code/report', handler: beReported });
  });
  for (const url of ['/l/:code', '/l/:code/:part']) {
    servedOnDomains(app, { method: ['GET', 'HEAD'], url, handler: follow });
  }
  for (const url of ['/:code', '/:code/:part']) {
    servedOnDomains(app, { method: ['GET', 'HEAD'], url, handler: follow }, { also: false });
  }
}

/** Where it leads at this time, or what to say instead. */
function targetOf({ url, appLink }: Link, nowMs: number): string | { status: number; words: Words } {
  const hasEnded = nowMs >= (appLink?.endsAt ?? Number.POSITIVE_INFINITY);
  const isToCome = nowMs < (appLink?.beginsAt ?? 0);
  if (!hasEnded && !isToCome) return url;
  return appLink?.elsewhere ?? (hasEnded ? { status: 410, words: ENDED } : { status: 404, words: TO_COME });
}

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
const OPEN_IN_APP: Words = {
  title: 'Open this inside an app',
  says: 'Send this address to yourself in Instagram, TikTok or another app, and tap it there.',
};
const STOPPED: Words = {
  title: 'This link was stopped',
  says: 'The people who run this service stopped it. If it’s yours, look into your email.',
};
const REPORTED: Words = {
  title: 'Thank you',
  says: 'Your report was sent to the people who run this service. They look at the link and can stop it.',
};
const NO_REASON: Words = { title: 'Choose a reason', says: 'Go back, and say what is wrong with the link.' };
const TOO_OFTEN: Words = {
  title: 'Too many broken links',
  says: 'Too many broken links were opened from your network. Wait a minute, then open yours again.',
};

function sayUnknown(reply: FastifyReply, status: number, words: Words) {
  return sendPage(reply, status, wordsPage(words));
}

function sendPage(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}
