/**
 * The meaning of Meta's answers for the caller: the table of reference 4.3 as data, and the only function that
 * reads it. A row is found by code and subcode, else by subcode alone, else by code, else by what kind of answer it is.
 * The error's `type` is never looked at and its message for two codes only: both change with language and mood.
 */
import type { Reason } from '#contract/outcomes.ts';
import { type GraphError, graphErrorOf } from './types.ts';
import type { Usage, Verdict } from './verdict.ts';

/** `private_reply`, `message` and `public_reply` reach a person; a `read` changes nothing and may always be repeated. */
export type Operation = 'private_reply' | 'message' | 'public_reply' | 'read';

export type Answer = { operation: Operation } & (
  | {
      status: number;
      /** The parsed body; undefined when it was no JSON. */
      body: unknown;
      usage: Usage | null;
    }
  /** `not_sent`: Meta certainly saw nothing of it. `no_answer`: it may have arrived. */
  | { failure: 'not_sent' | 'no_answer'; detail: string }
);

/** Turns an answer, or the lack of one, into what to do next. Reads that went well are not asked about. */
export function classify(answer: Answer): Verdict {
  if ('failure' in answer) {
    const harmless = answer.failure === 'not_sent' || answer.operation === 'read';
    return { kind: harmless ? 'retry' : 'unknown', detail: answer.detail };
  }
  const error = graphErrorOf(answer.body);
  if (error !== null) return classifyError(answer.operation, answer.status, error, answer.usage);
  if (answer.status >= 200 && answer.status < 300) return classifySuccess(answer.operation, answer.body);
  return classifyStatus(answer.operation, answer.status, answer.usage, `HTTP ${answer.status} without a Graph error`);
}

function classifyError(operation: Operation, status: number, error: GraphError, usage: Usage | null = null): Verdict {
  const detail = describe(error);
  const row = findRow(error);
  if (row !== undefined) return verdictOf(row, { operation, usage, detail });
  if (error.code >= 200 && error.code <= 299) {
    return { kind: 'misconfigured', reason: 'missing_permission', detail };
  }
  // Unlisted. A refusal was certainly not carried out; the engine gives up after a few tries.
  if (error.isTransient) return { kind: 'retry', detail };
  return classifyStatus(operation, status, usage, detail);
}

function classifyStatus(operation: Operation, status: number, usage: Usage | null, detail: string): Verdict {
  if (status === 429) return verdictOf(limited('connection'), { operation, usage, detail });
  if (status >= 500 && operation !== 'read') return { kind: 'unknown', detail };
  return { kind: 'retry', detail };
}

function classifySuccess(operation: Operation, body: unknown): Verdict {
  const answer = body as { message_id?: unknown; recipient_id?: unknown; id?: unknown } | null | undefined;
  if (operation === 'read') return { kind: 'retry', detail: 'Meta answered without data.' };
  const messageId = operation === 'public_reply' ? answer?.id : answer?.message_id;
  if (typeof messageId !== 'string' || messageId === '') {
    return { kind: 'unknown', detail: 'Meta said yes without naming the message.' };
  }
  return {
    kind: 'done',
    messageId,
    personId: typeof answer?.recipient_id === 'string' ? answer.recipient_id : null,
  };
}

/** One line for the log and the outcome's detail. */
export function describe(error: GraphError): string {
  const code = error.subcode === null ? `${error.code}` : `${error.code}/${error.subcode}`;
  return `${code} ${error.message}`.slice(0, 300);
}

type Row =
  | { kind: 'unknown' }
  | { kind: 'retry' }
  | { kind: 'rate_limited'; scope: 'lane' | 'connection' | 'app'; waitMs: number }
  | { kind: 'barred' }
  | { kind: 'reauthenticate'; reason: string }
  | { kind: 'refused'; reason: Reason }
  | { kind: 'misconfigured'; reason: Reason };

const MINUTE = 60_000;
const UNKNOWN: Row = { kind: 'unknown' };
const RETRY: Row = { kind: 'retry' };
/** Warnings about conduct, not about rate: nothing of this account goes out, and nobody hammers. */
const BARRED: Row = { kind: 'barred' };
const limited = (scope: 'lane' | 'connection' | 'app', waitMs = 5 * MINUTE): Row => ({
  kind: 'rate_limited',
  scope,
  waitMs,
});
const refused = (reason: Reason): Row => ({ kind: 'refused', reason });
const misconfigured = (reason: Reason): Row => ({ kind: 'misconfigured', reason });
const reauthenticate = (reason: string): Row => ({ kind: 'reauthenticate', reason });

/** Keys: `code/subcode`, a lone `/subcode` under any code, or a lone `code`. Certainty of each row: reference 4.3. */
const TABLE: Record<string, Row> = {
  // "Unknown error" was seen after messages that did arrive.
  '1': UNKNOWN,
  '1/99': misconfigured('missing_permission'),
  '1/1357046': UNKNOWN,
  '2': RETRY,
  '2/2018344': misconfigured('account_not_ready'),
  '3': misconfigured('account_not_ready'),
  '4': limited('app'),
  '4/2018022': limited('lane'),
  '9': limited('lane'),
  '10/2534022': refused('outside_window'),
  '10/2018278': refused('outside_window'),
  '10/2018065': refused('outside_window'),
  '10/2018108': refused('person_unavailable'),
  '10/2534077': reauthenticate('page_link_broken'),
  '/1893063': BARRED,
  '17': limited('connection'),
  '32': limited('connection'),
  '80001': limited('connection'),
  '80002': limited('connection'),
  '80004': limited('connection'),
  '80006': limited('connection'),
  '100': misconfigured('message_rejected'),
  '100/33': refused('comment_unavailable'),
  '100/2018001': refused('person_unavailable'),
  '100/2534014': refused('person_unavailable'),
  '100/2534015': misconfigured('message_rejected'),
  '100/2534013': misconfigured('account_not_ready'),
  // Used, deleted, older than seven days, or the account's own. To an uncertain earlier try it means "was sent".
  '100/2534025': refused('already_replied_elsewhere'),
  '100/2534029': misconfigured('account_not_ready'),
  '/2534037': refused('not_thread_owner'),
  '/2018300': refused('not_thread_owner'),
  '2018300': refused('not_thread_owner'),
  '100/2018008': misconfigured('message_rejected'),
  '100/2018047': misconfigured('message_rejected'),
  '100/2018109': misconfigured('message_rejected'),
  '100/2018294': misconfigured('message_rejected'),
  '100/2534068': misconfigured('message_rejected'),
  '102': reauthenticate('session'),
  '190': reauthenticate('invalid'),
  '190/458': reauthenticate('app_removed'),
  '190/459': reauthenticate('checkpoint'),
  '190/460': reauthenticate('password_changed'),
  '190/463': reauthenticate('expired'),
  '190/464': reauthenticate('unconfirmed'),
  '190/467': reauthenticate('invalid'),
  '190/492': reauthenticate('role_lost'),
  // An app in development mode writes to people with a role on it only.
  '200/2018027': misconfigured('account_not_ready'),
  '200/2018028': misconfigured('account_not_ready'),
  '/1545041': refused('person_unavailable'),
  '200/2534041': misconfigured('message_access_off'),
  '230': refused('person_unavailable'),
  '341': limited('app'),
  '368': BARRED,
  '506': refused('message_rejected'),
  '551': refused('person_unavailable'),
  '613': limited('connection'),
  '613/1996': limited('connection', 30 * MINUTE),
  '/2018338': BARRED,
  // "Your Page has been blocked from sending messages … This block may persist for 24 hours" [C].
  '2022': BARRED,
  '2018218': refused('person_unavailable'),
  '2018247': refused('person_unavailable'),
  '/2018218': refused('person_unavailable'),
  '/2018247': refused('person_unavailable'),
  '9010': refused('person_unavailable'),
  '9000001': refused('comment_unavailable'),
  // A Page's word for "this comment had its private reply".
  '10900': refused('already_replied_elsewhere'),
  '/10900': refused('already_replied_elsewhere'),
  '10903': refused('comment_unavailable'),
  '/10903': refused('comment_unavailable'),
  '2534122': BARRED,
  '/2534122': BARRED,
};

function findRow(error: GraphError): Row | undefined {
  if (error.subcode !== null) {
    const exact = TABLE[`${error.code}/${error.subcode}`] ?? TABLE[`/${error.subcode}`];
    if (exact !== undefined) return exact;
  }
  // The one fault with no number of its own: the account has no role on an app in Standard Access, or the path is bad.
  if (error.code === 100 && error.message.startsWith('Unsupported request')) return misconfigured('account_not_ready');
  // "Not enough viewers for the media to show insights" has the same code as a permission that is missing [D].
  if (error.code === 10)
    return misconfigured(PERMISSION.test(error.message) ? 'missing_permission' : 'message_rejected');
  return TABLE[error.code];
}

const PERMISSION = /permission|not authorized|access/i;

function verdictOf(row: Row, call: { operation: Operation; usage: Usage | null; detail: string }): Verdict {
  const { detail } = call;
  switch (row.kind) {
    case 'unknown':
      return { kind: call.operation === 'read' ? 'retry' : 'unknown', detail };
    case 'rate_limited':
      return { ...row, waitMs: call.usage?.regainAccessMs || row.waitMs, detail };
    default:
      return { ...row, detail };
  }
}
