/** Automations: what a creator sets up so that comments are answered. */
import * as z from 'zod/mini';
import { scopeOf } from '#contract/automation-problems.ts';
import { type Automation, AutomationInput, type Trigger } from '#contract/automations.ts';
import { findClashes } from '#contract/matching/index.ts';
import { renderMessage } from '#contract/message-text.ts';
import { howInWords } from '#contract/tester-wording.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import {
  type Call,
  type ChoosableAutomation,
  candidatesOf,
  compileForConnection,
} from '#server/engine/deciding/choice.ts';
import type { KeywordLibrary } from '#server/engine/deciding/libraries.ts';
import { findListening as readListening } from '#server/engine/deciding/listening-automations.ts';
import { readCounts, tallyOf } from '#server/engine/outcomes/counts.ts';
import { AppError } from '#server/errors.ts';
import { refuseOverLimit } from '#server/features/billing/follower-limit.ts';
import { changeLinksAlone, watchLinks } from '#server/features/link-guard/watched-links.ts';
import { findPostViews } from '#server/features/posts/shown-posts.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { blockedBy } from './blocked.ts';
import { linkButtons, requireTargets } from './button-links.ts';
import { checkContent } from './content-checks.ts';
import { checkLibraries, findKeywords } from './libraries.ts';
import { whyNot } from './other-winner.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };

const PAGE_SIZE = 100;

/** `freed`: connections whose messages wait for a broken link no longer. */
export type Changed = { automation: Automation; freed: string[] };

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: queries.AutomationFilter & { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid'), limit: limit + 1 };
  const { items: rows, next } = pageFrom(await queries.findPage(trx, creatorId, query, page), limit);
  const views = await viewsOf(trx, creatorId, rows);
  const counts = await readCounts(
    trx,
    creatorId,
    'automation',
    rows.map((row) => row.id),
  );
  const posts = await findPostViews(
    trx,
    creatorId,
    rows.flatMap((row) => row.post_id ?? []),
  );
  const items = views.map((view) => {
    const { matched, sent, waiting, failed, expired, opened, clicked } = tallyOf(counts.get(view.id));
    return {
      ...view,
      post: view.postId === null ? null : (posts.get(view.postId) ?? null),
      figures: { matched, sent, waiting, failed: failed + expired, opened, clicked },
    };
  });
  return { items, next };
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, id: string): Promise<Automation> {
  const [view] = await viewsOf(trx, creatorId, [await find(trx, creatorId, id)]);
  return view!;
}

/** Switched off until the creator says otherwise. @throws AppError invalid_input, not_found */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: AutomationInput,
): Promise<Automation> {
  checkContent(input);
  await checkPlace(trx, creatorId, input);
  await checkLibraries(trx, creatorId, input);
  const now = deps.clock.now();
  const id = deps.ids.uuid(now);
  const buttons = await linkButtons(deps, trx, creatorId, { id, before: [] }, input.buttons);
  await queries.insert(trx, {
    creator_id: creatorId,
    id,
    ...contentColumns(input, buttons),
    created_at: now,
    updated_at: now,
  });
  return get(trx, creatorId, id);
}

/**
 * @returns besides the automation, connections whose messages wait for a broken link no longer
 * @throws AppError invalid_input, not_found, changed_meanwhile
 */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  input: AutomationInput & { version: number },
): Promise<Changed> {
  const before = await findForChange(trx, creatorId, id);
  if (before.version !== input.version) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else saved this automation while you were editing. Copy your text, then reload to see their version.',
    );
  }
  await checkInput(deps, trx, creatorId, input, before);
  const buttons = await linkButtons(deps, trx, creatorId, { id, before: before.buttons }, input.buttons);
  await queries.update(trx, creatorId, id, input.version, contentColumns(input, buttons), deps.clock.now());
  const freed = before.switched_on_at === null ? [] : await watchLinks(deps, trx, creatorId, { automationId: id });
  return { automation: await get(trx, creatorId, id), freed };
}

/** Until the end of the transaction nobody else changes it. @throws AppError not_found */
export async function findForChange(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<queries.AutomationRow> {
  await changeLinksAlone(trx, creatorId);
  await queries.lock(trx, creatorId, id);
  return find(trx, creatorId, id);
}

/** The row an automation will become. @throws AppError invalid_input, not_found */
export async function checkInput(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  input: AutomationInput,
  before: queries.AutomationRow,
): Promise<void> {
  checkContent(input);
  const { connection_id, post_id, trigger } = before;
  // Where it was, it may stay, also when that post is gone.
  if (input.connectionId !== connection_id || input.postId !== post_id || input.trigger !== trigger) {
    await checkPlace(trx, creatorId, input);
  }
  await checkLibraries(trx, creatorId, input);
  await requireTargets(deps, trx, creatorId, input.buttons);
}

/**
 * On: comments that come from now on are answered, older ones are not. Refused when it could not fire.
 *
 * @throws AppError not_found, invalid_input, not_connected, needs_reconnect
 */
export async function switchTo(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  { on, userId }: { on: boolean; userId: string },
): Promise<Changed> {
  const automation = await findForChange(trx, creatorId, id);
  if (!on) {
    await queries.switchOff(trx, creatorId, id);
  } else if (automation.switched_on_at === null) {
    const connections = await queries.findConnections(trx, creatorId);
    const gone = await queries.findGonePosts(trx, creatorId, automation.post_id === null ? [] : [automation.post_id]);
    const blocked = blockedBy(
      connections.find((connection) => connection.id === automation.connection_id),
      needsOf(automation, gone),
    );
    if (blocked !== null) throw new AppError(blocked.code, blocked.because);
    await refuseOverLimit(trx, creatorId);
    checkContent(inputOf(automation));
    await queries.switchOn(trx, creatorId, id, { userId, now: deps.clock.now() });
  }
  const freed = await watchLinks(deps, trx, creatorId, on ? { automationId: id } : null);
  return { automation: await get(trx, creatorId, id), freed };
}

/** It stops at once; what it did stays in the history, and its links go on working. @throws AppError not_found */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await changeLinksAlone(trx, creatorId);
  if (!(await queries.archive(trx, creatorId, id, deps.clock.now()))) throw notFound();
  await watchLinks(deps, trx, creatorId, null);
}

/** Which automation would answer, and why the others would not. @throws AppError not_found */
export async function testComment(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  test: {
    connectionId: string;
    postId: string | null;
    text: string;
    draft?: (AutomationInput & { id: string | null }) | undefined;
  },
) {
  await checkConnection(trx, creatorId, test.connectionId);
  const listening = await findListening(trx, test.connectionId, test.draft?.id ?? null);
  if (test.draft !== undefined) listening.push(await draftAsTested(deps, trx, creatorId, test.draft));

  const explanations = compileForConnection(listening).explain(
    { trigger: test.draft?.trigger ?? 'comment', postId: test.postId },
    test.text,
  );
  const winner = explanations.find((explanation) => explanation.verdict === 'wins');
  return {
    answer:
      winner === undefined
        ? null
        : {
            automationId: winner.candidate.value.automation.automationId,
            name: winner.candidate.value.automation.name,
            matchedWords: winner.matchedWords,
            how: howInWords(winner.how!),
            message: renderMessage(messageOf(winner.candidate.value), { word: winner.matchedWords[0] ?? null }),
          },
    others: explanations
      .filter((explanation) => explanation !== winner)
      .map((explanation) => ({
        automationId: explanation.candidate.value.automation.automationId,
        name: explanation.candidate.value.automation.name,
        why: whyNot(explanation),
      })),
  };
}

/** Automations switched on at a connection, as the engine has them, the one under change left out. */
export async function findListening(
  trx: CreatorTransaction,
  connectionId: string,
  without: string | null = null,
): Promise<Tested[]> {
  return (await readListening(trx, [connectionId]))
    .filter(({ id }) => id !== without)
    .map((automation) => ({ ...automation, automationId: automation.id, message: automation.messageText }));
}

type Tested = Omit<ChoosableAutomation, 'translations'> & {
  automationId: string | null;
  name: string;
  message: string;
  translations: AutomationInput['translations'];
};

function messageOf({ automation, language }: Call<Tested>): string {
  const { translations }: Pick<AutomationInput, 'translations'> = automation;
  const translation = translations.find((candidate) => candidate.language === language);
  return translation?.messageText ?? automation.message;
}

/**
 * A new automation is the youngest, one under change keeps its age: age may decide who answers.
 *
 * @throws AppError not_found
 */
export async function draftAsTested(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  draft: AutomationInput & { id: string | null },
): Promise<Tested> {
  const keywords = await findKeywords(trx, creatorId);
  const saved = draft.id === null ? undefined : await queries.findById(trx, creatorId, draft.id);
  if (draft.id !== null && saved === undefined) throw notFound();
  const { postId } = draft;
  return {
    ...draft,
    id: draft.id ?? 'draft',
    // In the tester every door that a draft may still find is open.
    postIds: postId === null ? null : [postId],
    keywords: draft.keywordIds.flatMap((id) => keywords.get(id) ?? []),
    automationId: draft.id,
    name: nameOf(draft),
    message: draft.messageText,
    createdAt: saved?.created_at ?? deps.clock.now(),
  };
}

async function viewsOf(
  trx: CreatorTransaction,
  creatorId: string,
  rows: queries.AutomationRow[],
): Promise<Automation[]> {
  if (rows.length === 0) return [];
  const connections = new Map((await queries.findConnections(trx, creatorId)).map((row) => [row.id, row]));
  const connectionIds = [...new Set(rows.map((row) => row.connection_id))];
  const listening = (await queries.findAll(trx, creatorId, { connectionIds })).filter(
    (row) => row.switched_on_at !== null,
  );
  const places = Map.groupBy(listening, placeOf);
  const captionPosts = await queries.findCaptionPosts(trx, creatorId);
  const keywords = await findKeywords(trx, creatorId);
  const gone = await queries.findGonePosts(
    trx,
    creatorId,
    rows.flatMap((row) => row.post_id ?? []),
  );
  return rows.map((row) => {
    const blocked = blockedBy(connections.get(row.connection_id), needsOf(row, gone));
    return {
      ...inputOf(row),
      id: row.id,
      version: row.version,
      switchedOnAt: row.switched_on_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      clashes: clashesOf(row, places.get(placeOf(row)) ?? [], captionPosts, keywords),
      blockedBecause: row.switched_on_at === null ? null : (blocked?.because ?? null),
      draft: draftOf(row),
      draftVersion: row.draft_version,
    };
  });
}

/** Null where there is none, or where one from long ago is no automation any more. */
export function draftOf(row: queries.AutomationRow): Automation['draft'] {
  if (row.draft === null) return null;
  const { input, ...draft } = row.draft;
  const read = z.safeParse(AutomationInput, input);
  return read.success ? { ...draft, version: row.draft_version, input: read.data } : null;
}

/** Automations in one place compete. One for a post before one for any post is meant so, and no clash. */
function placeOf(row: queries.AutomationRow): string {
  return `${row.connection_id} ${row.trigger} ${row.scope} ${row.post_id ?? ''}`;
}

/** Abilities its account needs. */
function needsOf(
  row: queries.AutomationRow,
  gonePosts: ReadonlySet<string>,
): { trigger: Trigger; taps: boolean; gone: boolean } {
  return {
    trigger: row.trigger,
    taps: row.opening !== null || row.follow_ask !== null,
    gone: row.post_id !== null && gonePosts.has(row.post_id),
  };
}

function clashesOf(
  row: queries.AutomationRow,
  listening: queries.AutomationRow[],
  captionPosts: Map<string, string[]>,
  keywords: Map<string, KeywordLibrary>,
): Automation['clashes'] {
  const others = listening.filter((other) => other.id !== row.id);
  if (others.length === 0) return [];
  const names = new Map(others.map((other) => [other.id, other.name]));
  const candidates = [row, ...others].flatMap((each) => candidatesOf(choosable(each, captionPosts, keywords)));
  // Several ways of calling one automation may meet another: one clash, and none with itself.
  const clashes = new Map<string, Automation['clashes'][number]>();
  for (const { winner, loser, words } of findClashes(candidates)) {
    const [winnerId, loserId] = [winner.value.automation.id, loser.value.automation.id];
    if (winnerId === loserId || (winnerId !== row.id && loserId !== row.id)) continue;
    const automationId = winnerId === row.id ? loserId : winnerId;
    const decides = winnerId === row.id ? ('this' as const) : ('other' as const);
    const known = clashes.get(`${automationId} ${decides}`);
    if (known === undefined) {
      const name = names.get(automationId) ?? '';
      clashes.set(`${automationId} ${decides}`, { automationId, name, words, winner: decides });
    } else {
      known.words = [...new Set([...known.words, ...words])];
    }
  }
  return [...clashes.values()];
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<queries.AutomationRow> {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined) throw notFound();
  return row;
}

/** @throws AppError not_found */
export async function checkConnection(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
): Promise<queries.ConnectionState> {
  const connections = await queries.findConnections(trx, creatorId);
  const connection = connections.find(({ id }) => id === connectionId);
  if (connection === undefined) {
    throw new AppError('not_found', 'This account isn’t one of your connected accounts.');
  }
  return connection;
}

/** Meta tells of these on Instagram only. */
const INSTAGRAM_ONLY: readonly Trigger[] = ['live_comment', 'story_reply', 'story_mention'];

async function checkPlace(trx: CreatorTransaction, creatorId: string, input: AutomationInput): Promise<void> {
  const connection = await checkConnection(trx, creatorId, input.connectionId);
  if (connection.platform === 'facebook' && INSTAGRAM_ONLY.includes(input.trigger)) {
    const message = 'Stories and lives only work on Instagram. Choose comments or messages for a Page.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'trigger', message }] });
  }
  // Stories and lives are not in the list of posts.
  if (input.postId === null || input.trigger !== 'comment') return;
  if ((await queries.findPost(trx, creatorId, input.connectionId, input.postId)) === undefined) {
    throw new AppError('not_found', 'This post belongs to another account. Sync your posts and try again.');
  }
}

function contentColumns(input: AutomationInput, buttons: queries.StoredButton[]): queries.ContentColumns {
  return {
    connection_id: input.connectionId,
    name: nameOf(input),
    trigger: input.trigger,
    scope: scopeOf(input),
    post_id: input.postId,
    caption_words: input.captionWords,
    keyword_ids: input.keywordIds,
    reply_id: input.replyId,
    words: input.words,
    mode: input.mode,
    excluded_words: input.excludedWords,
    typo_tolerance: input.typoTolerance,
    priority: input.priority,
    message_text: input.messageText,
    buttons,
    public_replies: input.publicReplies,
    variants: input.variants,
    translations: input.translations,
    card: input.card,
    opening: input.opening,
    follow_ask: input.followAsk,
    email_ask: input.emailAsk,
    follow_up: input.followUp,
    repeat_after_minutes: input.repeatAfterMinutes,
  };
}

function nameOf(input: AutomationInput): string {
  if (input.name !== '') return input.name;
  if (input.trigger === 'story_mention') return 'Story mentions';
  return input.mode === 'any_comment' ? 'Every comment' : (input.words[0] ?? 'Automation');
}

function inputOf(row: queries.AutomationRow): AutomationInput {
  return {
    connectionId: row.connection_id,
    name: row.name,
    trigger: row.trigger,
    scope: row.scope,
    postId: row.post_id,
    captionWords: row.caption_words,
    keywordIds: row.keyword_ids,
    replyId: row.reply_id,
    words: row.words,
    mode: row.mode,
    excludedWords: row.excluded_words,
    typoTolerance: row.typo_tolerance,
    priority: row.priority,
    messageText: row.message_text,
    buttons: row.buttons.map(({ code, ...button }) => button),
    publicReplies: row.public_replies,
    variants: row.variants,
    translations: row.translations,
    card: row.card,
    opening: row.opening,
    followAsk: row.follow_ask,
    emailAsk: row.email_ask,
    followUp: row.follow_up,
    repeatAfterMinutes: row.repeat_after_minutes,
  };
}

function choosable(
  row: queries.AutomationRow,
  captionPosts: Map<string, string[]>,
  keywords: Map<string, KeywordLibrary>,
): ChoosableAutomation & { translations: AutomationInput['translations'] } {
  return {
    id: row.id,
    trigger: row.trigger,
    postIds: postIdsOf(row, captionPosts),
    keywords: row.keyword_ids.flatMap((id) => keywords.get(id) ?? []),
    translations: row.translations,
    words: row.words,
    mode: row.mode,
    excludedWords: row.excluded_words,
    typoTolerance: row.typo_tolerance,
    priority: row.priority,
    createdAt: row.created_at,
  };
}

/** Null: anywhere. `next` listens nowhere until its post is there. */
function postIdsOf(row: queries.AutomationRow, captionPosts: Map<string, string[]>): string[] | null {
  switch (row.scope) {
    case 'any':
      return null;
    case 'one':
      return [row.post_id!];
    case 'caption':
      return captionPosts.get(row.id) ?? [];
    case 'next':
      return [];
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'This automation doesn’t exist, or was deleted.');
}
