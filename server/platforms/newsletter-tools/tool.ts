/** What newsletter tools do for us, one interface for all: Kit and Mailchimp, each in a file of its own. */
import * as z from 'zod/mini';

export type ToolTarget = { id: string; name: string };

/** Their newsletter there. `pending`: the tool asked them itself and waits for their yes. */
export type RemoteState = 'subscribed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained';

export type ToolContact = {
  email: string;
  firstName: string | null;
  /** The tool's own id of them; null: never sent. */
  remoteId: string | null;
};

export type RemoteContact = { remoteId: string; email: string; state: RemoteState };

/** Where the tool tells of changes. `secret`: signs them; null: the address is the secret. */
export type Hook = { id: string; secret: string | null };

/** Of one event that the tool told: `id` comes again when it tells the same event again. */
export type ToolEvent = { id: string; email: string; state: RemoteState };

/**
 * Every call throws `ToolFailure`. An unsubscribed contact never becomes subscribed by a call of ours: both tools keep the state of
 * whom they know.
 */
export type NewsletterTool = {
  /** Calls that one minute may have. */
  callsPerMinute: number;
  /** Contacts that one call of `subscribe` takes. */
  atOnce: number;
  verify(): Promise<{ accountName: string }>;
  /** Kit's tags, Mailchimp's audiences. */
  targets(): Promise<ToolTarget[]>;
  /**
   * Adds or renews some who confirmed; new ones to the target as well.
   *
   * @returns of each in turn what the tool has, or why it did not take them
   */
  subscribe(contacts: ToolContact[], targetId: string | null): Promise<(RemoteContact | ToolFailure)[]>;
  unsubscribe(contact: ToolContact, targetId: string | null): Promise<void>;
  /** Erases them there as far as the tool can. */
  remove(remoteId: string, targetId: string | null): Promise<void>;
  listenAt(url: string, targetId: string | null): Promise<Hook>;
  stopListening(hookId: string, targetId: string | null): Promise<void>;
  /** Who is not to get newsletters any more, of those that changed since; a page, and where the next one begins. */
  leftSince(
    since: Date,
    after: string | null,
    targetId: string | null,
  ): Promise<{ contacts: RemoteContact[]; next: string | null }>;
};

/**
 * - `later`: the tool is busy or away.
 * - `reconnect`: it does not take our key or login any more.
 * - `contact`: it never takes this contact; the words say why.
 * - `ours`: it did not understand us.
 */
export class ToolFailure extends Error {
  override name = 'ToolFailure';
  readonly kind: 'later' | 'reconnect' | 'contact' | 'ours';
  /** How long it wants to be left alone; null: as we like. */
  readonly waitMs: number | null;

  /** @param says in the creator's words */
  constructor(kind: ToolFailure['kind'], says: string, { waitMs = null }: { waitMs?: number | null } = {}) {
    super(says);
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

export type ToolAnswer = { status: number; json: Record<string, unknown> | null; text: string };
export type ToolRequest = { method: string; url: string; headers: Record<string, string>; body?: object };
/** A tool's name, and what an answer of its from 400 on means. */
export type ToolWords = { name: string; failureOf(answer: ToolAnswer): ToolFailure };

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** @throws ToolFailure */
export async function askTool<Shape>(
  words: ToolWords,
  request: ToolRequest,
  shape: z.ZodMiniType<Shape>,
): Promise<Shape> {
  const answer = await call(words, request);
  if (answer.status >= 400) throw words.failureOf(answer);
  const read = z.safeParse(shape, answer.json);
  if (!read.success) throw new ToolFailure('ours', `${words.name} answered with something unexpected.`);
  return read.data;
}

/** A failure that is this contact's own is its answer. @throws ToolFailure of the tool as a whole */
export async function askOfEach(
  contacts: ToolContact[],
  ask: (contact: ToolContact) => Promise<RemoteContact>,
): Promise<(RemoteContact | ToolFailure)[]> {
  const answers: (RemoteContact | ToolFailure)[] = [];
  for (const contact of contacts) {
    answers.push(
      await ask(contact).catch((error: unknown) => {
        if (error instanceof ToolFailure && (error.kind === 'contact' || error.kind === 'ours')) return error;
        throw error;
      }),
    );
  }
  return answers;
}

/** For what takes something away: it is done when that is gone already. @throws ToolFailure */
export async function tellTool(words: ToolWords, request: ToolRequest): Promise<void> {
  const answer = await call(words, request);
  if (answer.status >= 400 && answer.status !== 404) throw words.failureOf(answer);
}

/** The host is the operator's setting or the tool's own, never a creator's. */
async function call({ name }: ToolWords, { method, url, headers, body }: ToolRequest): Promise<ToolAnswer> {
  try {
    const answer = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        accept: 'application/json',
        'user-agent': 'Creator-HQ/1',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (text.length > MOST_BYTES) throw new Error('The answer is too long.');
    return { status: answer.status, text, json: readObject(text) };
  } catch (error) {
    throw new ToolFailure('later', `${name} can’t be reached: ${(error as Error).message}`);
  }
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
