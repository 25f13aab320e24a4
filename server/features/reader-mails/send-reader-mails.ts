/**
 * Sends mails to readers. There is one job for each recipient domain with a mail that is due, so the queue (server/db/jobs.ts)
 * paces by domain: a domain has one sender at a time over all processes, which has a few mails under way, and what slows a
 * domain down makes its job wait, longer each time. How many mails a second go out, and over how many connections, the
 * transport says.
 *
 * A mail goes `waiting → sending → accepted`; or back to `waiting` with a later time; or to its end: `bounced` (refused for
 * good), `suppressed`, `cancelled` (no longer wanted), `expired`. One whose sender died while the mail server had it is sent again
 * under the same Message-ID and counted in `unnoted`: only then may it arrive twice, and where the mail server went away between the
 * mail and its answer. `every-answer.test.ts` has what becomes of a mail by each answer.
 */
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { backOffMs, later, type QueuedJob, type RecurringJob, TryLater } from '#server/db/jobs.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { isAddressDead } from '#server/features/mail-feedback/take-reports.ts';
import { noteServerTrouble, noteServerWorks } from '#server/features/sending/mail-servers.ts';
import { scrub } from '#server/observability/scrub.ts';
import { HostBusy, LoginRefused, MailboxBusy, MailRefused } from '#server/platforms/email/transport.ts';
import { type Creators, type LaidOut, layOutAll } from './lay-out.ts';
import { hasSharedLine, type LineDeps, Lines } from './lines.ts';
import { findDueDomains, note, type Outcome, type TakenMail, takeBack, takeNext } from './queries.ts';

export type SendingDeps = LineDeps & {
  db: Pick<Database, 'engine' | 'withCreator'>;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'baseUrl'>;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  live: Pick<LiveUpdates, 'publish'>;
};

const HOUR_MS = 3_600_000;
/** Of a recipe that somebody wants to cook today. */
const SAVES_GIVE_UP_AFTER_MS = 24 * HOUR_MS;
const GIVE_UP_AFTER_MS = 48 * HOUR_MS;
/** Of what many get, which may wait long for its first: 48 hours, an hour apart at most. */
const GIVE_UP_AFTER_TRIES = 55;
/** A domain that wants less gets nothing for a minute, then for two, up to an hour. */
const slowDownMs = (failures: number) => Math.min(60_000 * 2 ** (failures - 1), HOUR_MS);
/** As many mails are under way to one recipient domain at a time: big mail services slow down who opens more. */
const AT_A_TIME = 3;
/** After so many rounds a job makes way for other domains, and for the end of the process. */
const ROUNDS = 6;
const NOTE_TRIES = 20;

export const sendToDomain: QueuedJob<SendingDeps, { domain: string }> = {
  name: 'send-reader-mails',
  payload: z.object({ domain: z.string() }),
  atOnce: 4,
  run: sendDue,
};

export const findDueReaderMails: RecurringJob<SendingDeps> = {
  name: 'find-due-reader-mails',
  everyMs: 1_000,
  run: async (deps) => {
    const due = { now: deps.clock.now(), hasShared: hasSharedLine(deps.config) };
    await later(deps.db.engine, deps, sendToDomain, ...(await findDueDomains(deps.db.engine, due)));
  },
};

/** @throws TryLater when the domain, or our mail server, wants no more for now */
async function sendDue(deps: SendingDeps, { domain }: { domain: string }): Promise<void> {
  const { db, clock, ids, log } = deps;
  const leaseId = ids.uuid(clock.now());
  const hasShared = hasSharedLine(deps.config);
  const unnoted = await takeBack(db.engine, domain);
  if (unnoted > 0) log.warn({ mails: unnoted }, 'a sender died: mails may arrive twice');
  const creators: Creators = new Map();
  using lines = new Lines(deps);
  let hasProgressed = false;
  for (let round = 0; round < ROUNDS; round++) {
    const taken = await takeNext(db.engine, { domain, leaseId, now: clock.now(), hasShared });
    if (taken.length === 0) return;
    const laidOut = await layOutAll(deps, taken, creators);
    const tried = await tryAll(deps, lines, laidOut);
    for (const { outcome } of tried) if (outcome.fate !== undefined) await noteBounce(deps, outcome.mail, outcome.fate);
    await noteServers(deps, tried);
    hasProgressed ||= tried.some(({ outcome }) => outcome.state === 'accepted');
    const slowedDown = tried.find(({ pauseMs }) => pauseMs === slowDownMs) ?? tried.find(({ pauseMs }) => pauseMs);
    if (slowedDown?.pauseMs !== undefined) {
      throw new TryLater(slowedDown.outcome.failure ?? '', { hasProgressed, pauseMs: slowedDown.pauseMs });
    }
  }
  await later(db.engine, deps, sendToDomain, { domain });
}

/** `pauseMs`: nothing goes to the domain for so long. `server`: what the creator's own mail server made of it. */
type Tried = { outcome: Outcome; pauseMs?: (failures: number) => number; server?: 'works' | Error };

/** A few at a time, each noted as soon as may be; where no more are wanted, the rest was not tried. */
async function tryAll(deps: SendingDeps, lines: Lines, laidOut: LaidOut[]): Promise<Tried[]> {
  const [left, tried, unnoted] = [[...laidOut], [] as Tried[], [] as Outcome[]];
  const noteSoon = inTurn(async () => {
    const outcomes = unnoted.splice(0);
    if (outcomes.length > 0) await noteSurely(deps, outcomes);
  });
  const isWanted = ({ mail }: LaidOut) =>
    tried.every(
      ({ pauseMs, server, outcome }) =>
        !pauseMs && !(server instanceof Error && outcome.mail.creator_id === mail.creator_id),
    );
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const one = isWanted(next) ? await tryOne(deps, lines, next) : { outcome: untried(next.mail, deps.clock.now()) };
      tried.push(one);
      unnoted.push(one.outcome);
      void noteSoon();
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  await noteSoon();
  return tried;
}

/** Each run begins when the one before is over; one that failed fails those after it. */
function inTurn(run: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(run);
    last.catch(() => {});
    return last;
  };
}

function untried(mail: TakenMail, dueAt: Date): Outcome {
  return { mail, state: 'waiting', failure: mail.last_failure, dueAt, isUntried: true };
}

async function tryOne({ clock, log }: SendingDeps, lines: Lines, laidOut: LaidOut): Promise<Tried> {
  const { mail, not } = laidOut;
  const now = clock.now();
  const over = (state: Outcome['state'], failure: string | null) => ({
    outcome: { mail, state, failure, dueAt: null },
  });
  if (not !== null) {
    const { state, because, againAfterMs } = not;
    const dueAt = againAfterMs === undefined ? null : new Date(now.getTime() + againAfterMs);
    return { outcome: { mail, state, failure: because, dueAt } };
  }
  const { server } = laidOut;
  try {
    const line = await lines.of(mail.creator_id, server);
    await line.deliver({ id: mail.id, recipient: mail.email, ...laidOut.sends });
    return { ...over('accepted', null), ...(server?.isFailing && { server: 'works' as const }) };
  } catch (caught) {
    const error = caught as Error;
    const facts = { mail: mail.id, kind: mail.kind, failure: scrub(error.message) };
    if (error instanceof MailRefused) {
      log.warn(facts, 'an email to a reader was refused');
      const { outcome } = over('bounced', `${REFUSED[error.fate]}: ${error.message}`);
      return { outcome: { ...outcome, fate: error.fate } };
    }
    // What another creator sends to this domain has nothing to do with their server.
    const pause = server === null ? pauseAfter(error) : error instanceof MailboxBusy ? {} : { server: error };
    // They are in no way to blame, so they lose nothing by it.
    if (!(error instanceof LoginRefused) && isOver(mail, now)) {
      log.error(facts, 'an email to a reader could not be sent for too long; given up');
      return { ...over('expired', `It couldn’t be sent for too long, so we gave up: ${error.message}`), ...pause };
    }
    log.warn(facts, 'an email to a reader could not be sent yet');
    const dueAt = new Date(now.getTime() + backOffMs(mail.attempts));
    const noLogin = server === null ? NO_LOGIN : NO_OWN_LOGIN;
    const failure = `${error instanceof LoginRefused ? noLogin : 'Not taken yet, we’ll try again'}: ${error.message}`;
    return { outcome: { mail, state: 'waiting', failure, dueAt }, ...pause };
  }
}

const REFUSED: Record<MailRefused['fate'], string> = {
  hard: 'This address doesn’t exist',
  soft: 'Their mailbox couldn’t take it, perhaps because it’s full',
  unknown: 'The recipient’s mail server refused this email',
};
const NO_OWN_LOGIN = 'Your mail server refused the login. Check it under Sending';
const NO_LOGIN = 'Emails can’t leave this server at the moment. None is lost, and we’ll try again';

/** Of each creator's own mail server once, the worst of it. */
async function noteServers(deps: SendingDeps, tried: Tried[]): Promise<void> {
  const known = tried.filter(({ server }) => server !== undefined);
  for (const [creatorId, ofThem] of Map.groupBy(known, ({ outcome }) => outcome.mail.creator_id)) {
    const error = ofThem.map(({ server }) => server).find((server) => server instanceof Error);
    if (error === undefined) await noteServerWorks(deps, creatorId);
    else await noteServerTrouble(deps, creatorId, error);
  }
}

function pauseAfter(error: Error): Pick<Tried, 'pauseMs'> {
  if (error instanceof MailboxBusy) return {};
  return { pauseMs: error instanceof HostBusy ? slowDownMs : backOffMs };
}

function isOver({ kind, part_of: partOf, attempts, created_at: createdAt }: TakenMail, now: Date): boolean {
  if (partOf !== null) return attempts >= GIVE_UP_AFTER_TRIES;
  const giveUpAfterMs = kind === 'save' ? SAVES_GIVE_UP_AFTER_MS : GIVE_UP_AFTER_MS;
  return now.getTime() >= createdAt.getTime() + giveUpAfterMs;
}

/** Accepted mails are noted, even where the database is away for a moment: else they would go out twice. */
async function noteSurely({ db, clock, log }: SendingDeps, outcomes: Outcome[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await note(db.engine, outcomes, clock.now());
    } catch (error) {
      if (tries === NOTE_TRIES) throw error;
      log.warn({ err: error }, 'could not note what was sent; trying again');
      await clock.sleep(1_000);
    }
  }
}

function noteBounce(
  deps: SendingDeps,
  { creator_id: creatorId, contact_id: contactId }: TakenMail,
  fate: MailRefused['fate'],
): Promise<void> {
  const at = deps.clock.now();
  return deps.db.withCreator(creatorId, async (trx) => {
    if (!(await isAddressDead(trx, { creatorId, contactId, fate, sentAt: at }))) return;
    await applyNewsletterAct(trx, deps, { creatorId, contactId, act: 'bounces', at, how: 'smtp' });
  });
}
