/** Addresses as people write them: alone in a field or found in a sentence, cleaned, and doubted where a finger slipped. */
import { utf8Length } from './message-text.ts';

export type FoundAddress = {
  address: string;
  /** The address they probably meant; null: it looks right. */
  suggestion: string | null;
};

/** The part of `URL` that browsers and Node both have. */
declare const URL: new (address: string) => { hostname: string };

const LONGEST_TEXT = 2000;
const LONGEST_ADDRESS = 254;
const CANDIDATE = /[^\s<>()[\]{},;:"'“”‘’«»|\\]+@[^\s<>()[\]{},;:"'“”‘’«»|\\@]+/gu;
const LOCAL_PART = /^[\p{L}\p{N}!#$%&*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:\p{L}{2,63}|xn--[a-z0-9-]{2,59})$/u;

/** Where most people have their addresses; a domain one slip away from these is doubted. */
const KNOWN_DOMAINS = [
  ...['gmail.com', 'googlemail.com', 'hotmail.com', 'outlook.com', 'live.com', 'msn.com', 'yahoo.com', 'ymail.com'],
  ...['icloud.com', 'me.com', 'mac.com', 'aol.com', 'proton.me', 'protonmail.com', 'gmx.com', 'gmx.de', 'gmx.net'],
  ...['web.de', 't-online.de', 'hotmail.co.uk', 'yahoo.co.uk', 'hotmail.fr', 'yahoo.fr', 'orange.fr', 'free.fr'],
  ...['hotmail.es', 'yahoo.es', 'hotmail.it', 'libero.it', 'yahoo.it', 'uol.com.br', 'bol.com.br', 'yahoo.com.br'],
  ...['comcast.net', 'verizon.net', 'att.net', 'qq.com', '163.com', 'naver.com', 'yandex.ru', 'mail.ru'],
];
const KNOWN = new Set(KNOWN_DOMAINS);
/** Domains of their own, one slip from a known one and not a slip. */
const RIGHT_AS_THEY_ARE = new Set([
  'mail.com',
  'email.com',
  'gmx.at',
  'gmx.ch',
  'gmx.fr',
  'me.net',
  'aim.com',
  'ymail.co',
]);
/** Others' mail services, where nobody has a domain of their own. */
export function isMailProvider(domain: string): boolean {
  return KNOWN.has(domain) || RIGHT_AS_THEY_ARE.has(domain);
}

/** Endings that nobody has, and that mean "com". */
const WRONG_ENDINGS = new Set(['con', 'cmo', 'ocm', 'comm', 'vom', 'xom', 'cpm', 'coom']);

/**
 * A text that is one address and nothing else, spaces around it aside. `key` is the same for every way to write it: composed
 * (NFC), in lower case, the domain in punycode. Dots and "+" stay: only one provider ignores them.
 */
export function parseEmailAddress(text: string): { address: string; key: string } | null {
  const written = text.normalize('NFC').trim();
  const at = written.lastIndexOf('@');
  const [local, domain] = [written.slice(0, at), written.slice(at + 1).toLowerCase()];
  if (at < 0 || utf8Length(written) > LONGEST_ADDRESS || local.length > 64) return null;
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null;
  const host = asciiDomain(domain);
  return host === null ? null : { address: `${local}@${domain}`, key: `${local.toLowerCase()}@${host}` };
}

function asciiDomain(domain: string): string | null {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
}

const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/** Gmail delivers these to one mailbox: without dots and what follows "+". Null for keys of other providers. */
export function gmailMailbox(key: string): string | null {
  const at = key.lastIndexOf('@');
  if (!GMAIL.has(key.slice(at + 1))) return null;
  const name = key.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '');
  return name === '' ? null : `${name}@gmail.com`;
}

/**
 * The first address in a text, trimmed, its domain in lower case (the part before the @ is kept as written: it belongs to
 * the mail server).
 */
export function findAddress(text: string): FoundAddress | null {
  // Phones and people write "name @ gmail . com".
  const joined = text
    .slice(0, LONGEST_TEXT)
    .normalize('NFC')
    .replaceAll('＠', '@')
    .replace(/\s*@\s*/gu, '@');
  for (const [found] of joined.matchAll(CANDIDATE)) {
    const cleaned = found.replace(/^(?:mailto:)?[.*_~/-]+|[.!?*~/…-]+$/giu, '').replace(/^mailto:/i, '');
    const at = cleaned.lastIndexOf('@');
    const local = cleaned.slice(0, at);
    const domain = cleaned.slice(at + 1).toLowerCase();
    if (local.length > 64 || cleaned.length > LONGEST_ADDRESS) continue;
    if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) continue;
    const meant = meantDomain(domain);
    return { address: `${local}@${domain}`, suggestion: meant === null ? null : `${local}@${meant}` };
  }
  return null;
}

/** Null: the domain looks right. */
function meantDomain(domain: string): string | null {
  if (KNOWN.has(domain) || RIGHT_AS_THEY_ARE.has(domain)) return null;
  const dot = domain.lastIndexOf('.');
  const mended = WRONG_ENDINGS.has(domain.slice(dot + 1)) ? `${domain.slice(0, dot)}.com` : domain;
  if (KNOWN.has(mended)) return mended;
  for (const known of KNOWN_DOMAINS) if (known.length > 5 && isOneSlipAway(mended, known)) return known;
  return mended === domain ? null : mended;
}

/** One letter too many, too few, another, or two changed places. */
export function isOneSlipAway(written: string, meant: string): boolean {
  const difference = written.length - meant.length;
  if (Math.abs(difference) > 1) return false;
  let from = 0;
  while (from < written.length && from < meant.length && written[from] === meant[from]) from++;
  const rest = (text: string, skipped: number) => text.slice(from + skipped);
  if (difference === 1) return rest(written, 1) === rest(meant, 0);
  if (difference === -1) return rest(written, 0) === rest(meant, 1);
  if (rest(written, 1) === rest(meant, 1)) return true;
  return written[from] === meant[from + 1] && written[from + 1] === meant[from] && rest(written, 2) === rest(meant, 2);
}
