/** What the columns of a file are, guessed by their names, and what a row says by them. */

import { parseEmailAddress } from '#contract/email-address.ts';
import type { ColumnUse, ImportTool } from '#contract/imports.ts';
import { cleanName } from '../address-contacts.ts';

/**
 * Names as tools and people write them, in lower case without spaces and signs. Mailchimp's are those of its exports as they lie in
 * public repositories (`Email Address`, `OPTIN_TIME`, `CONFIRM_TIME`, `UNSUB_TIME`); `first_name,email,created_at,status` for Kit
 * is what importers of others take [?]. Those of MailerLite, Flodesk, Grocers List and ManyChat were in no public file [?].
 */
const USES: [use: Exclude<ColumnUse, 'ignore'>, names: string[]][] = [
  ['email', ['email', 'emailaddress', 'emailadress', 'mail', 'subscriber', 'subscriberemail', 'emailid']],
  ['first_name', ['firstname', 'fname', 'givenname', 'vorname', 'prenom', 'prénom']],
  ['last_name', ['lastname', 'lname', 'surname', 'familyname', 'nachname']],
  ['name', ['name', 'fullname', 'subscribername', 'contactname']],
  ['agreed_at', ['confirmtime', 'confirmedat', 'optinconfirmationtimestamp', 'optintime', 'optindate', 'optedinat']],
  ['agreed_at', ['subscribedat', 'subscribed', 'subscribedon', 'dateadded', 'createdat', 'created', 'datecreated']],
  ['agreed_at', ['signupdate', 'signedupat', 'datejoined', 'joined', 'addedat', 'optindateemail']],
  ['status', ['status', 'state', 'subscriptionstatus', 'emailstatus', 'optedinforemail', 'emailmarketingconsent']],
  ['left_at', ['unsubtime', 'unsubscribedat', 'unsubscribed', 'unsubscribedon', 'cleantime', 'optedoutat']],
];
/** All of these: the tool. */
const TOOLS: [tool: ImportTool, names: string[]][] = [
  ['mailchimp', ['emailaddress', 'memberrating', 'optintime']],
  ['mailchimp', ['emailaddress', 'leid', 'euid']],
  ['manychat', ['firstname', 'optedinforemail']],
  ['manychat', ['userid', 'pageid']],
  ['mailerlite', ['subscriber', 'subscribed']],
  ['mailerlite', ['email', 'optinip', 'subscribed']],
  ['flodesk', ['email', 'segments', 'optindate']],
  ['flodesk', ['email', 'segments', 'status']],
  ['grocers_list', ['email', 'instagramhandle']],
  ['grocers_list', ['email', 'instagramusername']],
  ['kit', ['firstname', 'email', 'createdat', 'status']],
  ['kit', ['firstname', 'emailaddress', 'createdat', 'state']],
];

export const keyOf = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Each use once, by the name that says it best; the address without a name by what is there. */
export function guessBy<Use extends string>(
  known: readonly [use: Use, names: string[]][],
  names: string[],
  samples: string[][],
): (Use | 'email' | 'ignore')[] {
  const keys = names.map(keyOf);
  const uses: (Use | 'email' | 'ignore')[] = names.map(() => 'ignore');
  for (const [use, itsNames] of known) {
    if (uses.includes(use)) continue;
    const at = itsNames.map((name) => keys.indexOf(name)).find((index) => index !== -1 && uses[index] === 'ignore');
    if (at !== undefined) uses[at] = use;
  }
  if (!uses.includes('email')) {
    const at = samples.findIndex((some) => some.some((cell) => parseEmailAddress(cell) !== null));
    if (at !== -1) uses[at] = 'email';
  }
  return uses;
}

export function guessUses(names: string[], samples: string[][]): ColumnUse[] {
  const uses: ColumnUse[] = guessBy(USES, names, samples);
  // The parts of a name say the same.
  return uses.includes('first_name') ? uses.map((use) => (use === 'name' ? 'ignore' : use)) : uses;
}

export function guessTool(names: string[]): ImportTool | null {
  return toolBy(TOOLS, names);
}

/** @param known each tool by names that are all there */
export function toolBy<Tool>(known: readonly [tool: Tool, names: string[]][], names: string[]): Tool | null {
  const keys = new Set(names.map(keyOf));
  return known.find(([, needed]) => needed.every((name) => keys.has(name)))?.[0] ?? null;
}

/** Does the first row name the columns? */
export function isHeader(cells: string[]): boolean {
  return !cells.some((cell) => parseEmailAddress(cell) !== null);
}

export type ReadRow = {
  email: string | null;
  emailKey: string | null;
  name: string | null;
  said: 'confirmed' | 'unconfirmed' | 'left' | null;
  agreedAt: Date | null;
  isRole: boolean;
  /** Null: it can be imported. */
  why: string | null;
};

const LONGEST_SHOWN = 254;
/** Of a function, not of a person (RFC 2142, and what is seen on websites). */
const ROLES = new Set(
  'abuse admin administrator billing contact hello help hostmaster info jobs mail marketing newsletter no-reply noreply office postmaster press root sales security spam support team webmaster'.split(
    ' ',
  ),
);

/** @param now times after it are none */
export function readRow(cells: string[], uses: ColumnUse[], now: Date): ReadRow {
  const cell = (use: ColumnUse) => (uses.indexOf(use) === -1 ? '' : (cells[uses.indexOf(use)] ?? '').trim());
  const { found, written, why } = readAddress(cell('email'));
  const own = cleanName([cell('first_name'), cell('last_name')].filter(Boolean).join(' '));
  const hasLeft = !NOT_LEFT.has(keyOf(cell('left_at')));
  const said = hasLeft ? 'left' : statusOf(cell('status'));
  return {
    email: found?.address ?? (written === '' ? null : written.slice(0, LONGEST_SHOWN)),
    emailKey: found?.key ?? null,
    name: own ?? cleanName(cell('name')),
    said,
    agreedAt: timeOf(cell('agreed_at'), now),
    isRole: found !== null && ROLES.has(found.key.slice(0, found.key.lastIndexOf('@')).replace(/\+.*$/, '')),
    why,
  };
}

/** @returns what was written as it is told, and why it is no address */
export function readAddress(cell: string) {
  const written = cell
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/^.*<([^<>]+)>$/, '$1');
  const found = parseEmailAddress(written);
  return { found, written, why: found === null ? whyNot(written) : null };
}

function whyNot(written: string): string {
  if (written === '') return 'There is no email address.';
  if (/^['"]?[=+\-@]/.test(written)) return 'This is a formula, not an email address.';
  if ((written.match(/@/g) ?? []).length > 1) return 'There is more than one @.';
  if (!written.includes('@')) return 'There is no @.';
  if (/\s/.test(written)) return 'An email address has no spaces.';
  return 'This isn’t an email address.';
}

const CONFIRMED = new Set('confirmed subscribed active activated optedin optin yes true 1 enabled cold'.split(' '));
const LEFT = new Set(
  'unsubscribed canceled bounced hardbounced complained cleaned spam markedasspam junk deleted removed archived blocked suppressed optedout optout no false 0'.split(
    ' ',
  ),
);
const NOT_LEFT = new Set(['', 'no', 'false', '0', 'never']);

/** A word nobody knows confirms nobody. */
function statusOf(written: string): ReadRow['said'] {
  // Both spellings.
  const word = keyOf(written).replace('celled', 'celed');
  if (word === '') return null;
  if (CONFIRMED.has(word)) return 'confirmed';
  return LEFT.has(word) ? 'left' : 'unconfirmed';
}

const EARLIEST = Date.UTC(1995, 0, 1);

/** Without a zone: UTC. `3/4/2021` is in March, as Americans write it. @param latest times after it are none */
export function timeOf(written: string, latest: Date): Date | null {
  const slashes = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(.*)$/.exec(written);
  const isDayFirst = slashes !== null && (Number(slashes[1]) > 12 || written.includes('.'));
  const iso =
    slashes === null
      ? written.replace(/^(\d{4})[/.](\d\d)[/.](\d\d)/, '$1-$2-$3')
      : `${isDayFirst ? slashes[2] : slashes[1]}/${isDayFirst ? slashes[1] : slashes[2]}/${slashes[3]}${slashes[4]}`;
  if (!/\d{4}/.test(iso)) return null;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d|UTC|GMT)$/i.test(iso);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(iso);
  const ms = Date.parse(hasZone || isDate ? iso : `${iso.replace('T', ' ')} UTC`);
  return ms >= EARLIEST && ms <= latest.getTime() ? new Date(ms) : null;
}
