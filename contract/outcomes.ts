/**
 * Outcomes: what was decided for an interaction and what became of it. One per interaction, each with a reason from
 * this closed list, in words a creator understands. Architecture rule 7: no outcome without a reason.
 */
import * as z from 'zod/mini';

export const OutcomeStatus = z.enum(['replied', 'waiting', 'skipped', 'missed', 'failed', 'expired']);
export type OutcomeStatus = z.infer<typeof OutcomeStatus>;

/** `says` is shown as it stands; `remedy` is what the creator can do, where there is something. */
export const REASONS = {
  sent: { status: 'replied', says: 'The message was sent.' },
  sent_confirmed_later: { status: 'replied', says: 'The message was sent. Instagram confirmed it a little later.' },

  opening_sent: { status: 'replied', says: 'The first message was sent. They get the link when they tap the button.' },
  asked_to_follow: { status: 'replied', says: 'Asked to follow you. They get the link when they tap the button.' },
  asked_for_email: { status: 'replied', says: 'Asked for their email. They get the link when they reply.' },
  email_taken: { status: 'replied', says: 'They gave their email and got the link.' },
  stop_obeyed: {
    status: 'replied',
    says: 'They wrote STOP. Automations won’t message them until they write START.',
  },
  start_obeyed: { status: 'replied', says: 'They wrote START. Automations reply to them again.' },
  thanked: { status: 'replied', says: 'They got your thank-you.' },
  answered_by_you: { status: 'replied', says: 'You replied yourself.' },

  queued: { status: 'waiting', says: 'In the queue. It’ll be sent soon.' },
  // For moments; figures count it once there is an end to it.
  sending: { status: 'waiting', says: 'Sending now.' },
  rate_limited: {
    status: 'waiting',
    says: 'Instagram limits how many messages you can send per hour. This one is in the queue.',
  },
  trying_again: { status: 'waiting', says: 'Instagram had a problem. We’re trying again.' },
  checking: {
    status: 'waiting',
    says: 'Instagram didn’t confirm the message. We’ll check before trying again.',
  },
  needs_reconnect: {
    status: 'waiting',
    says: 'Not sent yet: your account needs to be reconnected.',
    remedy: 'Reconnect in Settings.',
  },
  barred: {
    status: 'waiting',
    says: 'Instagram paused messages from your account. We’ll continue when the pause ends.',
  },
  paused: {
    status: 'waiting',
    says: 'Instagram has an outage. We’ll send this when it’s over.',
  },
  paused_by_you: {
    status: 'waiting',
    says: 'You paused the queue.',
    remedy: 'Resume the queue on your home screen.',
  },
  link_broken: {
    status: 'waiting',
    says: 'The link in this message is broken, and you chose to wait until it works.',
    remedy: 'Fix the link, or change what to do about broken links in the automation.',
  },

  no_automation: { status: 'skipped', says: 'No automation is on for this post.' },
  no_match: { status: 'skipped', says: 'The comment doesn’t contain a keyword.' },
  excluded_word: { status: 'skipped', says: 'The comment contains one of your excluded words.' },
  own_comment: { status: 'skipped', says: 'This is your own comment.' },
  already_answered: { status: 'skipped', says: 'They already got this automation’s message a short while ago.' },
  stopped: {
    status: 'skipped',
    says: 'They wrote STOP, so automations won’t message them.',
    remedy: 'They can write START to get messages again.',
  },
  taken_over: { status: 'skipped', says: 'You’re handling this chat, so automations are paused for this person.' },
  blocked: { status: 'skipped', says: 'You blocked this person in Creator HQ.' },
  erased: { status: 'skipped', says: 'This person was erased from your contacts.' },
  thanked_lately: { status: 'skipped', says: 'They got your thank-you less than a day ago.' },
  already_has_it: { status: 'skipped', says: 'They already have this link from another automation.' },
  before_it_was_on: { status: 'skipped', says: 'This came before the automation was turned on.' },
  catch_up_cancelled: { status: 'skipped', says: 'You canceled the catch-up before this one was sent.' },
  plan_limit: {
    status: 'skipped',
    says: 'Your free plan is for under 25K followers, so this was not answered.',
    remedy: 'Upgrade, then answer everyone of the last seven days at once.',
  },
  facebook_addon_off: {
    status: 'skipped',
    says: 'This came on a Facebook Page, and the Facebook Addon is off.',
    remedy: 'Turn it on in Settings > Connections.',
  },
  self_test: { status: 'skipped', says: 'A message from you to yourself.' },
  another_app: { status: 'skipped', says: 'Another app is handling this conversation, so automations don’t reply.' },
  unsent: { status: 'skipped', says: 'They unsent this message.' },
  comment_changed: {
    status: 'skipped',
    says: 'The comment was edited, hidden or deleted before the message went out.',
  },
  nothing_to_match: { status: 'skipped', says: 'The comment has no text to match.' },
  direct_message: { status: 'skipped', says: 'No automation replies to this DM. It’s in your inbox.' },
  button_tap: { status: 'skipped', says: 'They tapped a button in your message.' },
  story_interaction: {
    status: 'skipped',
    says: 'No automation replies to this. It’s in your inbox.',
  },
  live_comment: { status: 'skipped', says: 'No automation for lives is on.' },

  too_old: {
    status: 'missed',
    says: 'This comment reached us after Instagram’s 7-day limit for replies.',
  },
  live_over: { status: 'missed', says: 'The live had ended. Instagram only allows replies while it’s on.' },
  disconnected: { status: 'missed', says: 'Your account was disconnected when this came in.' },
  being_deleted: { status: 'missed', says: 'This account was scheduled to be deleted, so nothing was sent.' },

  comment_unavailable: { status: 'failed', says: 'The comment was deleted or hidden before the message went out.' },
  already_replied_elsewhere: {
    status: 'failed',
    says: 'Instagram allows one DM per comment. This one was already used, deleted or too old.',
    remedy: 'Ask them to comment again.',
  },
  person_unavailable: {
    status: 'failed',
    says: 'They don’t accept messages, or they blocked your account.',
    remedy: 'They need to DM you first.',
  },
  outside_window: {
    status: 'failed',
    says: 'Instagram only allows this message within 24 hours of their last message.',
    remedy: 'Ask them to DM you or comment again.',
  },
  message_access_off: {
    status: 'waiting',
    says: 'Your Instagram settings don’t allow connected tools to send messages.',
    remedy:
      'In Instagram, turn on Settings > Messages and story replies > Message controls > Connected tools > Allow access to messages.',
  },
  missing_permission: {
    status: 'waiting',
    says: 'A permission is missing.',
    remedy: 'Reconnect in Settings and leave every box checked.',
  },
  account_not_ready: {
    status: 'failed',
    says: 'Your account’s current setup doesn’t allow sending messages.',
    remedy: 'See what to change under Connections in Settings.',
  },
  message_rejected: {
    status: 'failed',
    says: 'Instagram didn’t accept the message’s content.',
    remedy: 'Change the message and send it again.',
  },
  not_thread_owner: { status: 'failed', says: 'Another app is handling this conversation.' },
  gave_up: { status: 'failed', says: 'Instagram kept failing. We tried several times.' },

  deadline_passed: { status: 'expired', says: 'Instagram’s time limit passed before it could be sent.' },
} as const satisfies Record<string, { status: OutcomeStatus; says: string; remedy?: string }>;

export type Reason = keyof typeof REASONS;
/** Of what was skipped: nothing asked for a message. People skipped for another reason may well have written a keyword. */
export const NO_KEYWORD: readonly Reason[] = [
  'no_automation',
  'no_match',
  'nothing_to_match',
  'direct_message',
  'story_interaction',
  'live_comment',
];

export const Reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);

/** Filters of lists; `no_keyword` and `not_sent` together are `skipped`. */
export const OutcomeFilter = z.enum([...OutcomeStatus.options, 'no_keyword', 'not_sent']);
export type OutcomeFilter = z.infer<typeof OutcomeFilter>;
