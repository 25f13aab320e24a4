/**
 * Devices on which somebody logged in before. Their tries count apart from everybody else's, so that whoever guesses
 * elsewhere locks nobody out there (OWASP, "Device Cookies"). That is all the cookie does: it lets nobody in.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import type { PeopleDeps } from './people-deps.ts';

type Deps = Pick<PeopleDeps, 'baseUrl' | 'keys'>;

/** As long as Chrome keeps any cookie; each login restarts it. */
const LASTS_S = 400 * 24 * 60 * 60;
/** People who share a browser. */
const PEOPLE_AT_MOST = 5;

/** @returns a name for the device, for counting; null where nobody logged in with this address before */
export function knownDevice(deps: Deps, request: FastifyRequest, email: string): string | null {
  const proof = proofsIn(deps, request).find((one) => isFor(deps, one, email));
  return proof === undefined ? null : `device ${proof}`;
}

/** After a login that went well to its end. */
export function rememberDevice(deps: Deps, request: FastifyRequest, reply: FastifyReply, email: string): void {
  const proofs = proofsIn(deps, request);
  const own =
    proofs.find((one) => isFor(deps, one, email)) ?? proofFor(deps, randomBytes(16).toString('base64url'), email);
  const kept = [own, ...proofs.filter((one) => one !== own)].slice(0, PEOPLE_AT_MOST);
  reply.setCookie(cookieName(deps), kept.join('~'), { ...hostCookieOptions(deps.baseUrl), maxAge: LASTS_S });
}

function cookieName({ baseUrl }: Deps): string {
  return hostCookieName(baseUrl, 'creator_hq_device');
}

function proofsIn(deps: Deps, request: FastifyRequest): string[] {
  const proofs = (request.cookies[cookieName(deps)] ?? '').split('~');
  return proofs.filter((one) => /^[\w-]{22}\.[\w-]{43}$/.test(one)).slice(0, PEOPLE_AT_MOST);
}

function isFor(deps: Deps, proof: string, email: string): boolean {
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofFor(deps, proof.slice(0, 22), email)));
}

/** Nobody who reads the cookie learns the address from it. */
function proofFor({ keys }: Deps, device: string, email: string): string {
  const signature = createHmac('sha256', keys.secretKey).update(`device\0${device}\0${email}`).digest('base64url');
  return `${device}.${signature}`;
}
