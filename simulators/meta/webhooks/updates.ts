import type { LoginFlavour } from '../control/types.ts';
import { storyAddress } from '../state/media.ts';
import type { Account, Comment, Contact, Media, Message, Update } from '../state/records.ts';
import type { World } from '../state/world.ts';

/** An update as it would be for one login; `null` where that login has no such event. */
type Make = (flavour: LoginFlavour) => { field: string; item: Record<string, unknown> } | null;

/**
 * Sends to every subscription of the account, if Meta would: live app, account subscribed, app subscribed to the field. For Instagram the
 * account's own choice of fields does not count: once it has any, it gets all of the app's [D].
 */
export function updatesFor(
  world: World,
  account: Account,
  kind: 'changes' | 'messaging',
  subjectId: string | null,
  make: Make,
): Update[] {
  if (world.app.mode !== 'live') return [];
  const updates: Update[] = [];
  const add = (flavour: LoginFlavour, object: 'instagram' | 'page') => {
    const made = make(flavour);
    if (!made) return;
    const wanted = subscriptionField(made.field, flavour, object);
    if (!world.app.fields[object].includes(wanted)) return;
    // Comments need Advanced Access for whoever writes them [D]; without it only the dashboard's test arrives [C], or they do all the same [C].
    if (!sendsComments(world) && COMMENT_FIELDS.has(wanted)) return;
    const now = world.now();
    updates.push({
      flavour,
      object,
      accountId: account.id,
      field: made.field,
      subjectId,
      kind,
      time: kind === 'changes' ? Math.floor(now / 1000) : now,
      item: made.item,
    });
  };
  if (account.platform === 'facebook') {
    if (account.pageFields?.includes(make('facebook')?.field ?? '')) add('facebook', 'page');
    return updates;
  }
  if (account.instagramLoginFields?.length) add('instagram', 'instagram');
  const page = account.linkedId === null ? undefined : world.accounts.get(account.linkedId);
  if (page?.pageFields?.length) add('facebook', 'instagram');
  return updates;
}

function sendsComments({ app, settings }: World): boolean {
  return app.access === 'advanced' || settings.switches.commentsWithoutReview === 'sent_and_read';
}

const COMMENT_FIELDS = new Set(['comments', 'live_comments', 'mentions']);

/** Echoes are their own field with Instagram Login and part of `messages` on the Messenger flavour of Instagram. */
function subscriptionField(field: string, flavour: LoginFlavour, object: 'instagram' | 'page'): string {
  return field === 'message_echoes' && flavour === 'facebook' && object === 'instagram' ? 'messages' : field;
}

/** A new comment. The account's own comments come too, with `self_ig_scoped_id`: the loop risk [D]. */
export function commentUpdates(world: World, account: Account, media: Media, comment: Comment, verb = 'add'): Update[] {
  if (account.platform === 'facebook') return feedUpdates(world, account, media, comment, verb);
  // Edits, hiding and deletion of Instagram comments are not notified; nor are comments on a private account's media [D].
  if (verb !== 'add' || account.isPrivate) return [];
  const live = media.product === 'LIVE';
  return updatesFor(world, account, 'changes', comment.id, (flavour) => ({
    field: live ? 'live_comments' : 'comments',
    item: instagramComment(world, account, media, comment, flavour),
  }));
}

export function instagramComment(
  world: World,
  account: Account,
  media: Media,
  comment: Comment,
  flavour: LoginFlavour,
): Record<string, unknown> {
  const person = comment.personId === null ? null : world.people.get(comment.personId)!;
  const from =
    person === null
      ? { id: account.id, username: account.username, self_ig_scoped_id: account.selfScopedId }
      : { id: world.contact(person.id, account).commentFromId, username: person.username };
  const idKey = flavour === 'facebook' ? world.settings.switches.facebookLoginCommentIdKey : 'id';
  return {
    from,
    media: {
      id: media.id,
      media_product_type: media.product === 'LIVE' ? undefined : comment.adId ? 'AD' : media.product,
      ...(comment.adId
        ? {
            ad_id: comment.adId,
            ad_title: media.caption.slice(0, 40),
            original_media_id: media.originalMediaId ?? media.id,
          }
        : {}),
    },
    [idKey]: comment.id,
    ...(comment.parentId ? { parent_id: comment.parentId } : {}),
    text: comment.text,
  };
}

function feedUpdates(world: World, page: Account, media: Media, comment: Comment, verb: string): Update[] {
  const person = comment.personId === null ? null : world.people.get(comment.personId)!;
  return updatesFor(world, page, 'changes', comment.id, () => ({
    field: 'feed',
    item: {
      from:
        person === null
          ? { id: page.id, name: page.name }
          : { id: world.contact(person.id, page).scopedId, name: person.name },
      post: {
        status_type: 'added_photos',
        is_published: true,
        permalink_url: `${world.url}/p/${media.shortcode}`,
        id: media.id,
      },
      message: comment.text,
      post_id: media.id,
      comment_id: comment.id,
      created_time: Math.floor(comment.createdAt / 1000),
      item: 'comment',
      parent_id: comment.parentId ?? media.id,
      verb,
    },
  }));
}

/** A message of the person to the account, or an echo of the account's own. */
export function messageUpdates(world: World, account: Account, contact: Contact, message: Message): Update[] {
  const echo = message.from === 'account';
  if (echo && !world.settings.switches.echoes) return [];
  const asEdit = world.settings.switches.firstMessageAsEdit;
  if (asEdit !== 'no' && account.platform === 'instagram' && isFirst(world, contact, message)) {
    const edit = { timestamp: message.at, message_edit: { mid: message.id, num_edit: 0 } };
    const item = asEdit === 'with_sender' ? messaging(account, contact, message.at, false, edit) : edit;
    return updatesFor(world, account, 'messaging', message.id, () => ({ field: 'message_edit', item }));
  }
  return updatesFor(world, account, 'messaging', message.id, (flavour) => ({
    field: echo ? 'message_echoes' : 'messages',
    item: messaging(account, contact, message.at, echo, {
      message: {
        mid: message.id,
        ...wireMessage(world, message),
        ...(echo ? { is_echo: true } : {}),
        // [R] Messenger echoes carry the sending app.
        ...(echo && message.viaApi && flavour === 'facebook' ? { app_id: Number(world.app.metaAppId) } : {}),
      },
    }),
  }));
}

function isFirst(world: World, contact: Contact, message: Message): boolean {
  return contact.messageIds.find((id) => world.messages.get(id)?.from === 'person') === message.id;
}

/** Any other messaging event, e.g. `{ postback: … }`. */
export function eventUpdates(
  world: World,
  account: Account,
  contact: Contact,
  field: string,
  subjectId: string | null,
  part: Record<string, unknown>,
): Update[] {
  return updatesFor(world, account, 'messaging', subjectId, () => ({
    field,
    item: messaging(account, contact, world.now(), false, part),
  }));
}

function messaging(
  account: Account,
  contact: Contact,
  at: number,
  echo: boolean,
  part: Record<string, unknown>,
): Record<string, unknown> {
  return {
    sender: { id: echo ? account.id : contact.scopedId },
    recipient: { id: echo ? contact.scopedId : account.id },
    timestamp: at,
    ...part,
  };
}

/** The message object in its webhook form: templates of an echo keep their payload, quick replies are not repeated. */
function wireMessage(world: World, message: Message): Record<string, unknown> {
  const { quick_replies: _offered, attachment, ...rest } = message.message;
  const storyId = message.storyId;
  const story =
    storyId === null || message.from === 'account'
      ? {}
      : { reply_to: { story: { url: addressOfStory(world, message), id: storyId } } };
  return { ...rest, ...(attachment === undefined ? {} : { attachments: [attachment] }), ...story };
}

/** Of the account's story that a message answers, or of the follower's own that mentions the account. */
export function addressOfStory(world: World, message: Message): string {
  const id = message.storyId ?? '';
  const story = world.media.get(id) ?? { picture: `/pictures/story-${id}.jpg`, createdAt: message.at };
  return storyAddress(world, { ...story, id });
}

/** The POST body for updates of one flavour and object, before escaping. */
export function envelope(world: World, updates: readonly Update[]): string {
  const { instagramEntryShape, wrapWebhookInArray } = world.settings.switches;
  const entry = updates.map((update) => {
    const head = { id: update.accountId, time: update.time };
    if (update.kind === 'messaging') return { ...head, messaging: [update.item] };
    const flat = update.flavour === 'instagram' && instagramEntryShape === 'flat';
    const change = { value: update.item, field: update.field };
    return flat ? { ...head, ...change } : { ...head, changes: [change] };
  });
  const whole = { object: updates[0]!.object, entry };
  return JSON.stringify(wrapWebhookInArray ? [whole] : whole);
}
