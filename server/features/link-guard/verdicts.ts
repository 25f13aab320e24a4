/** The verdict on an address. Pure; the closed list of findings is the contract's. */
import { readAmazon } from '#contract/amazon.ts';
import { type AmazonRules, tagProblem } from '#contract/amazon-rules.ts';
import { LINK_PROBLEMS, type LinkProblem } from '#contract/link-guard.ts';
import type { GuardedFailure } from '#server/platforms/guarded-fetch.ts';
import type { Sight } from '#server/platforms/visiting.ts';
import { compare, type PageFacts, readPage, saysNotFound } from './page-facts.ts';

const SLOW_MS = 5000;
const CERTIFICATE_ENDS_SOON_MS = 14 * 24 * 3_600_000;
/** The host is there and turns programs away: says nothing about people. */
const TURNED_AWAY = [401, 403, 405, 406, 407, 425, 429, 451];

const OF_FAILURE: Record<GuardedFailure, LinkProblem> = {
  bad_address: 'unreachable',
  private_address: 'private_address',
  unreachable: 'unreachable',
  certificate: 'certificate',
  timeout: 'no_answer',
  broken_off: 'unreachable',
};

type Facts = { firstLook: PageFacts | null; now: Date };

/**
 * Null: all is well. Findings that break the way come before those only worth knowing.
 *
 * @param facts.amazon the creator's rules, for an address of Amazon
 */
export function judge(
  address: string,
  sight: Sight,
  { amazon, ...facts }: Facts & { amazon: AmazonRules | null },
): LinkProblem | null {
  const found = judgePage(address, sight, facts);
  const read = amazon === null ? null : readAmazon(address);
  if (amazon === null || read === null) return found;
  if (breaks(found)) {
    if (read.page === 'short') return 'short_link_dead';
    return read.page === 'product' && found === 'gone' ? 'product_gone' : found;
  }
  return tagProblem(address, amazon) ?? found;
}

function judgePage(address: string, sight: Sight, { firstLook, now }: Facts): LinkProblem | null {
  if (sight.kind === 'loop') return 'loop';
  if (sight.kind === 'failure') return OF_FAILURE[sight.because];
  const { status, text: html, tookMs, certificateEndsAt } = sight;
  if (TURNED_AWAY.includes(status) || isChallenge(sight)) return 'no_entry';
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'gone';
  if (endedAtHome(address, sight.url)) return 'home_page';
  if (status !== 304 && html !== null) {
    if (saysNotFound(readPage(html), firstLook)) return 'not_found_page';
    const compared = firstLook === null ? 'same' : compare(firstLook, html);
    if (compared !== 'same') return compared;
  }
  if (certificateEndsAt !== null && certificateEndsAt.getTime() - now.getTime() < CERTIFICATE_ENDS_SOON_MS) {
    return 'certificate_ends';
  }
  return tookMs > SLOW_MS ? 'slow' : null;
}

export function breaks(problem: LinkProblem | null): boolean {
  return problem !== null && LINK_PROBLEMS[problem].breaks;
}

/** A gate that asks whether one is human answers 503 as well. */
export function isChallenge({ status, text }: Extract<Sight, { kind: 'page' }>): boolean {
  return status === 503 && text !== null && /captcha|challenge|checking your browser|are you (a )?human/i.test(text);
}

/** The way of many sites to say that a page is gone. A language's home page is one too. */
function endedAtHome(address: string, endedAt: string): boolean {
  const [from, to] = [new URL(address), new URL(endedAt)];
  if (from.href === to.href || to.search !== '') return false;
  const isHome = ({ pathname }: URL) => /^\/([a-z]{2}(-[a-z]{2})?\/?)?(index\.\w{2,5})?$/i.test(pathname);
  return isHome(to) && !(isHome(from) && from.search === '');
}
