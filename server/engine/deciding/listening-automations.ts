/**
 * Which automations listen at a connection, with all that calls them and all they may answer with: read here and nowhere
 * else, for the engine, the tester and replays.
 */
import type { AutomationInput, Scope } from '#contract/automations.ts';
import { type Askable, ask } from '#server/db/ask.ts';
import type { ChoosableAutomation } from './choice.ts';
import { loadLibraries, type ReplyLibrary } from './libraries.ts';

/** The parts of an automation that the engine needs; the steps and texts are those of the contract. */
export type EngineAutomation = Omit<ChoosableAutomation, 'translations'> &
  Pick<
    AutomationInput,
    | 'messageText'
    | 'publicReplies'
    | 'variants'
    | 'translations'
    | 'card'
    | 'opening'
    | 'followAsk'
    | 'emailAsk'
    | 'followUp'
    | 'repeatAfterMinutes'
  > & {
    name: string;
    buttons: { title: string; url: string; code: string }[];
    /** The wording that won the comparison; null while it runs. */
    variantWinner: string | null;
    switchedOnAt: Date;
    /** By post: when it found the post that it had been made for. Comments from before are not answered by themselves. */
    attachedAt: ReadonlyMap<string, Date>;
    /** Others of the connection that lead to the same places: who got one of them has the link already. */
    sameLink: string[];
  };

/** Newest first. */
export async function findListening(
  client: Askable,
  connectionIds: string[],
): Promise<(EngineAutomation & { connectionId: string })[]> {
  const rows = await ask<AutomationRow>(
    client,
    `select connection_id as "connectionId", id, name, trigger, scope, words, mode,
              excluded_words as "excludedWords", typo_tolerance as "typoTolerance", priority,
              keyword_ids as "keywordIds", reply_id as "replyId",
              message_text as "messageText", buttons, public_replies as "publicReplies", variants,
              variant_winner as "variantWinner", translations, card, opening, follow_ask as "followAsk",
              email_ask as "emailAsk", follow_up as "followUp",
              repeat_after_minutes as "repeatAfterMinutes", created_at as "createdAt",
              switched_on_at as "switchedOnAt",
              case scope when 'caption' then coalesce((
                select jsonb_agg(jsonb_build_array(p.post_id, p.attached_at)) from automation_posts p
                where p.creator_id = a.creator_id and p.automation_id = a.id
              ), '[]')
              when 'one' then jsonb_build_array(jsonb_build_array(post_id, attached_at))
              else '[]' end as attachments
       from automations a
       where connection_id = any($1::uuid[]) and switched_on_at is not null and archived_at is null
     order by created_at desc, id desc`,
    [connectionIds],
  );
  const libraries = await loadLibraries(client, {
    keywordIds: rows.flatMap((row) => row.keywordIds),
    replyIds: rows.flatMap((row) => row.replyId ?? []),
  });
  const othersOf = new Map(
    [...Map.groupBy(rows, (row) => row.connectionId)].map(([id, neighbours]) => [id, othersByLink(neighbours)]),
  );
  return rows.map(({ scope, attachments, keywordIds, replyId, ...row }) => ({
    ...row,
    translations: row.translations.map((translation) => ({
      ...translation,
      publicReplies: [...translation.publicReplies, ...repliesIn(libraries.replies.get(replyId ?? ''), translation)],
    })),
    postIds: scope === 'any' ? null : attachments.map(([postId]) => postId),
    attachedAt: new Map(attachments.flatMap(([postId, at]) => (at === null ? [] : [[postId, new Date(at)]]))),
    keywords: keywordIds.flatMap((id) => libraries.keywords.get(id) ?? []),
    publicReplies: [
      ...row.publicReplies,
      ...(replyId === null ? [] : (libraries.replies.get(replyId)?.publicReplies ?? [])),
    ],
    sameLink: othersOf.get(row.connectionId)!(row),
  }));
}

type AutomationRow = Omit<EngineAutomation, 'postIds' | 'attachedAt' | 'keywords' | 'sameLink'> & {
  connectionId: string;
  scope: Scope;
  /** Posts it listens on, with when it was attached to them; null: it was made for this post. */
  attachments: [string, string | null][];
  keywordIds: string[];
  replyId: string | null;
};

function repliesIn(library: ReplyLibrary | undefined, { language }: { language: string }): string[] {
  return library?.translations.find((translation) => translation.language === language)?.texts ?? [];
}

/** A creator's shop may be behind every button: the newest few are enough to know that somebody has the link. */
const SAME_LINK_AT_MOST = 5;

type Linking = Pick<EngineAutomation, 'id' | 'buttons' | 'createdAt'>;

/**
 * Finds others of a connection that have every link of one of them, newest first. Without links nobody has anything
 * already. By link, as a creator with a thousand automations may have the same one behind all of them.
 */
function othersByLink(automations: readonly Linking[]): (own: Linking) => string[] {
  const newestFirst = automations.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const withLink = new Map<string, Linking[]>();
  for (const automation of newestFirst) {
    for (const url of linksOf(automation)) {
      const there = withLink.get(url);
      if (there === undefined) withLink.set(url, [automation]);
      else there.push(automation);
    }
  }
  return (own) => {
    const [rarest, ...others] = [...linksOf(own)]
      .map((url) => ({ url, having: withLink.get(url)! }))
      .sort((one, other) => one.having.length - other.having.length);
    const same: string[] = [];
    for (const other of rarest?.having ?? []) {
      if (same.length === SAME_LINK_AT_MOST) break;
      if (other.id === own.id) continue;
      if (others.every(({ url }) => other.buttons.some((button) => button.url === url))) same.push(other.id);
    }
    return same;
  };
}

function linksOf({ buttons }: Linking): Set<string> {
  return new Set(buttons.map(({ url }) => url));
}
