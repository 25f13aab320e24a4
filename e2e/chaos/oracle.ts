/**
 * Judges what happened by the seven rules of the architecture (section 4): what Meta was told was taken, what the
 * simulator's ledger says really reached people, and what the product wrote down. Pure; used by every kind of schedule.
 */
import { type OutcomeStatus, REASONS } from '#contract/outcomes.ts';
import type { GraphLedgerEntry } from '#simulators/meta/control/types.ts';

export type ToldComment = {
  commentId: string;
  /** Its text calls for an answer. */
  matches: boolean;
  /** A webhook of it was acknowledged. */
  acked: boolean;
  /** In a live: answers to these have a limit of their own. */
  live: boolean;
  /** Deleted, or its live is over: Meta then says what it says of a comment that was answered. */
  gone: boolean;
};

export type InteractionRow = {
  id: string;
  kind: string;
  platformId: string;
  outcome: string;
  reason: string;
};

export type DeliveryRow = {
  id: string;
  interactionId: string;
  kind: 'private_reply' | 'message' | 'public_reply';
  state: string;
  recipient: string;
  text: string;
  uncertain: boolean;
  expiresAt: Date;
  /** The error of the last call that failed, Meta's or ours. */
  detail: string | null;
};

export type Evidence = {
  comments: ToldComment[];
  /** Messages whose webhooks were acknowledged, by mid. */
  ackedMessages: string[];
  /** From which entry of the ledger on each person is to be left alone, and until which (null: for good). */
  stops: { personId: string; after: number; until: number | null }[];
  /** Parts of the ledger in which an engine died or fell asleep: whether it heard these answers nobody knows. */
  unheard: { after: number; to: number }[];
  ledger: GraphLedgerEntry[];
  interactions: InteractionRow[];
  deliveries: DeliveryRow[];
  /** Meta's limits for one account. */
  limits: { privateRepliesPerHour: number; publicRepliesPerHour: number; messagesPerSecond: number };
  /** How far the product's clock was from Meta's at most. Waits and limits in its own time are then Meta's to enforce. */
  clockOffMs: number;
};

/** A rule that was broken; the number is the architecture's. `liveness`: somebody else is not served, or what was taken is not back. */
export type Finding = { rule: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'liveness'; says: string };

export function judge(evidence: Evidence): Finding[] {
  return [
    ...nothingLost(evidence),
    ...oneOutcomeEach(evidence),
    ...noDoubles(evidence),
    ...noLimitBroken(evidence),
    ...nothingTooLate(evidence),
    ...stopObeyed(evidence),
    ...visibleEnds(evidence),
  ];
}

const HOUR_MS = 3_600_000;

/** 1. What was acknowledged is known; a comment that calls for an answer got it, or there is a cause why not. */
function nothingLost({ comments, ackedMessages, interactions, deliveries, ledger }: Evidence): Finding[] {
  const stopped = interactions.some(({ reason }) => reason === 'stop_obeyed');
  const known = new Map(interactions.map((row) => [row.platformId, row]));
  const refused = new Set(ledger.filter(({ errorCode, fault }) => errorCode !== null || fault !== null).map(keyOf));
  const delivered = new Set(ledger.filter(isPrivateReply).map(({ commentId }) => commentId));
  const findings: Finding[] = [];
  const say = (says: string) => findings.push({ rule: 1, says });
  for (const { commentId, matches, acked } of comments) {
    const row = known.get(commentId);
    if (row === undefined) {
      if (acked) say(`comment ${commentId} was acknowledged and nobody knows of it`);
      continue;
    }
    if (!matches || delivered.has(commentId)) continue;
    // Meta said no, or a rule said so; neither may come out of nothing.
    if (row.outcome === 'failed' && !refused.has(commentId)) {
      const said = deliveries.find(({ interactionId }) => interactionId === row.id)?.detail ?? 'nothing said';
      say(`comment ${commentId} failed (${row.reason}: ${said}) although Meta refused nothing`);
    }
    if (row.outcome === 'skipped' && !SKIPPED_WITH_CAUSE.has(row.reason)) {
      say(`comment ${commentId} calls for an answer and was skipped (${row.reason})`);
    }
    if (row.reason === 'stopped' && !stopped) say(`comment ${commentId}: stopped, and nobody wrote STOP`);
  }
  for (const mid of ackedMessages) if (!known.has(mid)) say(`message ${mid} was acknowledged and nobody knows of it`);
  return findings;
}

const SKIPPED_WITH_CAUSE = new Set(['already_answered', 'already_has_it', 'stopped', 'taken_over']);

function keyOf({ commentId, recipientId }: GraphLedgerEntry): string | null {
  return commentId ?? recipientId;
}

function isPrivateReply({ operation, delivered }: GraphLedgerEntry): boolean {
  return operation === 'private_reply' && delivered;
}

/** 2. One interaction, one outcome. */
function oneOutcomeEach({ interactions }: Evidence): Finding[] {
  const seen = new Map<string, number>();
  for (const { platformId } of interactions) seen.set(platformId, (seen.get(platformId) ?? 0) + 1);
  return [...seen]
    .filter(([, count]) => count > 1)
    .map(([platformId, count]) => ({ rule: 2, says: `${platformId} has ${count} outcomes` }));
}

/** 3. No double message; and what is noted as sent was sent, what is not noted was not. */
function noDoubles({ comments, ledger, deliveries }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const say = (says: string) => findings.push({ rule: 3, says });
  const gone = new Set(comments.filter((comment) => comment.gone).map(({ commentId }) => commentId));
  const saidAnswered = new Set(ledger.filter(isSaidAnswered).map(({ commentId }) => commentId));
  const reached = countBy(ledger.filter(({ delivered }) => delivered).map(placeOfEntry));
  const rows = new Map<string, DeliveryRow[]>();
  for (const row of deliveries) rows.set(placeOf(row), [...(rows.get(placeOf(row)) ?? []), row]);
  for (const [place, count] of reached) {
    const sent = (rows.get(place) ?? []).filter(({ state }) => state === 'sent').length;
    const states = (rows.get(place) ?? []).map(({ state, uncertain }) => (uncertain ? `${state}, uncertain` : state));
    if (count > Math.max(1, rows.get(place)?.length ?? 0)) say(`${place} went out ${count} times`);
    // Called off by STOP while nobody knew whether they had arrived: they are not asked about any more.
    else if (count > sent && count - sent <= (rows.get(place) ?? []).filter(isLeftUnsure).length) continue;
    else if (count !== sent) say(`${place} went out ${count} times, noted: ${states.join('; ') || 'nothing'}`);
  }
  for (const [place, found] of rows) {
    if (reached.has(place) || !found.some(({ state }) => state === 'sent')) continue;
    // Asked about a call that broke off, Meta refuses a second one: it was answered, or it is gone. Nobody can tell which.
    const isSaid = found.every(
      ({ kind, recipient }) => kind === 'private_reply' && (gone.has(recipient) || saidAnswered.has(recipient)),
    );
    if (!isSaid) say(`${place} is noted as sent and was not`);
  }
  return findings;
}

/**
 * Written down as unsure. Of a private reply nobody can ask whether it arrived but by sending it: not after its deadline,
 * and not when Meta refuses the second one for another reason.
 */
function isLeftUnsure({ state, kind, uncertain }: DeliveryRow): boolean {
  const isPrivate = kind === 'private_reply';
  return uncertain && (state === 'cancelled' || (isPrivate && (state === 'expired' || state === 'failed')));
}

/** A planted lie of Meta: the comment had its answer, or is gone. */
function isSaidAnswered({ operation, fault, errorCode, errorSubcode }: GraphLedgerEntry): boolean {
  const says = errorCode === 10900 || (errorCode === 100 && errorSubcode === 2534025);
  return operation === 'private_reply' && fault !== null && says;
}

/** Where a message goes: under a comment there is one of each kind, to a person one with each text. */
function placeOf({ kind, recipient, text }: Pick<DeliveryRow, 'kind' | 'recipient' | 'text'>): string {
  return kind === 'message' ? `message "${text}" to ${recipient}` : `${kind} to comment ${recipient}`;
}

function placeOfEntry({ operation, commentId, recipientId, text }: GraphLedgerEntry): string {
  if (operation === 'private_reply') return placeOf({ kind: 'private_reply', recipient: commentId!, text: '' });
  if (operation === 'comment_reply') return placeOf({ kind: 'public_reply', recipient: commentId!, text: '' });
  return placeOf({ kind: 'message', recipient: recipientId ?? '', text: text ?? '' });
}

/** 4. No more calls than Meta allows in any hour or second, and none while it said to wait. */
function noLimitBroken({ comments, ledger, unheard, limits, clockOffMs }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const accounts = new Set(ledger.map(({ accountId }) => accountId));
  const lives = new Set(comments.filter(({ live }) => live).map(({ commentId }) => commentId));
  const bucketOf = ({ operation, commentId }: GraphLedgerEntry) =>
    operation === 'private_reply' && lives.has(commentId ?? '') ? 'live_reply' : operation;
  const allowed = [
    ['private_reply', limits.privateRepliesPerHour, HOUR_MS],
    ['private_reply', limits.messagesPerSecond, 1000],
    ['live_reply', limits.messagesPerSecond, 1000],
    ['comment_reply', limits.publicRepliesPerHour, HOUR_MS],
    ['message', limits.messagesPerSecond, 1000],
  ] as const;
  for (const accountId of accounts) {
    const calls = ledger.filter((entry) => entry.accountId === accountId);
    for (const [bucket, most, periodMs] of allowed) {
      const times = calls
        .filter((entry) => bucketOf(entry) === bucket)
        .filter(
          ({ fault, delivered, errorCode }) => delivered || (fault === null && clockOffMs === 0 && errorCode !== 190),
        )
        .map(({ at }) => at);
      // A second by a clock that was moved is none, and Meta counts private replies by the hour: nobody would refuse one.
      if (clockOffMs > 0 && bucket === 'private_reply' && periodMs < HOUR_MS) continue;
      const found = mostWithin(times, periodMs);
      if (found > most) {
        findings.push({ rule: 4, says: `${found} calls ${bucket} within ${periodMs} ms, allowed are ${most}` });
      }
    }
    if (clockOffMs > 0) continue;
    const refused = calls.filter(({ fault, errorCode }) => fault === null && LIMIT_CODES.has(errorCode ?? 0));
    if (refused.length > 0) {
      findings.push({ rule: 4, says: `Meta refused ${refused.length} calls as too many (${refused[0]!.operation})` });
    }
    findings.push(...waitsHeeded(calls, unheard));
  }
  return findings;
}

const LIMIT_CODES = new Set([4, 17, 32, 613, 80001, 80002, 80006]);
/** Closes every lane of the account for so many minutes, where Meta names none. */
const WAITS_OF: Record<string, number> = {
  '17': 5,
  '32': 5,
  '80001': 5,
  '80002': 5,
  '80004': 5,
  '80006': 5,
  '613/1996': 30,
};
const SENDS = new Set<GraphLedgerEntry['operation']>(['private_reply', 'message', 'comment_reply']);

function waitsHeeded(calls: GraphLedgerEntry[], unheard: Evidence['unheard']): Finding[] {
  const findings: Finding[] = [];
  for (const entry of calls) {
    const code = entry.errorSubcode === null ? `${entry.errorCode}` : `${entry.errorCode}/${entry.errorSubcode}`;
    const minutes = WAITS_OF[code];
    if (unheard.some(({ after, to }) => entry.seq > after && entry.seq <= to)) continue;
    if (minutes === undefined || entry.fault?.startsWith('rate_limited')) continue;
    const early = calls.find(
      ({ at, seq, operation }) =>
        // Those that were on their way at that moment cannot be called back.
        SENDS.has(operation) && seq > entry.seq && at > entry.at + 1000 && at < entry.at + minutes * 60_000 - 1000,
    );
    if (early !== undefined) {
      const afterMs = early.at - entry.at;
      findings.push({ rule: 4, says: `${code} asked for ${minutes} min; ${early.operation} came after ${afterMs} ms` });
    }
  }
  return findings;
}

/** The most of these moments (ascending) in any period, wherever it begins. */
export function mostWithin(times: number[], periodMs: number): number {
  let most = 0;
  let start = 0;
  for (let end = 0; end < times.length; end++) {
    while (times[start]! <= times[end]! - periodMs) start++;
    most = Math.max(most, end - start + 1);
  }
  return most;
}

/** A call that was made in time may arrive a little later. */
const ON_ITS_WAY_MS = 1000;

/** 5. Nothing goes out after its deadline. */
function nothingTooLate({ ledger, deliveries, clockOffMs }: Evidence): Finding[] {
  const deadlines = new Map<string, number>();
  for (const row of deliveries) {
    const until = row.expiresAt.getTime();
    deadlines.set(placeOf(row), Math.max(deadlines.get(placeOf(row)) ?? 0, until));
  }
  return ledger
    .filter(({ operation }) => SENDS.has(operation))
    .filter(
      (entry) =>
        entry.at > (deadlines.get(placeOfEntry(entry)) ?? Number.POSITIVE_INFINITY) + clockOffMs + ON_ITS_WAY_MS,
    )
    .map((entry) => ({ rule: 5, says: `${placeOfEntry(entry)} was tried after its deadline` }));
}

/** 6. After STOP nothing automatic goes to that person. */
function stopObeyed({ ledger, stops }: Evidence): Finding[] {
  return stops.flatMap(({ personId, after, until }) =>
    ledger
      .filter(
        ({ seq, operation, delivered, personId: to }) =>
          to === personId &&
          delivered &&
          (operation === 'private_reply' || operation === 'message') &&
          seq > after &&
          seq <= (until ?? Number.POSITIVE_INFINITY),
      )
      .map((entry): Finding => ({ rule: 6, says: `${placeOfEntry(entry)} went out after they wrote STOP` })),
  );
}

/** 7. Every interaction has come to an end, with a reason that fits it and what became of its delivery. */
function visibleEnds({ interactions, deliveries }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const say = (says: string) => findings.push({ rule: 7, says });
  const mains = new Map<string, DeliveryRow[]>();
  for (const row of deliveries) {
    if (row.kind === 'public_reply') continue;
    mains.set(row.interactionId, [...(mains.get(row.interactionId) ?? []), row]);
  }
  for (const { id, platformId, outcome, reason } of interactions) {
    const known = REASONS[reason as keyof typeof REASONS] as { status: OutcomeStatus } | undefined;
    const what = `${platformId} (${outcome} ${reason})`;
    if (known === undefined) say(`${what}: no such reason`);
    else if (known.status !== outcome) say(`${what}: the reason belongs to ${known.status}`);
    if (outcome === 'waiting') say(`${what}: still waits`);
    const states = (mains.get(id) ?? []).map(({ state }) => state);
    if (states.length === 0) continue;
    const wasSent = states.includes('sent');
    if (outcome === 'replied' && !wasSent) say(`${what}: its delivery is ${states.join(', ')}`);
    if (wasSent && outcome !== 'replied') say(`${what}: its message was sent`);
  }
  for (const { state, kind, recipient, text } of deliveries) {
    if (state === 'queued' || state === 'sending') say(`${placeOf({ kind, recipient, text })} is still ${state}`);
  }
  return findings;
}

function countBy(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
