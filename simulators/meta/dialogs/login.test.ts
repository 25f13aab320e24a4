import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeededCreator } from '../control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { errorKey, graphCaller } from '../testing/graph-caller.ts';

const REDIRECT = 'https://app.example.com/auth/callback';
const DAY = 86_400_000;

let simulator: MetaSimulator;
let creator: SeededCreator;

beforeAll(async () => {
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z' });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  creator = await simulator.control.seedCreator();
});

const instagramDialog = (more: Record<string, string> = {}) =>
  `${simulator.baseUrls.INSTAGRAM_DIALOG_URL}/oauth/authorize?${new URLSearchParams({
    client_id: simulator.app.instagramAppId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 's1',
    scope: 'instagram_business_basic,instagram_business_manage_messages',
    ...more,
  })}`;
const facebookDialog = (more: Record<string, string> = {}) =>
  `${simulator.baseUrls.META_DIALOG_URL}/v27.0/dialog/oauth?${new URLSearchParams({
    client_id: simulator.app.metaAppId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 's2',
    scope: 'pages_show_list,instagram_basic,pages_messaging',
    ...more,
  })}`;
const submit = (url: string, form: [string, string][]) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
const exchangeInstagram = async (code: string, redirectUri = REDIRECT) => {
  const response = await fetch(`${simulator.baseUrls.INSTAGRAM_API_URL}/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: simulator.app.instagramAppId,
      client_secret: simulator.app.instagramAppSecret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    }),
  });
  return { status: response.status, text: await response.text() };
};
const exchangeFacebook = async (parameters: Record<string, string>) => {
  const search = new URLSearchParams({
    client_id: simulator.app.metaAppId,
    client_secret: simulator.app.metaAppSecret,
    ...parameters,
  });
  const response = await fetch(`${simulator.baseUrls.META_GRAPH_URL}/v27.0/oauth/access_token?${search}`);
  return {
    status: response.status,
    body: (await response.json()) as { access_token: string; expires_in: number; error: { code: number } },
  };
};

describe('Instagram Login', () => {
  it('asks who it is, shows what is wanted, and redirects with code, state and #_', async () => {
    expect(await (await fetch(instagramDialog())).text()).toContain(creator.username);
    const self = `${instagramDialog()}&as=${creator.instagramAccountId}`;
    expect(await (await fetch(self)).text()).toContain('Access and manage messages');
    const response = await submit(self, [['decision', 'allow']]);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/app\.example\.com\/auth\/callback\?code=AQB\w+&state=s1#_$/,
    );
  });

  it('redirects a refusal with its reason', async () => {
    const { redirectUrl } = await simulator.control.authorize({
      dialogUrl: instagramDialog(),
      as: creator.instagramAccountId,
      decision: 'deny',
    });
    expect(redirectUrl).toBe(
      `${REDIRECT}?error=access_denied&error_reason=user_denied&error_description=The+user+denied+your+request&state=s1`,
    );
  });

  it('exchanges a code once, within the hour, for the same redirect URI', async () => {
    const authorize = async () =>
      new URL(
        (await simulator.control.authorize({ dialogUrl: instagramDialog(), as: creator.instagramAccountId }))
          .redirectUrl,
      ).searchParams.get('code')!;
    const code = await authorize();
    expect(JSON.parse((await exchangeInstagram(code, `${REDIRECT}/`)).text)).toEqual({
      error_type: 'OAuthException',
      code: 400,
      error_message: 'Matching code was not found or was already used',
    });
    const answer = await exchangeInstagram(code);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`"user_id":${creator.instagramAccountId},`);
    expect((await exchangeInstagram(code)).status).toBe(400);
    const late = await authorize();
    await simulator.control.advance(3_600_000);
    expect((await exchangeInstagram(late)).status).toBe(400);
  });

  it('gives a long token, refreshed only after a day, dead after sixty', async () => {
    const short = await simulator.control.issueToken({
      kind: 'INSTAGRAM_BUSINESS_USER',
      subjectId: creator.instagramAccountId,
      life: 'short',
    });
    const get = async (path: string) => {
      const response = await fetch(`${simulator.baseUrls.INSTAGRAM_GRAPH_URL}${path}`);
      return {
        status: response.status,
        body: (await response.json()) as { access_token: string; expires_in: number; error: { error_subcode: number } },
      };
    };
    const long = await get(
      `/access_token?grant_type=ig_exchange_token&client_secret=${simulator.app.instagramAppSecret}&access_token=${short.token}`,
    );
    expect(long.body.expires_in).toBe(5_183_944);
    const refresh = (token: string) => get(`/refresh_access_token?grant_type=ig_refresh_token&access_token=${token}`);
    expect((await refresh(long.body.access_token)).status).toBe(400);
    await simulator.control.advance(DAY);
    expect((await refresh(long.body.access_token)).body.expires_in).toBe(5_183_944);
    await simulator.control.advance(60 * DAY);
    expect((await refresh(long.body.access_token)).body.error.error_subcode).toBe(463);
  });

  it('tells two ids apart on /me', async () => {
    const { body } = await graphCaller(simulator, 'instagram', creator.tokens.instagram.token).get(
      '/me?fields=id,user_id,account_type',
    );
    expect(body).toEqual({
      id: creator.instagramAppScopedId,
      user_id: creator.instagramAccountId,
      account_type: 'BUSINESS',
    });
  });

  it.each([
    ['scopes of the other family', { scope: 'instagram_basic' }, 'Invalid Scopes'],
    ['an unknown app', { client_id: '1' }, 'Invalid platform app'],
    ['another response type', { response_type: 'token' }, 'response_type'],
  ])('shows a mistake without redirecting: %s', async (_name, more, text) => {
    const response = await fetch(instagramDialog(more), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(text);
  });

  it('refuses personal accounts and accounts without a role', async () => {
    const personal = await simulator.control.seedInstagramAccount({ accountType: 'PERSONAL' });
    await expect(simulator.control.authorize({ dialogUrl: instagramDialog(), as: personal.accountId })).rejects.toThrow(
      'personal account',
    );
    const outsider = await simulator.control.seedInstagramAccount({ appRole: 'no_role' });
    await expect(simulator.control.authorize({ dialogUrl: instagramDialog(), as: outsider.accountId })).rejects.toThrow(
      'Insufficient Developer Role',
    );
    const silent = await simulator.control.seedInstagramAccount({ appRole: 'no_role_silent' });
    const { token } = await simulator.control.issueToken({
      kind: 'INSTAGRAM_BUSINESS_USER',
      subjectId: silent.accountId,
    });
    const answer = await graphCaller(simulator, 'instagram', token).get('/me');
    expect(answer.body.error).toMatchObject({
      code: 100,
      type: 'IGApiException',
      message: 'Unsupported request - method type: get',
    });
  });
});

describe('Facebook Login', () => {
  const login = async (
    choices: Partial<Parameters<MetaSimulator['control']['authorize']>[0]> = {},
    more: Record<string, string> = {},
  ) => {
    const { redirectUrl } = await simulator.control.authorize({
      dialogUrl: facebookDialog(more),
      as: creator.facebookUserId,
      ...choices,
    });
    const code = new URL(redirectUrl).searchParams.get('code')!;
    const { body } = await exchangeFacebook({ redirect_uri: REDIRECT, code });
    const long = await exchangeFacebook({ grant_type: 'fb_exchange_token', fb_exchange_token: body.access_token });
    return graphCaller(simulator, 'facebook', long.body.access_token);
  };

  it('offers Pages and Instagram accounts by themselves and redirects with #_=_', async () => {
    const self = `${facebookDialog()}&as=${creator.facebookUserId}`;
    const html = await (await fetch(self)).text();
    expect(html).toContain(`name="page" value="${creator.pageId}"`);
    expect(html).toContain(`name="instagram" value="${creator.instagramAccountId}"`);
    const allowed = await submit(self, [
      ['decision', 'allow'],
      ['page', creator.pageId],
      ['scope', 'pages_show_list'],
    ]);
    expect(allowed.headers.get('location')).toMatch(/\?code=AQB\w+&state=s2#_=_$/);
    const denied = await submit(self, [['decision', 'deny']]);
    expect(denied.headers.get('location')).toBe(
      `${REDIRECT}?error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied&state=s2#_=_`,
    );
  });

  it('lists the Pages granted, each with a token that never expires', async () => {
    const me = await login();
    const { body } = await me.get(
      '/me/accounts?fields=id,name,access_token,tasks,instagram_business_account{id,username}',
    );
    expect(body.data).toMatchObject([
      {
        id: creator.pageId,
        instagram_business_account: { id: creator.instagramAccountId, username: creator.username },
      },
    ]);
    const app = `${simulator.app.metaAppId}|${simulator.app.metaAppSecret}`;
    const debug = await me.get(`/debug_token?input_token=${body.data[0].access_token}&access_token=${app}`);
    expect(debug.body.data).toMatchObject({ type: 'PAGE', is_valid: true, expires_at: 0, profile_id: creator.pageId });
  });

  it('hides what was not granted: Page, Instagram account, scope', async () => {
    const withoutPage = await login({ pageIds: [] });
    expect((await withoutPage.get('/me/accounts')).body).toEqual({ data: [] });
    expect((await withoutPage.get(`/${creator.instagramAccountId}?fields=username`)).status).toBe(200);
    const withoutInstagram = await login({ instagramAccountIds: [] });
    expect((await withoutInstagram.get('/me/accounts?fields=id,instagram_business_account')).body.data).toEqual([
      { id: creator.pageId },
    ]);
    const withoutScope = await login({ declinedScopes: ['pages_messaging'] });
    expect((await withoutScope.get('/me/permissions')).body.data).toContainEqual({
      permission: 'pages_messaging',
      status: 'declined',
    });
    const asked = await login();
    expect((await asked.get('/me/permissions')).body.data).toContainEqual({
      permission: 'pages_messaging',
      status: 'declined',
    });
    const askedAgain = await login({}, { auth_type: 'rerequest' });
    expect((await askedAgain.get('/me/permissions')).body.data).toContainEqual({
      permission: 'pages_messaging',
      status: 'granted',
    });
  });

  it('hides Pages of a business without business_management', async () => {
    await simulator.control.updateAccount(creator.pageId, { businessOwned: true });
    expect((await (await login()).get('/me/accounts')).body.data).toEqual([]);
    const manager = await login({}, { scope: 'pages_show_list,business_management' });
    expect((await manager.get('/me/accounts')).body.data).toHaveLength(1);
  });

  it('does not exchange a used code or a dead token', async () => {
    const { redirectUrl } = await simulator.control.authorize({
      dialogUrl: facebookDialog(),
      as: creator.facebookUserId,
    });
    const code = new URL(redirectUrl).searchParams.get('code')!;
    const { body } = await exchangeFacebook({ redirect_uri: REDIRECT, code });
    expect((await exchangeFacebook({ redirect_uri: REDIRECT, code })).body.error.code).toBe(100);
    await simulator.control.killTokens({ token: body.access_token, reason: 'password_changed' });
    expect(
      (await exchangeFacebook({ grant_type: 'fb_exchange_token', fb_exchange_token: body.access_token })).body.error
        .code,
    ).toBe(190);
  });

  it('checks appsecret_proof when it is given or required', async () => {
    const page = graphCaller(simulator, 'facebook', creator.tokens.page.token);
    expect(errorKey(await page.get('/me?appsecret_proof=00'))).toBe('100');
    await simulator.control.updateApp({ requireAppSecretProof: true });
    expect(errorKey(await page.get('/me'))).toBe('100');
    await simulator.control.updateApp({ requireAppSecretProof: false });
  });
});
