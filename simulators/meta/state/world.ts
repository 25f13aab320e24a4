import type { Settings, StreamEvent } from '../control/types.ts';
import type { Clock } from './clock.ts';
import { Ids } from './ids.ts';
import type {
  Account,
  AppRecord,
  AuthorizationCode,
  Comment,
  Contact,
  FacebookUser,
  Media,
  Message,
  Person,
  Token,
} from './records.ts';

export interface Snapshot {
  version: 1;
  counter: number;
  clock: { offsetMs: number; fixedNow: number };
  app: AppRecord;
  settings: Settings;
  users: FacebookUser[];
  accounts: Account[];
  people: Person[];
  contacts: Contact[];
  media: Media[];
  comments: Comment[];
  messages: Message[];
  tokens: Token[];
  codes: AuthorizationCode[];
}

/**
 * All that the simulated platform knows, with the look-ups its rules need. Rules change the records in place and call `changed()`; nothing
 * here decides anything.
 */
export class World {
  app: AppRecord;
  settings: Settings;
  readonly clock: Clock;
  ids: Ids;
  readonly users = new Map<string, FacebookUser>();
  readonly accounts = new Map<string, Account>();
  readonly people = new Map<string, Person>();
  readonly media = new Map<string, Media>();
  readonly comments = new Map<string, Comment>();
  readonly messages = new Map<string, Message>();
  readonly tokens = new Map<string, Token>();
  readonly codes = new Map<string, AuthorizationCode>();
  readonly contactsByScopedId = new Map<string, Contact>();
  readonly contactsByConversation = new Map<string, Contact>();
  readonly accountsByAppScopedId = new Map<string, Account>();
  /** Comments answered under `acceptUnknownComments`, with the recipient given to them. */
  readonly foreignComments = new Map<string, string>();
  /** The simulator's own address; pictures become absolute with it when they are read. */
  url = '';
  onChange: () => void = () => {};
  readonly listeners = new Set<(event: StreamEvent) => void>();
  readonly #seed: string;
  readonly #contacts = new Map<string, Contact>();
  readonly #contactsOfAccount = new Map<string, Contact[]>();
  readonly #contactsOfPerson = new Map<string, Contact[]>();

  constructor(seed: string, clock: Clock, app: AppRecord, settings: Settings) {
    this.#seed = seed;
    this.clock = clock;
    this.app = app;
    this.settings = settings;
    this.ids = new Ids(seed);
  }

  now(): number {
    return this.clock.now();
  }

  addAccount(account: Account): void {
    this.accounts.set(account.id, account);
    if (account.platform === 'instagram') this.accountsByAppScopedId.set(account.appScopedId, account);
  }

  addContact(contact: Contact): void {
    this.#contacts.set(`${contact.personId}|${contact.accountId}`, contact);
    this.contactsByScopedId.set(contact.scopedId, contact);
    this.contactsByConversation.set(contact.conversationId, contact);
    append(this.#contactsOfAccount, contact.accountId, contact);
    append(this.#contactsOfPerson, contact.personId, contact);
  }

  contactOf(personId: string, accountId: string): Contact | undefined {
    return this.#contacts.get(`${personId}|${accountId}`);
  }
  contactsOfAccount(accountId: string): readonly Contact[] {
    return this.#contactsOfAccount.get(accountId) ?? [];
  }
  contactsOfPerson(personId: string): readonly Contact[] {
    return this.#contactsOfPerson.get(personId) ?? [];
  }

  /** The person's side of an account, made at first contact. */
  contact(personId: string, account: Account): Contact {
    const known = this.contactOf(personId, account.id);
    if (known) return known;
    const scopedId = account.platform === 'instagram' ? this.ids.igsid() : this.ids.psid();
    const contact: Contact = {
      accountId: account.id,
      personId,
      scopedId,
      commentFromId: this.settings.switches.commentFromIsScopedId ? scopedId : this.ids.igsid(),
      follows: true,
      followedBy: false,
      blocked: false,
      consent: false,
      windowFrom: 0,
      folder: 'inbox',
      conversationId: this.ids.conversation(account.id),
      messageIds: [],
      updatedAt: 0,
    };
    this.addContact(contact);
    return contact;
  }

  /** Absolute address of a picture path. */
  absolute(path: string): string {
    return path.startsWith('/') ? this.url + path : path;
  }

  /** Something changed: save soon, and tell the phone. */
  changed(event?: Omit<StreamEvent, 'at'>): void {
    this.onChange();
    if (event && this.listeners.size > 0) {
      const stamped = { ...event, at: this.now() };
      for (const listener of this.listeners) listener(stamped);
    }
  }

  clear(): void {
    for (const map of [
      this.users,
      this.accounts,
      this.people,
      this.media,
      this.comments,
      this.messages,
      this.tokens,
      this.codes,
      this.contactsByScopedId,
      this.contactsByConversation,
      this.accountsByAppScopedId,
      this.foreignComments,
      this.#contacts,
      this.#contactsOfAccount,
      this.#contactsOfPerson,
    ])
      map.clear();
  }

  toSnapshot(): Snapshot {
    return {
      version: 1,
      counter: this.ids.counter,
      clock: this.clock.position(),
      app: this.app,
      settings: this.settings,
      users: [...this.users.values()],
      accounts: [...this.accounts.values()],
      people: [...this.people.values()],
      contacts: [...this.#contacts.values()],
      media: [...this.media.values()],
      comments: [...this.comments.values()],
      messages: [...this.messages.values()],
      tokens: [...this.tokens.values()],
      codes: [...this.codes.values()],
    };
  }

  load(snapshot: Snapshot): void {
    this.clear();
    this.ids = new Ids(this.#seed, snapshot.counter);
    this.clock.restore(snapshot.clock);
    this.app = snapshot.app;
    this.settings = snapshot.settings;
    for (const user of snapshot.users) this.users.set(user.id, user);
    for (const account of snapshot.accounts) this.addAccount(account);
    for (const person of snapshot.people) this.people.set(person.id, person);
    for (const contact of snapshot.contacts) this.addContact(contact);
    for (const media of snapshot.media) this.media.set(media.id, media);
    for (const comment of snapshot.comments) this.comments.set(comment.id, comment);
    for (const message of snapshot.messages) this.messages.set(message.id, message);
    for (const token of snapshot.tokens) this.tokens.set(token.value, token);
    for (const code of snapshot.codes) this.codes.set(code.code, code);
  }
}

function append<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
