/** `/e/…`: where the links of mails to readers lead. A GET shows a page and does nothing: programs open every link of a mail. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { AppDeps } from '#server/features/app-deps.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { SAMPLE_PATH } from '#server/features/email-templates/sample-data.ts';
import { notCountedBecause } from '#server/features/links/visitors.ts';
import { networksOf } from '#server/http/rate-limits.ts';
import { type Confirmation, confirm, findConfirmation, type Standing, standingOf, trip } from './confirmations.ts';
import { type Cookbook, type Done, readCookbook, sendAgain, takeOut } from './cookbook.ts';
import { noteNotMe } from './not-me.ts';
import { pageWordsFor, type SpokenWords } from './page-words.ts';
import * as pages from './pages.ts';
import { type AboutContact, READER_PATH, readTokenOfContact } from './reader-links.ts';

type Deps = Pick<AppDeps, 'db' | 'clock' | 'ids' | 'keys'>;

/** Links about a contact: what a press does, and its two pages. */
const ABOUT_CONTACT = [
  {
    path: 'unsubscribe',
    purpose: 'unsubscribe',
    act: 'unsubscribes',
    how: 'one_click',
    asks: pages.unsubscribePage,
    done: pages.unsubscribedPage,
  },
  {
    path: 'not-me',
    purpose: 'not_me',
    act: 'not_me',
    how: 'pressed',
    asks: pages.notMePage,
    done: pages.notMeDonePage,
  },
] as const satisfies {
  path: string;
  purpose: AboutContact;
  act: NewsletterAct;
  how: string;
  asks: (words: SpokenWords, name: string) => string;
  done: (words: SpokenWords, name: string) => string;
}[];

export function registerReaderMails(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    // Mail programs send `List-Unsubscribe=One-Click` in either of two ways (RFC 8058); our pages in the first.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { bodyLimit: 10_000, parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.addContentTypeParser(
      'multipart/form-data',
      { bodyLimit: 10_000, parseAs: 'string' },
      (_request, _body, done) => done(null, null),
    );
    registerConfirmation(scope, deps);
    registerAboutContact(scope, deps);
    registerCookbook(scope, deps);
    scope.get(SAMPLE_PATH, async (request, reply) => send(reply, pages.samplePage(wordsFor(request))));
  });
}

function registerConfirmation(scope: FastifyInstance, deps: Deps): void {
  const url = `${READER_PATH}/confirm/:token`;

  scope.get(url, async (request, reply) => {
    const found = await findConfirmation(deps.db.engine, tokenOf(request));
    if (found === null) return send(reply, pages.unknownPage(wordsFor(request)), 404);
    const now = deps.clock.now();
    return send(reply, pageOf(wordsFor(request), found, standingOf(found, now), now));
  });

  scope.post(url, { config: { crossSite: 'allowed' } }, async (request, reply) => {
    const found = await findConfirmation(deps.db.engine, tokenOf(request));
    if (found === null) return send(reply, pages.unknownPage(wordsFor(request)), 404);
    const { how } = (request.body ?? {}) as { how?: string };
    const words = wordsFor(request);
    const standing = await confirm(deps, found, {
      comesBackBy: words.mayReturn.button,
      how: how === 'pressed' ? 'pressed' : 'opened',
      network: networksOf(request.ip)[0]!,
      isProgram: notCountedBecause(request) !== null,
    });
    return send(reply, pageOf(words, found, standing, deps.clock.now()));
  });

  scope.get(`${READER_PATH}/more/:token`, async (request, reply) => {
    await trip(deps, tokenOf(request), networksOf(request.ip)[0]!);
    return send(reply, pages.nothingPage(wordsFor(request)));
  });
}

function pageOf(
  words: SpokenWords,
  { creatorName, newsletter, expiresAt, needsPress }: Confirmation,
  standing: Standing | 'ask',
  now: Date,
): string {
  switch (standing) {
    case 'open':
    case 'ask':
      return pages.confirmPage(words, creatorName, { asks: needsPress || standing === 'ask' });
    case 'done':
      return pages.confirmedPage(words, creatorName);
    case 'old':
      return pages.oldLinkPage(words, creatorName);
    case 'left':
      return pages.leftPage(words, creatorName, { mayReturn: newsletter === 'unsubscribed' && expiresAt > now });
  }
}

function registerAboutContact(scope: FastifyInstance, deps: Deps): void {
  for (const { path, purpose, act, how, asks, done } of ABOUT_CONTACT) {
    const url = `${READER_PATH}/${path}/:token`;
    const read = (request: FastifyRequest) =>
      readTokenOfContact(deps.db.engine, deps, tokenOf(request), purpose, deps.clock.now());

    scope.get(url, async (request, reply) => {
      const contact = await read(request);
      if (contact === null) return send(reply, pages.unknownPage(wordsFor(request)), 404);
      return send(reply, asks(wordsFor(request), await nameOf(deps, contact.creatorId)));
    });

    scope.post(url, { config: { crossSite: 'allowed' } }, async (request, reply) => {
      const contact = await read(request);
      if (contact === null) return send(reply, pages.unknownPage(wordsFor(request)), 404);
      const at = deps.clock.now();
      if (act === 'not_me') await noteNotMe(deps, contact);
      await deps.db.withCreator(contact.creatorId, (trx) =>
        applyNewsletterAct(trx, deps, { ...contact, act, at, how }),
      );
      return send(reply, done(wordsFor(request), await nameOf(deps, contact.creatorId)));
    });
  }
}

function registerCookbook(scope: FastifyInstance, deps: Deps): void {
  const url = `${READER_PATH}/cookbook/:token`;
  const read = (request: FastifyRequest) =>
    readTokenOfContact(deps.db.engine, deps, tokenOf(request), 'cookbook', deps.clock.now());
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { creatorId, cookbook, done }: { creatorId: string; cookbook: Cookbook; done: Done },
  ) => {
    const html = pages.cookbookPage(wordsFor(request), await nameOf(deps, creatorId), cookbook, done);
    return send(reply, html, 200, pages.COOKBOOK_POLICY);
  };

  scope.get(url, async (request, reply) => {
    const contact = await read(request);
    if (contact === null) return send(reply, pages.unknownPage(wordsFor(request)), 404);
    const cookbook = await deps.db.withCreator(contact.creatorId, (trx) => readCookbook(trx, contact));
    return show(request, reply, { creatorId: contact.creatorId, cookbook, done: null });
  });

  scope.post(url, { config: { crossSite: 'allowed' } }, async (request, reply) => {
    const contact = await read(request);
    if (contact === null) return send(reply, pages.unknownPage(wordsFor(request)), 404);
    const { act, entry = '' } = (request.body ?? {}) as { act?: string; entry?: string };
    const { done, cookbook } = await deps.db.withCreator(contact.creatorId, async (trx) => {
      let done: Done = null;
      if (act === 'again') done = await sendAgain(deps, trx, contact, entry);
      if (act === 'out') done = await takeOut(deps, trx, contact, entry);
      return { done, cookbook: await readCookbook(trx, contact) };
    });
    return show(request, reply, { creatorId: contact.creatorId, cookbook, done });
  });
}

async function nameOf({ db }: Pick<Deps, 'db'>, creatorId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select ${creatorName(sql`${creatorId}::uuid`)} as name`.execute(
    db.engine,
  );
  return rows[0]!.name;
}

function wordsFor(request: FastifyRequest): SpokenWords {
  return pageWordsFor(request.headers['accept-language']);
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

function send(reply: FastifyReply, page: string, status = 200, policy = pages.PAGE_POLICY) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .send(page);
}
