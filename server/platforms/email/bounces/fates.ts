/** What became of a mail after a mail server took it, from the codes and words of whoever reports on it. */

/**
 * - `delayed`: the mail server goes on trying.
 * - `hard`: nobody has this address. `soft`: they have it, and could not get the mail. `about_us`: it speaks of us, not of them.
 * - `unknown`: it came back, and nobody can tell why.
 */
export type MailFate = 'delivered' | 'delayed' | 'hard' | 'soft' | 'about_us' | 'unknown' | 'complaint';
export type MailReport = {
  /** `auto_reply`: a note that somebody is away, which says nothing. */
  fate: MailFate | 'auto_reply' | 'not_understood';
  /** The mail server's own words, one line. */
  says: string;
  /** By what the mail was known. */
  mail: { id: string; by: 'return_path' | 'message_id' | 'header' } | null;
};

export type BounceFate = 'hard' | 'soft' | 'about_us' | 'unknown';

/**
 * By the codes of RFC 3463: 5.1.x and 5.2.1 are the address, but 5.1.7 and 5.1.8, which are the sender's; 5.7.x is us; 4.x.x and
 * 5.2.2 (a full mailbox) pass. Servers that give no code, or x.0.0, say it in words.
 *
 * @param code as in `5.1.1`, or empty
 * @param says their words; a code in them is more exact than one that a program beside them made up
 */
export function bounceFate(code: string, says = ''): BounceFate {
  const said = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(says)?.[0] ?? '';
  const exact = [said, code].find((one) => one !== '' && !one.endsWith('.0.0'));
  if (exact !== undefined) return fateOfCode(exact);
  return WORDS.find(([pattern]) => pattern.test(says))?.[1] ?? (/^4/.test(code || said) ? 'soft' : 'unknown');
}

function fateOfCode(code: string): BounceFate {
  if (code.startsWith('4.') || code === '5.2.2') return 'soft';
  if (code.startsWith('5.7.') || code === '5.1.7' || code === '5.1.8') return 'about_us';
  return code.startsWith('5.1.') || code === '5.2.1' ? 'hard' : 'unknown';
}

/** In this order: "user unknown" also stands in the small print of servers that block somebody. */
const WORDS: [RegExp, BounceFate][] = [
  [
    /\bspam\b|black ?list|block ?list|blocked|reputation|policy|relay(ing)? (denied|not)|\bspf\b|\bdmarc\b|dnsbl/i,
    'about_us',
  ],
  [/(mailbox|quota|storage)[^.\n]{0,40}(full|exceed|allocation)|(over|exceeded?)[^.\n]{0,20}quota/i, 'soft'],
  [
    /(user|recipient|mailbox|address|account)[^.\n]{0,40}(unknown|not found|not exist|no longer|disabled|invalid|inactive)|(unknown|no such|invalid|inactive) (local )?(user|recipient|mailbox|address|account)|doesn['’]t have an? \S+ account|no mailbox here/i,
    'hard',
  ],
];

const BEGINS: Record<MailFate, string> = {
  delivered: '',
  delayed: 'Not there yet, their mail server goes on trying',
  hard: 'This address doesn’t exist',
  soft: 'Their mailbox couldn’t take it, perhaps because it’s full',
  about_us: 'Their mail server takes no emails like this from us',
  unknown: 'The email came back',
  complaint: 'They marked this email as spam',
};

/** In the creator's words, with the mail server's own behind them. Null: there is nothing to say. */
export function fateInWords(fate: MailFate, says: string): string | null {
  if (fate === 'delivered') return null;
  return fate === 'complaint' || says === '' ? `${BEGINS[fate]}.` : `${BEGINS[fate]}: ${says}`;
}

const LONGEST_WORDS = 250;

export function oneLine(text: string): string {
  // PostgreSQL takes no NUL.
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORDS);
}
