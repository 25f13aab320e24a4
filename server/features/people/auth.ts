/**
 * better-auth, set up on our tables. It checks passwords and second factors, makes sessions and signs cookies; its own
 * HTTP handler is not mounted: routes.ts calls it. Changes that belong to a mail (signing up, resetting) are
 * done by our rules in one transaction, with better-auth's password functions.
 * better-auth stays at 1.7.6 until the pinned dependencies of later versions install.
 */
import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import { hashBackupCodes } from './backup-codes.ts';
import { HASH_COST, type HashCost, hashPassword, isOutdated, verifyPassword } from './password-hash.ts';

export const PASSWORD_LENGTH = { least: 10, most: 128 };
const DAY_SECONDS = 24 * 60 * 60;
/** A session that is not used ends after so long. */
export const UNUSED_LASTS_S = 30 * DAY_SECONDS;
/** How our routes hand the caller's address to better-auth. No such header is taken from outside. */
export const ADDRESS_HEADER = 'x-caller-address';

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/**
 * @param deps.baseUrl where people reach us; cookies are `Secure` when it is https
 * @param deps.secretKey signs cookies and encrypts second factors; at least 32 characters
 * @param deps.hashCost less work in tests, which sign hundreds of people in
 */
export async function createAuth(deps: {
  baseUrl: string;
  secretKey: string;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  hashCost?: HashCost;
}) {
  const { hashCost = HASH_COST } = deps;
  const hash = (password: string) => hashPassword(password, hashCost);
  const auth = betterAuth({
    appName: 'Creator HQ',
    baseURL: deps.baseUrl,
    secret: deps.secretKey,
    database: { db: deps.db.engine, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    // "User not found" and the like are everyday life, and name addresses.
    logger: {
      level: 'warn',
      log: (level, message) => (level === 'error' ? deps.log.error(message) : deps.log.debug(message)),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
      password: { hash, verify: verifyPassword },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      additionalFields: {
        currentCreatorId: { type: 'string', required: false, input: false, fieldName: 'current_creator_id' },
      },
      expiresIn: UNUSED_LASTS_S,
      updateAge: DAY_SECONDS,
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookiePrefix: hostCookieName(deps.baseUrl, 'creator-hq'),
      // It would put `__Secure-` before our prefix.
      useSecureCookies: false,
      defaultCookieAttributes: hostCookieOptions(deps.baseUrl),
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => deps.ids.uuid(deps.clock.now()) },
    },
    plugins: [
      twoFactor({
        issuer: 'Creator HQ',
        backupCodeOptions: {
          storeBackupCodes: {
            encrypt: (json) => hashBackupCodes(json, hashCost),
            decrypt: async (kept) => kept,
          },
        },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factors',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      signInWithoutPassword,
    ],
  });
  const context = await auth.$context;
  return {
    api: auth.api,
    sessionCookie: context.authCookies.sessionToken.name,
    secondStepCookie: context.createAuthCookie('two_factor').name,
    hashPassword: hash,
    verifyPassword,
    isOutdatedHash: (old: string) => isOutdated(old, hashCost),
  };
}

/** For callers who proved who they are in another way: a link from our mail, the demo's door. */
const signInWithoutPassword = {
  id: 'sign-in-without-password',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly(
      {
        method: 'POST',
        body: z.object({ userId: z.string(), currentCreatorId: z.nullable(z.string()) }),
        requireHeaders: true,
      },
      async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
        if (user === null) return ctx.json({ started: false });
        const { currentCreatorId } = ctx.body;
        const session = await ctx.context.internalAdapter.createSession(user.id, false, { currentCreatorId });
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ started: true });
      },
    ),
  },
};
