import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/session.ts';
import * as settings from '#contract/settings.ts';
import type { Config } from '#server/config.ts';
import { leave } from '#server/features/admin/visits.ts';
import { hostCookieName, hostCookieOptions } from '#server/http/cookies.ts';
import { refuseCrossSite } from '#server/http/cross-site.ts';
import { isTrying, refuseUnlessTrying } from '#server/http/nearby.ts';
import { countNetwork, countTry, forgetTries, type Limit } from '#server/http/rate-limits.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { ADDRESS_HEADER, UNUSED_LASTS_S } from './auth.ts';
import { DEMO, ensureDemoPeople } from './demo.ts';
import { endDevice, endOtherDevices, listDevices, noteSeen } from './devices.ts';
import { inOurWords } from './errors.ts';
import { knownDevice, rememberDevice } from './known-devices.ts';
import { describeMe } from './me.ts';
import { beforeStrangers } from './password-hash.ts';
import { changePassword, refuseWrongPassword, renewHash, resetWithLink, sendResetLink } from './passwords.ts';
import type { PeopleDeps } from './people-deps.ts';
import { endWhatWasBefore, findWaiting, spendCode, useCode } from './second-factor.ts';
import { confirmAddress, PROOF_LASTS_S, refuseUninvited, sendConfirmationAgain, signUp } from './sign-up.ts';

export type PeopleRoutesDeps = ServeDeps &
  Omit<PeopleDeps, 'baseUrl'> & {
    config: Config;
    /** Where the simulator's phone is; null without simulators. */
    phoneUrl: string | null;
    blogUrl: string | null;
    demoMade(): Promise<unknown>;
  };

export function registerPeople(app: FastifyInstance, routesDeps: PeopleRoutesDeps): void {
  const { config, auth, db, clock } = routesDeps;
  const deps = { ...routesDeps, baseUrl: config.baseUrl };
  const proofCookie = hostCookieName(config.baseUrl, 'creator_hq_signed_up');
  const count = (limit: Limit, whom: string) => countTry(db.engine, clock.now(), limit, whom);
  const countAddress = (limit: Limit, request: FastifyRequest) =>
    countNetwork(db.engine, clock.now(), limit, request.ip);

  serve(app, deps, contract.getEnv, async ({ request }) => ({
    baseUrl: config.baseUrl,
    environment: config.environment,
    featureFlagClientId: config.featureFlagClientId,
    errorReportingDsn: config.errorReportingDsn,
    simulated: isTrying(request, config),
    phoneUrl: isTrying(request, config) ? deps.phoneUrl : null,
    blogUrl: isTrying(request, config) ? deps.blogUrl : null,
    signUp: config.signUp,
    mailboxUrl: config.smtpUrl === null && isTrying(request, config) ? `${config.baseUrl}/mailbox` : null,
    intercomAppId: config.intercom?.appId ?? null,
    tagManagerId: config.tagManagerId,
    referralProgrammeUrl: config.referralProgrammeUrl,
    helpDocsUrl: config.helpDocsUrl,
    hasFans: config.fanMemberships,
    hasPlans: config.stripe !== null,
    pluginDownloadUrl: config.plugin.downloadUrl,
    logins: {
      instagram: config.simulators || config.meta.instagramAppId !== null,
      facebook: config.simulators || config.meta.appId !== null,
    },
  }));

  serve(app, deps, contract.getMe, async ({ request, reply, signedIn }) => {
    const prolonged = await noteSeen(deps, signedIn.sessionId);
    if (prolonged) {
      const cookie = request.cookies[auth.sessionCookie] ?? '';
      reply.setCookie(auth.sessionCookie, cookie, { ...hostCookieOptions(config.baseUrl), maxAge: UNUSED_LASTS_S });
    }
    return describeMe(deps, signedIn);
  });

  serve(app, deps, contract.signUp, async ({ body, request, reply }) => {
    await countAddress('sign_up_by_address', request);
    await refuseUninvited(deps, db.engine, body);
    await count('mail_by_recipient', body.email);
    const { confirmedId, proof } = await signUp(deps, body);
    reply.setCookie(proofCookie, proof, { ...hostCookieOptions(config.baseUrl), maxAge: PROOF_LASTS_S });
    if (confirmedId === null)
      return { message: 'Almost there. Open the link in the email we sent you.', signedIn: false };
    await startSession({ id: confirmedId, email: body.email }, request, reply);
    return { message: 'Welcome to Creator HQ.', signedIn: true };
  });

  serve(app, deps, contract.sendVerification, async ({ body, request }) => {
    await countAddress('mail_by_address', request);
    await count('mail_by_recipient', body.email);
    await sendConfirmationAgain(deps, body.email);
    return { message: 'If this address still needs to be confirmed, we sent a new email.' };
  });

  serve(app, deps, contract.verifyEmail, async ({ body, request, reply }) => {
    await countAddress('link_by_address', request);
    const shown = { proof: request.cookies[proofCookie], password: body.password };
    const person = await confirmAddress(deps, body.token, shown);
    reply.clearCookie(proofCookie, hostCookieOptions(config.baseUrl));
    await startSession(person, request, reply);
    return { message: 'Your email is confirmed.' };
  });

  serve(app, deps, contract.login, async ({ body, request, reply }) => {
    const device = knownDevice(deps, request, body.email);
    // The network first: one that is refused cannot lock anybody's account.
    if (device === null) await countAddress('login_by_address', request);
    const whom = device ?? body.email;
    await count('login_by_account', whom);
    const signIn = () => auth.api.signInEmail({ body, headers: headersOf(request), returnHeaders: true });
    const answer = await passCookies(reply, device === null ? signIn() : beforeStrangers(signIn));
    await forgetTries(db.engine, 'login_by_account', whom);
    await beforeStrangers(() => renewHash(deps, body.email, body.password));
    await endFormerSession(request);
    if ('user' in answer) welcome(request, reply, answer.user);
    return { secondFactorNeeded: 'twoFactorRedirect' in answer };
  });

  serve(app, deps, contract.loginSecondFactor, async ({ body, request, reply }) => {
    const waiting = await findWaiting(deps, request);
    const device = waiting && knownDevice(deps, request, waiting.email);
    if (device === null) await countAddress('second_factor_by_address', request);
    else await count('second_factor_by_address', device);
    const headers = headersOf(request, { withoutSession: true });
    const cookies = await beforeStrangers(() => useCode(deps, waiting?.id ?? null, body, headers));
    await endFormerSession(request);
    if (waiting !== null) welcome(request, reply, waiting);
    setCookies(reply, cookies);
    return { message: 'Welcome back.' };
  });

  serve(app, deps, contract.loginDemo, async ({ request, reply }) => {
    refuseUnlessTrying(request, config);
    await deps.demoMade();
    const { userId } = await ensureDemoPeople(deps);
    await startSession({ id: userId, email: DEMO.email }, request, reply);
    return { message: 'Welcome to the demo.' };
  });

  serve(app, deps, contract.logout, async ({ request, reply }) => {
    refuseCrossSite(request, config.baseUrl);
    const signedIn = await deps.sessions.read(request);
    // The creator reads when support left.
    if (signedIn !== null && signedIn.adminVisit !== null) await leave(deps, signedIn.sessionId);
    await passCookies(reply, auth.api.signOut({ headers: headersOf(request), returnHeaders: true }));
    return { message: 'Logged out successfully' };
  });

  serve(app, deps, contract.forgotPassword, async ({ body, request }) => {
    const device = knownDevice(deps, request, body.email);
    if (device === null) await countAddress('mail_by_address', request);
    await count('mail_by_recipient', device ?? body.email);
    await sendResetLink(deps, body.email);
    return { message: 'If there’s an account with this address, we sent an email with a link.' };
  });

  serve(app, deps, contract.resetPassword, async ({ body, request }) => {
    await countAddress('link_by_address', request);
    await resetWithLink(deps, body.token, body.password);
    return { message: 'Your new password is set. Log in with it.' };
  });

  serve(app, deps, contract.updateProfile, async ({ body, signedIn }) => {
    await db.engine
      .updateTable('users')
      .set({ name: body.name, updated_at: clock.now() })
      .where('id', '=', signedIn.user.id)
      .execute();
    return { message: 'Saved.' };
  });

  serve(app, deps, contract.changePassword, async ({ body, request, reply, signedIn }) => {
    await count('password_by_user', signedIn.user.id);
    const person = { ...signedIn.user, sessionId: signedIn.sessionId };
    await beforeStrangers(() => changePassword(deps, person, body));
    await startSession(signedIn.user, request, reply, signedIn.currentCreatorId);
    return { message: 'Password changed. Your other devices are logged out.' };
  });

  serve(app, deps, contract.startSecondFactor, async ({ body, request, reply, signedIn }) => {
    await count('password_by_user', signedIn.user.id);
    const started = await passCookies(
      reply,
      beforeStrangers(() =>
        auth.api.enableTwoFactor({
          body: { password: body.password, method: 'totp' },
          headers: headersOf(request),
          returnHeaders: true,
        }),
      ),
    );
    if (started.method !== 'totp') throw new Error(`better-auth set up ${started.method} instead of totp`);
    return { totpUri: started.totpURI, backupCodes: started.backupCodes };
  });

  serve(app, deps, contract.confirmSecondFactor, async ({ body, request, reply, signedIn }) => {
    await count('password_by_user', signedIn.user.id);
    await inOurWords(auth.api.verifyTOTP({ body, headers: headersOf(request) }));
    // A code that switched it on opens no session afterwards. That it was used before does not matter here.
    await spendCode(deps, signedIn.user.id, body.code);
    await beginAnew(signedIn, 'on', request, reply);
    return { message: 'Two-step login is on. Your other devices are logged out.' };
  });

  serve(app, deps, contract.removeSecondFactor, async ({ body, request, reply, signedIn }) => {
    await count('password_by_user', signedIn.user.id);
    const headers = headersOf(request);
    await beforeStrangers(async () => {
      // Before the code, which works once.
      await refuseWrongPassword(deps, signedIn.user.id, body.password);
      await useCode(deps, signedIn.user.id, { code: body.code }, headers);
      await inOurWords(auth.api.disableTwoFactor({ body: { password: body.password }, headers }));
    });
    await beginAnew(signedIn, 'off', request, reply);
    return { message: 'Two-step login is off; other devices are logged out.' };
  });

  serve(app, deps, settings.listSessions, async ({ signedIn }) => ({ items: await listDevices(deps, signedIn) }));

  serve(app, deps, settings.endSession, async ({ params, signedIn }) => {
    await endDevice(deps, signedIn, params.sessionId);
    return { message: 'That device is logged out.' };
  });

  serve(app, deps, settings.endOtherSessions, async ({ signedIn }) => {
    await endOtherDevices(deps, signedIn);
    return { message: 'All other devices are logged out.' };
  });

  async function beginAnew(
    { user, currentCreatorId }: SignedIn,
    change: 'on' | 'off',
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    await endWhatWasBefore(deps, user, change);
    await startSession(user, request, reply, currentCreatorId);
  }

  async function startSession(
    user: { id: string; email: string },
    request: FastifyRequest,
    reply: FastifyReply,
    currentCreatorId: string | null = null,
  ) {
    await passCookies(
      reply,
      auth.api.startSession({
        body: { userId: user.id, currentCreatorId },
        headers: headersOf(request),
        returnHeaders: true,
      }),
    );
    await endFormerSession(request);
    welcome(request, reply, user);
  }

  /** Refusals are noted where errors become answers: `server/http/problems.ts`. */
  function welcome(request: FastifyRequest, reply: FastifyReply, user: { id: string; email: string }) {
    rememberDevice(deps, request, reply, user.email);
    request.log.info({ security: 'signed_in', route: request.routeOptions.url, userId: user.id }, 'signed in');
  }

  /** Ends the session of the person signed in here until now: no session outlives the next sign-in. */
  async function endFormerSession(request: FastifyRequest) {
    const former = await deps.sessions.read(request);
    if (former === null) return;
    if (former.adminVisit !== null) await leave(deps, former.sessionId);
    await db.engine.deleteFrom('sessions').where('id', '=', former.sessionId).execute();
  }

  /** Just what better-auth may know of a request. */
  function headersOf(request: FastifyRequest, { withoutSession = false } = {}): Headers {
    const cookies = (request.headers.cookie ?? '').split(/; */);
    const kept = cookies.filter((pair) => !(withoutSession && pair.startsWith(`${auth.sessionCookie}=`)));
    return new Headers({
      cookie: kept.join('; '),
      'user-agent': (request.headers['user-agent'] ?? '').slice(0, 500),
      [ADDRESS_HEADER]: request.ip,
    });
  }
}

/** Sends the cookies that better-auth sets. */
async function passCookies<T>(reply: FastifyReply, call: Promise<{ headers: Headers; response: T }>): Promise<T> {
  const { headers, response } = await inOurWords(call);
  setCookies(reply, headers);
  return response;
}

function setCookies(reply: FastifyReply, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}
