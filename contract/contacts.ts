/** Contacts: the people who came through social, what happened with each of them, and what the creator may do. */
import * as z from 'zod/mini';
import { endpoint, type ResponseOf } from '#contract/endpoint.ts';
import { Help, Interaction } from '#contract/interactions.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/**
 * A contact's id; of whom no address is known, the account's and the person's there (`connection.person`, which go on to work
 * when a contact was made of them). Callers pass it on as it is.
 */
const ContactId = z.string().check(z.minLength(1), z.maxLength(120));
const ContactParams = z.object({ creatorId: Id, contactId: ContactId });

export const TakeOver = z.object({
  /** Null: until somebody hands back. */
  until: z.nullable(Timestamp),
});

const Platform = z.enum(['instagram', 'facebook']);

export const Identity = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('account'),
    platform: Platform,
    connectionId: Id,
    username: z.nullable(z.string()),
    /** Of the creator's account that knows them. */
    accountUsername: z.string(),
  }),
  z.object({ kind: z.literal('email'), email: z.string() }),
]);
export type Identity = z.infer<typeof Identity>;

/** `none`: never asked for it. `bounced`: the address does not exist. `complained`: they marked a mail as spam. */
export const NewsletterStatus = z.enum(['none', 'unconfirmed', 'confirmed', 'unsubscribed', 'bounced', 'complained']);
export type NewsletterStatus = z.infer<typeof NewsletterStatus>;

/** One row of the list. */
export const Contact = z.object({
  id: ContactId,
  /** Of the creator's account that heard of them last. Null: known by an address alone. */
  connectionId: z.nullable(Id),
  platform: z.nullable(Platform),
  accountUsername: z.nullable(z.string()),
  /** Every way they are known: accounts, whom they wrote to last first, then addresses. */
  identities: atMost(20, Identity),
  newsletter: NewsletterStatus,
  /** How often they saved a recipe. */
  savedCount: z.number(),
  username: z.nullable(z.string()),
  name: z.nullable(z.string()),
  pictureUrl: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** Do they follow the account? Null: Instagram has not told. */
  follows: z.nullable(z.boolean()),
  lastSeenAt: Timestamp,
  stoppedAt: z.nullable(Timestamp),
  /** Set while the creator answers them. */
  takenOver: z.nullable(TakeOver),
  blockedAt: z.nullable(Timestamp),
  /** Their latest act and its outcome; long texts are cut. */
  last: z.nullable(
    z.object({ ...z.pick(Interaction, { kind: true, outcome: true, reason: true }).shape, text: z.string() }),
  ),
});
export type Contact = z.infer<typeof Contact>;

export const ContactFilter = z.enum([
  'with_email',
  'followers',
  'not_followers',
  'following_unknown',
  'stopped',
  'taken_over',
  'blocked',
  'from_blog',
  'newsletter_confirmed',
  'newsletter_unconfirmed',
  'newsletter_unsubscribed',
]);
export type ContactFilter = z.infer<typeof ContactFilter>;

export const listContacts = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contacts',
  access: 'creator',
  refreshedBy: ['interactions', 'connections'],
  personal: true,
  summary: 'Contacts, most recent first; search by handle, name or email',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    /** Beginning of a handle (with or without @), of the name or its last word, or of the address. An exact handle comes first. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(64))),
    filter: z.optional(ContactFilter),
    /** Only whom this automation answered. */
    automationId: z.optional(Id),
    tagId: z.optional(Id),
    /** Only who is in it; written as contract/segments.ts says. */
    segment: z.optional(z.string().check(z.maxLength(2000))),
  }),
  response: pageOf(Contact),
  errors: ['invalid_input'],
});

/** Until when one may write to them, and why, decided by Meta's rules. */
export const WritingWindow = z.object({
  /**
   * - `chat`: they wrote within 24 hours.
   * - `human_agent`: within seven days, for a person's own answer, where Meta allows the app that.
   * - `private_reply`: one private answer to their comment of the last seven days.
   * - `closed`: they must write first.
   */
  how: z.enum(['chat', 'human_agent', 'private_reply', 'closed']),
  until: z.nullable(Timestamp),
  /** In plain words. */
  says: z.string(),
});
export type WritingWindow = z.infer<typeof WritingWindow>;

export const Consent = z.object({
  id: Id,
  email: z.string(),
  purpose: z.enum(['save', 'newsletter', 'gate', 'ads']),
  act: z.enum(['given', 'confirmed', 'declined', 'withdrawn', 'imported', 'not_me']),
  /** The wording they agreed to; empty where there was none. */
  wording: z.string(),
  place: z.string(),
  /** In a word or a few: `box`, `button`, `opened`, `pressed`, `one_click`, `not_asked`, `in_dm`, the name of a file or tool. */
  how: z.nullable(z.string()),
  pageUrl: z.nullable(z.string()),
  agreedAt: Timestamp,
});

export type Consent = z.infer<typeof Consent>;

/** A recipe that they saved from the blog. */
export const SavedRecipe = z.object({
  id: Id,
  title: z.string(),
  url: z.string(),
  pictureUrl: z.nullable(z.string()),
  /** How often they saved it. */
  times: z.number(),
  savedAt: Timestamp,
});
export type SavedRecipe = z.infer<typeof SavedRecipe>;

/** A mail to them and its fate. */
export const ContactMail = z.object({
  id: Id,
  /** `save`, `confirmation` and so on. */
  kind: z.string(),
  /** The recipe it is about. */
  title: z.nullable(z.string()),
  state: z.enum([
    'waiting',
    'sending',
    'accepted',
    'delivered',
    'deferred',
    'bounced',
    'complained',
    'held',
    'suppressed',
    'failed',
    'cancelled',
    'expired',
  ]),
  /** Why, in the mail server's words or ours. */
  says: z.nullable(z.string()),
  /** They followed a link of it; of newsletters alone. */
  isClicked: z.boolean(),
  at: Timestamp,
});
export type ContactMail = z.infer<typeof ContactMail>;

/** Somebody who may be the same person, and why. */
export const Suggestion = z.object({
  id: ContactId,
  name: z.nullable(z.string()),
  username: z.nullable(z.string()),
  email: z.nullable(z.string()),
  platform: z.nullable(Platform),
  /** `same_address`: they gave it in a DM, where anybody may type it. `gmail`: Gmail delivers both to one mailbox. */
  why: z.enum(['same_address', 'gmail']),
});
export type Suggestion = z.infer<typeof Suggestion>;

export const getContact = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contacts/:contactId',
  access: 'creator',
  refreshedBy: ['interactions', 'connections'],
  personal: true,
  summary: 'One contact: profile, consents, whether you can message them, and whether they got their link',
  params: ContactParams,
  response: z.extend(Contact, {
    firstSeenAt: Timestamp,
    followers: z.nullable(z.number()),
    verified: z.nullable(z.boolean()),
    profileAt: z.nullable(Timestamp),
    window: WritingWindow,
    newsletterAt: z.nullable(Timestamp),
    confirmedAt: z.nullable(Timestamp),
    /** Their names. */
    tags: atMost(QUOTAS.tags.most, z.string()),
    consents: atMost(100, Consent),
    /** The latest first, as many as are shown. */
    saves: atMost(50, SavedRecipe),
    /** The newest first, as many as are shown. */
    mails: atMost(50, ContactMail),
    suggestions: atMost(10, Suggestion),
    /** Joins that can be undone still, the newest first. */
    joined: atMost(
      20,
      z.object({ id: Id, email: z.nullable(z.string()), username: z.nullable(z.string()), at: Timestamp }),
    ),
    /** "I never got the link": what they asked for last, what likely happened, what may be done. */
    asked: z.nullable(z.object({ interaction: Interaction, help: Help })),
  }),
  errors: ['not_found'],
});
export type ContactDetails = ResponseOf<typeof getContact>;

const Entry = { id: z.string(), at: Timestamp };

/** One thing that happened with a person. */
export const TimelineEntry = z.discriminatedUnion('what', [
  /** They did something: commented, wrote, tapped, replied to a story. */
  z.object({ ...Entry, what: z.literal('interaction'), interaction: Interaction }),
  /** They were answered. */
  z.object({
    ...Entry,
    what: z.literal('message'),
    /** `app`: typed in Instagram's or Facebook's own app. */
    from: z.enum(['automation', 'team', 'app']),
    /** Of the team's person, or of the automation. */
    name: z.nullable(z.string()),
    /** Under their comment, for everybody to read. */
    public: z.boolean(),
    text: z.string(),
    buttons: atMost(10, z.object({ title: z.string(), url: z.nullable(z.string()) })),
    state: z.enum(['queued', 'sending', 'sent', 'failed', 'expired', 'cancelled']),
    readAt: z.nullable(Timestamp),
    failure: z.nullable(z.string()),
  }),
  z.object({ ...Entry, what: z.literal('click'), url: z.string() }),
  z.object({
    ...Entry,
    what: z.literal('consent'),
    ...z.pick(Consent, { email: true, wording: true, purpose: true, act: true }).shape,
  }),
  /** They saved a recipe from the blog. */
  z.object({ ...Entry, what: z.literal('save'), title: z.nullable(z.string()), url: z.nullable(z.string()) }),
  /** An email to them. */
  z.object({
    ...Entry,
    what: z.literal('mail'),
    ...z.pick(ContactMail, { kind: true, title: true, state: true, says: true, isClicked: true }).shape,
  }),
  z.object({
    ...Entry,
    what: z.literal('change'),
    change: z.enum(['taken_over', 'handed_back', 'blocked', 'unblocked']),
    until: z.nullable(Timestamp),
    by: z.nullable(z.string()),
  }),
]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const getContactTimeline = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contacts/:contactId/timeline',
  access: 'creator',
  refreshedBy: ['interactions', 'connections'],
  personal: true,
  summary: 'A contact’s timeline, newest first',
  params: ContactParams,
  query: z.object(PageQuery),
  response: pageOf(TimelineEntry),
  errors: ['not_found', 'invalid_input'],
});

export const answerContact = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/messages',
  access: 'creator',
  quotas: ['answers'],
  makes: true,
  summary: 'Send a contact a message; automations then pause for them as set in the settings',
  params: ContactParams,
  body: z.object({
    text: z.string().check(z.trim(), z.minLength(1, 'Write a message first.'), z.maxLength(1000)),
    /** Made by the caller; the same key again is the same message. */
    key: Id,
  }),
  response: z.object({ id: Id }),
  errors: ['not_found', 'invalid_input', 'not_possible_now', 'needs_reconnect'],
});

const Minutes = z.number().check(z.int(), z.minimum(1), z.maximum(43_200));

export const takeOverContact = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/take-over',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Pause automations for a contact',
  params: ContactParams,
  /** Null: until somebody hands back. */
  body: z.object({ minutes: z.nullable(Minutes) }),
  response: Contact,
  errors: ['not_found', 'invalid_input'],
});

export const handBackContact = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/hand-back',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Resume automations for a contact',
  params: ContactParams,
  response: Contact,
  errors: ['not_found'],
});

export const blockContact = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/block',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Block a contact in Creator HQ: automations stop replying; they aren’t blocked on Instagram',
  params: ContactParams,
  response: Contact,
  errors: ['not_found'],
});

export const unblockContact = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/unblock',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Resume automations for a contact',
  params: ContactParams,
  response: Contact,
  errors: ['not_found'],
});

export const unsubscribeContact = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/unsubscribe',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Unsubscribe a contact from the newsletter, at every address of theirs; only they can sign up again',
  params: ContactParams,
  response: Contact,
  errors: ['not_found', 'not_possible_now'],
});

const With = z.object({ with: ContactId });

export const joinContacts = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/join',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Join two contacts who are one person; they can be separated for 30 days',
  params: ContactParams,
  body: With,
  response: Contact,
  errors: ['not_found', 'invalid_input'],
});

export const partContacts = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/part',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Separate two contacts who were joined, as they were before',
  params: ContactParams,
  body: z.object({ joinId: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const dismissSuggestion = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contacts/:contactId/dismiss',
  access: 'creator',
  quotas: ['contact_changes'],
  summary: 'Two contacts are not the same person; they aren’t suggested again',
  params: ContactParams,
  body: With,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'invalid_input'],
});

export const eraseContact = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/contacts/:contactId',
  access: 'creator',
  quotas: ['erased'],
  needs: 'erase',
  summary: 'Permanently erase a contact’s data; totals stay',
  params: ContactParams,
  response: z.object({
    message: z.string(),
    /** The receipt, a sentence each: what was done here, and what each newsletter tool does and leaves to the creator. */
    receipt: atMost(10, z.string()),
  }),
  errors: ['not_found'],
});

export const exportContact = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contacts/:contactId/export',
  access: 'creator',
  personal: true,
  summary: 'Export everything stored about a contact, one page at a time',
  params: ContactParams,
  query: z.object(PageQuery),
  response: z.extend(
    pageOf(
      z.object({
        /** Of the row, in this file only. */
        id: z.string(),
        /** `person` (under every id that Meta has for them in the account), `interaction`, `message` and so on. */
        what: z.string(),
        row: z.record(z.string(), z.unknown()),
      }),
    ),
    { format: z.literal('creator-hq-contact'), exportedAt: Timestamp },
  ),
  errors: ['not_found', 'invalid_input'],
});

/** How long automations keep quiet after somebody of the team answered; null: until handed back. */
export const AnsweringSettings = z.object({ takeoverMinutes: z.nullable(Minutes) });

export const getAnsweringSettings = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/settings/answering',
  access: 'creator',
  summary: 'How long automations pause after you reply to someone yourself',
  params: CreatorParams,
  response: AnsweringSettings,
});

export const changeAnsweringSettings = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/settings/answering',
  access: 'creator',
  summary: 'Set how long automations pause after you reply to someone yourself',
  params: CreatorParams,
  body: AnsweringSettings,
  response: AnsweringSettings,
  errors: ['invalid_input'],
});
