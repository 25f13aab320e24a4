/** The two records of a domain: what they must be, and what those that name servers know are. */
import { getDomain } from 'tldts';
import type { RecordState } from '#contract/sending.ts';
import type { TextRecords } from '#server/platforms/dns/text-records.ts';

export type Seen = {
  dkim: { state: RecordState; asked: number };
  dmarc: { state: RecordState; asked: number; policy: Policy | null };
};
export type Policy = 'none' | 'quarantine' | 'reject';

export const dkimName = (domain: string, selector: string) => `${selector}._domainkey.${domain}`;
export const dmarcName = (domain: string) => `_dmarc.${domain}`;
export const dkimValue = (publicKey: string) => `v=DKIM1; k=rsa; p=${publicKey}`;
export const DMARC_VALUE = 'v=DMARC1; p=none';

/** The name without the domain that was registered: what most DNS providers ask for. */
export function hostOf(name: string): string {
  const registered = getDomain(name);
  return registered === null ? name : name.slice(0, -registered.length - 1);
}

/** RFC 7489, section 3.2: whose record counts where the domain has none. */
export const organizationOf = (domain: string) => getDomain(domain) ?? domain;

/** Of several answers the best one: name servers learn of a change one after the other. */
const BEST_FIRST: RecordState[] = ['found', 'doubled', 'split', 'foreign', 'broken', 'missing'];

/** @param publicKey base64, as in the record */
export function judgeDkim({ asked, answers }: TextRecords, publicKey: string): Seen['dkim'] {
  const states = answers.map((records) => dkimStateOf(records, publicKey));
  return { state: BEST_FIRST.find((state) => states.includes(state)) ?? 'no_answer', asked };
}

function dkimStateOf(records: string[], publicKey: string): RecordState {
  if (records.length === 0) return 'missing';
  const keys = records.map((record) => tagsOf(record).get('p')?.replaceAll(/\s/g, '') ?? null);
  if (keys.includes(publicKey)) return records.length === 1 ? 'found' : 'doubled';
  // Quotes that were pasted along, a value that was cut, or one in several records, which come in any order.
  const known = records.map((record) => record.replaceAll(/[\s"\\]/g, ''));
  const isPart = (text: string) => text.length >= SURELY_OURS && publicKey.includes(text);
  if (known.some((record) => record.includes(publicKey) || isPart(/p=([^;]*)/.exec(record)?.[1] ?? record)))
    return 'split';
  return keys.some((key) => key !== null) ? 'foreign' : 'missing';
}

/** Every RSA key of this length begins with the same 44 letters. */
const SURELY_OURS = 60;

/**
 * @param own of `_dmarc.` and the domain
 * @param organization of the registered domain, which counts where there is none
 */
export function judgeDmarc(own: TextRecords, organization: TextRecords | null): Seen['dmarc'] {
  const policies = (records: string[]) => records.filter((record) => /^v\s*=\s*DMARC1\s*(;|$)/.test(record));
  const isAt = ({ answers }: TextRecords) => answers.some((records) => policies(records).length > 0);
  const inherited = !isAt(own) && organization !== null && isAt(organization);
  const { asked, answers } = inherited ? organization : own;
  const known = answers.map(policies).find((records) => records.length > 0);
  if (known === undefined) return { state: answers.length === 0 ? 'no_answer' : 'missing', asked, policy: null };
  // Receivers heed none of several (RFC 7489, section 6.6.3).
  if (known.length > 1) return { state: 'doubled', asked, policy: null };
  const tags = tagsOf(known[0]!);
  const policy = (inherited ? tags.get('sp') : undefined) ?? tags.get('p');
  return isPolicy(policy) ? { state: 'found', asked, policy } : { state: 'broken', asked, policy: null };
}

function isPolicy(text: string | undefined): text is Policy {
  return text === 'none' || text === 'quarantine' || text === 'reject';
}

function tagsOf(record: string): Map<string, string> {
  return new Map(
    record.split(';').map((tag) => {
      const [name = '', value = ''] = tag.split(/=(.*)/s);
      return [name.trim().toLowerCase(), value.trim()];
    }),
  );
}

const NOT_ASKED = 'We’re about to look.';

export function dkimInWords(seen: Seen | null): string {
  if (seen === null) return NOT_ASKED;
  const { state, asked } = seen.dkim;
  switch (state) {
    case 'found':
      return 'Found.';
    case 'split':
      return 'Split wrongly: our key is cut, or spread over several records. Paste the value as one piece, without quotes.';
    case 'doubled':
      return 'Found, but another record is there too, and they cancel each other out. Delete the other one.';
    case 'foreign':
      return 'Another key is there. Replace its value with this one.';
    case 'no_answer':
      return noAnswer(asked);
    default:
      return notThere(asked);
  }
}

/** A mail that is signed for its sender's own domain passes whatever the policy is (RFC 7489, section 3.1.1). */
export function dmarcInWords(seen: Seen | null): string {
  if (seen === null) return NOT_ASKED;
  const { state, asked, policy } = seen.dmarc;
  switch (state) {
    case 'found':
      return seen.dkim.state === 'found'
        ? `DMARC says ${policy} and we would pass.`
        : `DMARC says ${policy}. We would pass once the key above is found.`;
    case 'doubled':
      return 'Several DMARC records are there, so none counts. Keep one.';
    case 'broken':
      return 'A DMARC record is there, but it names no policy we know. Replace its value with this one.';
    case 'no_answer':
      return noAnswer(asked);
    default:
      return notThere(asked);
  }
}

export function notThere(asked: number): string {
  return `Not there yet (asked ${servers(asked)}). Changes to DNS can take up to a day.`;
}

export function noAnswer(asked: number): string {
  return `No answer (asked ${servers(asked)}). We’ll ask again.`;
}

function servers(count: number): string {
  return count === 1 ? '1 name server' : `${count} name servers`;
}
