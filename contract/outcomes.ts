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
  sent_confirmed_later: { status: 'replied', says: 'The message was sent; Instagram confirmed it on the second look.' },

  opening_sent: { status: 'replied', says: 'The first message was sent; she gets the link when she taps its button.' },
  asked_to_follow: { status: 'replied', says: 'She was asked to follow you; the link comes with her next tap.' },
  asked_for_email: { status: 'replied', says: 'She was asked for her e-mail address; the link comes with her answer.' },
  email_taken: { status: 'replied', says: 'She gave her e-mail address and got the link.' },
  stop_obeyed: {
    status: 'replied',
    says: 'She wrote STOP: nothing automatic goes to her any more, until she writes START.',
  },
  start_obeyed: { status: 'replied', says: 'She wrote START: automations answer her again.' },
  thanked: { status: 'replied', says: 'She got your thank-you.' },
  answered_by_you: { status: 'replied', says: 'You answered her yourself.' },

  queued: { status: 'waiting', says: 'In the queue; it goes out in its turn.' },
  // For moments; figures count it once there is an end to it (migration 0018).
  sending: { status: 'waiting', says: 'It is going out at this moment.' },
  rate_limited: {
    status: 'waiting',
    says: 'Instagram limits how many messages go out per hour; this one waits for its turn.',
  },
  trying_again: { status: 'waiting', says: 'Instagram had a hiccup; we try again by ourselves.' },
  checking: {
    status: 'waiting',
    says: 'Instagram did not say whether the message arrived; we check before trying again.',
  },
  needs_reconnect: {
    status: 'waiting',
    says: 'Your account must be reconnected before this can go out.',
    remedy: 'Reconnect in Settings.',
  },
  barred: {
    status: 'waiting',
    says: 'Instagram paused messages from your account for a while; we go on when it lifts.',
  },
  paused: {
    status: 'waiting',
    says: 'Meta has an outage, so nothing goes out at the moment; we go on by ourselves when it is over.',
  },
  paused_by_you: {
    status: 'waiting',
    says: 'You paused the queue; it goes on when you resume it.',
    remedy: 'Resume the queue on your home screen.',
  },
  link_broken: {
    status: 'waiting',
    says: 'The link of this message does not work at the moment, and you chose to wait until it does.',
    remedy: 'Mend the link, or choose something else in the automation.',
  },

  no_automation: { status: 'skipped', says: 'No automation is on for this post.' },
  no_match: { status: 'skipped', says: 'None of your words were in the comment.' },
  excluded_word: { status: 'skipped', says: 'The comment has one of your excluded words.' },
  own_comment: { status: 'skipped', says: 'This is your own comment.' },
  already_answered: { status: 'skipped', says: 'She was already answered by this automation a short while ago.' },
  stopped: {
    status: 'skipped',
    says: 'She wrote STOP, so nothing automatic goes to her.',
    remedy: 'She can write START.',
  },
  taken_over: { status: 'skipped', says: 'You are answering her yourself, so automations keep quiet.' },
  blocked: { status: 'skipped', says: 'You blocked this person here.' },
  erased: { status: 'skipped', says: 'This person was erased from your contacts.' },
  thanked_lately: { status: 'skipped', says: 'She was thanked for a mention less than a day ago.' },
  already_has_it: { status: 'skipped', says: 'She has this link already, through another door.' },
  before_it_was_on: { status: 'skipped', says: 'This came before the automation was switched on.' },
  catch_up_cancelled: { status: 'skipped', says: 'You took back the catching up before her turn came.' },
  facebook_addon_off: {
    status: 'skipped',
    says: 'This came on a Facebook Page, and the Facebook Addon is off.',
    remedy: 'Switch it on in Settings > Connections.',
  },
  self_test: { status: 'skipped', says: 'A message from you to yourself.' },
  another_app: { status: 'skipped', says: 'Another app handles this conversation, so no automation answers here.' },
  unsent: { status: 'skipped', says: 'She took this message back.' },
  comment_changed: {
    status: 'skipped',
    says: 'The comment was edited, hidden or deleted before the message went out.',
  },
  nothing_to_match: { status: 'skipped', says: 'The comment has no text to match.' },
  direct_message: { status: 'skipped', says: 'A direct message that no automation answers; it is in your inbox.' },
  button_tap: { status: 'skipped', says: 'She tapped a button in your message.' },
  story_interaction: {
    status: 'skipped',
    says: 'A story reply or mention that no automation answers; it is in your inbox.',
  },
  live_comment: { status: 'skipped', says: 'A comment in a live video, and no live automation is on.' },

  too_old: {
    status: 'missed',
    says: 'We heard of this comment after the seven days in which Instagram allows an answer.',
  },
  live_over: { status: 'missed', says: 'The live was over; Instagram allows answers only while it runs.' },
  disconnected: { status: 'missed', says: 'Your account was disconnected when this came.' },
  being_deleted: { status: 'missed', says: 'This account was about to be deleted, so nothing was sent.' },

  comment_unavailable: { status: 'failed', says: 'The comment was deleted or hidden before the message went out.' },
  already_replied_elsewhere: {
    status: 'failed',
    says: 'Instagram allows one private answer per comment, and this one was used, deleted or too old.',
    remedy: 'Ask her to comment once more.',
  },
  person_unavailable: {
    status: 'failed',
    says: 'She does not receive messages, or has blocked the account.',
    remedy: 'She must write to you first.',
  },
  outside_window: {
    status: 'failed',
    says: 'Instagram allows this message only within 24 hours after she wrote.',
    remedy: 'Ask her to write to you or to comment again.',
  },
  message_access_off: {
    status: 'waiting',
    says: 'Your Instagram settings do not let connected tools send messages.',
    remedy:
      'In Instagram: Settings > Messages and story replies > Message controls > Connected tools > Allow access to messages.',
  },
  missing_permission: {
    status: 'waiting',
    says: 'A permission is missing.',
    remedy: 'Reconnect in Settings and leave every box ticked.',
  },
  account_not_ready: {
    status: 'failed',
    says: 'Meta does not let this account send messages the way it is set up now.',
    remedy: 'See the account in Settings; it says what to change at Meta.',
  },
  message_rejected: {
    status: 'failed',
    says: 'Instagram refused the content of the message.',
    remedy: 'Change the message and send it again.',
  },
  not_thread_owner: { status: 'failed', says: 'Another app handles this conversation.' },
  gave_up: { status: 'failed', says: 'Instagram kept failing; we tried several times.' },

  deadline_passed: { status: 'expired', says: 'It waited until Instagram no longer allows an answer.' },
} as const satisfies Record<string, { status: OutcomeStatus; says: string; remedy?: string }>;

export type Reason = keyof typeof REASONS;
export const Reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);
