/** `/s/{code}`: the list of a recipe, or the proof of a sponsor's pin, for whoever has its address. Outside the API; reads no cookie, keeps nothing about who asks. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { LinkChannel } from '#contract/link-channels.ts';
import { deliveryIdOf } from '#server/engine/deciding/tracked-url.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { servedOnDomains } from '#server/features/link-domains/hosts.ts';
import { notCountedBecause } from '#server/features/links/visitors.ts';
import { currentPins, type Pin, pinParts } from '#server/features/pins/current-pins.ts';
import { LIST_PATH, listUrl, MESSAGE_OF_LIST } from '#server/features/recipes/ingredients.ts';
import { countryOf } from '#server/features/shops/country.ts';
import { listSettings, shopPageFor } from '#server/features/shops/shop-pages.ts';
import { MISSES_WAIT, MissLimit } from '#server/http/miss-limits.ts';
import { tryOf } from '#server/http/rate-limits.ts';
import { itemsPage, usualPage } from './items-page.ts';
import { LIST_PDF, listPage, type Page, plainPage, type Shown } from './list-page.ts';
import { listPdf } from './list-pdf.ts';
import { type Entry, findList, type List, readServings, type WorkedOut, workOut } from './lists.ts';
import { findProof, PROOF_ENDED, proofPage } from './proof-page.ts';
import { shopListOf } from './shop-lists.ts';
import { countVisit } from './visits.ts';
import type { ListWords } from './words/list-words.ts';
import { pageLanguage } from './words/page-language.ts';

type Deps = Pick<RouteDeps, 'clicks' | 'clock' | 'config' | 'db' | 'ids' | 'keys' | 'linkHosts' | 'log'>;

/** More than any list has are made up. */
const MOST_TICKED = 400;

const UNKNOWN = plainPage(
  'This list isn’t here',
  'The address may be incomplete. Open it from the message again, or ask the person who sent it.',
);
const TOO_OFTEN = plainPage(
  'Too many broken links',
  'Too many broken links were opened from your network. Wait a minute, then open yours again.',
);
const TOO_MANY_FILES = plainPage(
  'Too many files',
  'Your network made many files just now. Wait a few minutes, then try again.',
);

export function registerLists(app: FastifyInstance, deps: Deps): void {
  const misses = new MissLimit();
  const get = (url: string, handler: RouteHandlerMethod) => servedOnDomains(app, { method: 'GET', url, handler });

  function mayLook(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!misses.isReached(request.ip, deps.clock.now().getTime())) return true;
    send(reply.header('retry-after', MISSES_WAIT), TOO_OFTEN, 429);
    return false;
  }

  async function find(request: FastifyRequest, reply: FastifyReply): Promise<List | null> {
    if (!mayLook(request, reply)) return null;
    const list = await findList(deps.db.engine, (request.params as { code: string }).code);
    const hostOf = deps.linkHosts.creatorOf(request.headers.host);
    if (list !== null && (hostOf === null || hostOf === list.creatorId)) return list;
    misses.countMiss(request.ip, deps.clock.now().getTime());
    send(reply, UNKNOWN, 404);
    return null;
  }

  get(`${LIST_PATH}/:code`, async (request, reply) => {
    if (!mayLook(request, reply)) return reply;
    const proof = await findProof(deps, (request.params as { code: string }).code);
    if (proof === 'ended') return send(reply, PROOF_ENDED, 410);
    if (proof !== null) return send(reply, proofPage(proof));
    const list = await find(request, reply);
    if (list === null) return reply;
    const url = listUrl(deps.config, list.code);
    // The same page again, for other servings.
    const { known, message } = readQuery(request);
    const pins = await pinsOf(list);
    if (known === null) await countVisit(deps, request, list, { part: 'list', url, message });
    const worked = await show(request, reply, list, { says: null, pins });
    if (known === null) await countPins(request, list, worked.entries, 'seen', message);
    return reply;
  });

  get(`${LIST_PATH}/:code/${LIST_PDF}`, async (request, reply) => {
    const list = await find(request, reply);
    if (list === null) return reply;
    const wait = await tryOf(deps.db.engine, deps.clock.now(), 'list_files', request.ip);
    if (wait !== null) return send(reply.header('retry-after', wait), TOO_MANY_FILES, 429);
    const shown = await shownOf(request, list, { says: null, pins: await pinsOf(list) });
    const name = `${list.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'list'}.pdf`;
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('cache-control', 'no-store')
      .send(await listPdf(shown, deps.clock.now()));
  });

  get(`${LIST_PATH}/:code/go/:shop`, async (request, reply) => {
    const list = await find(request, reply);
    if (list === null) return reply;
    const { shop: shopId } = request.params as { shop: string };
    const asked = readQuery(request);
    const wanted = readServings(list, asked.servings);
    const settings = await settingsOf(list, request);
    const pins = await pinsOf(list);
    const worked = workOut(list, wanted, { pantry: settings.pantry, pins });
    const ticked = tickedOf(worked, asked);
    const keys = ticked && new Set(worked.entries.filter(({ id }) => ticked.has(id)).map(({ item }) => item.key));
    const url = listUrl(deps.config, list.code);
    const shopList = shopListOf(list, worked, list.servings === null ? null : wanted.n, url);
    const opened = await shopPageFor(
      deps,
      list.creatorId,
      shopList,
      shopId,
      { keys },
      {
        country: settings.visitor,
        channel: channelIn(asked),
        mayAsk: await mayAsk(request),
      },
    );
    if (opened.kind === 'unknown') return send(reply, UNKNOWN_SHOP, 404);
    if (opened.kind === 'list') {
      await show(request, reply, list, { says: pageLanguage(list.language).words[WHY_NO_SHOP[opened.because]], pins });
      return reply;
    }
    await countVisit(deps, request, list, {
      ...{ part: `shop ${opened.shop.id}`, url: opened.url ?? url, message: asked.message },
    });
    const sent = worked.entries.filter(({ id, item }) => ticked?.has(id) ?? item.starts === 'ticked');
    await countPins(request, list, sent, 'went', asked.message);
    const back = `${url}?${new URL(request.url, url).searchParams}`;
    if (opened.url === null) return send(reply, itemsPage(list, worked, opened, back));
    const isPerson = notCountedBecause(request) === null;
    if (opened.isUsual && isPerson) return send(reply, usualPage(list, opened.shop, opened.url, back));
    return reply.header('cache-control', 'no-store').redirect(opened.url, 302);
  });

  /** Robots, and who asks for one selection after the other, get what was made for others. */
  async function mayAsk(request: FastifyRequest): Promise<boolean> {
    if (notCountedBecause(request) !== null) return false;
    return (await tryOf(deps.db.engine, deps.clock.now(), 'shop_selections', request.ip)) === null;
  }

  async function settingsOf(list: List, request: FastifyRequest) {
    const chosen = (request.query as { c?: unknown }).c;
    const visitor = countryOf({
      chosen: typeof chosen === 'string' ? chosen : undefined,
      headers: request.headers,
      countryHeader: deps.config.shops.countryHeader,
      fallback: null,
    });
    const settings = await listSettings(deps, list.creatorId, visitor, channelIn(readQuery(request)));
    return { ...settings, visitor };
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    list: List,
    given: { says: string | null; pins: Pin[] },
  ): Promise<WorkedOut> {
    const shown = await shownOf(request, list, given);
    send(reply, listPage(shown));
    return shown.worked;
  }

  async function shownOf(
    request: FastifyRequest,
    list: List,
    { says, pins }: { says: string | null; pins: Pin[] },
  ): Promise<Shown> {
    const asked = readQuery(request);
    const wanted = readServings(list, asked.servings);
    const { shops, disclosure, pantry, countries, country, visitor } = await settingsOf(list, request);
    const worked = workOut(list, wanted, { pantry, pins });
    const isPaid = shops.some((shop) => shop.isPaid);
    return {
      ...{ list, worked, wanted, shops, countries, country: visitor ?? country, says },
      disclosure: isPaid && disclosure !== '' ? disclosure : null,
      ...{ ticked: tickedOf(worked, asked), url: listUrl(deps.config, list.code), message: asked.message },
    };
  }

  function pinsOf(list: List): Promise<Pin[]> {
    return currentPins(deps.db.engine, list, deps.clock.now());
  }

  /** A pin once, however many foods of the list it is for. */
  async function countPins(
    request: FastifyRequest,
    list: List,
    entries: readonly Entry[],
    what: 'seen' | 'went',
    message: string | null,
  ): Promise<void> {
    const url = listUrl(deps.config, list.code);
    for (const id of new Set(entries.flatMap(({ pin }) => pin?.id ?? []))) {
      await countVisit(deps, request, list, { part: pinParts(id)[what], url, message });
    }
  }
}

const UNKNOWN_SHOP = plainPage('This shop isn’t here', 'Go back to the list and choose another one.');
type NoShop = Extract<Awaited<ReturnType<typeof shopPageFor>>, { kind: 'list' }>['because'];
const WHY_NO_SHOP = {
  nothing_chosen: 'nothingChosen',
  try_later: 'tryLater',
  refused: 'refused',
  our_key: 'ourKey',
  not_here: 'notHere',
} as const satisfies Record<NoShop, keyof ListWords>;

type Asked = { servings: string; ticked: Set<string>; known: Set<string> | null; message: string | null };

/** Of a message it is known that it led here. */
function channelIn({ message }: Asked): LinkChannel {
  return message === null ? 'other' : 'dm';
}

function readQuery({ query }: FastifyRequest): Asked {
  const { n, i, k, [MESSAGE_OF_LIST]: m } = query as Record<string, string | string[] | undefined>;
  const ticked = [i ?? []].flat().slice(0, MOST_TICKED);
  // Of two the button that was tapped comes last.
  const servings = [n ?? ''].flat().at(-1)!;
  return {
    servings,
    ticked: new Set(ticked),
    known: k === undefined ? null : new Set(String(k).split('.', MOST_TICKED)),
    message: typeof m === 'string' && deliveryIdOf(m) !== null ? m : null,
  };
}

/** What is on the list since the page was opened begins as everything does. @returns null: all of it begins so */
function tickedOf({ entries, unread }: WorkedOut, { ticked, known }: Asked): Set<string> | null {
  if (known === null) return null;
  const begins = [
    ...entries.map(({ id, item }) => ({ id, is: item.starts === 'ticked' })),
    ...unread.map(({ id }) => ({ id, is: true })),
  ];
  return new Set(begins.filter(({ id, is }) => (known.has(id) ? ticked.has(id) : is)).map(({ id }) => id));
}

function send(reply: FastifyReply, page: Page, status = 200) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer-when-downgrade')
    .send(page.html);
}
