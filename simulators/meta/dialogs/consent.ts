import type { LoginFlavour } from '../control/types.ts';
import type { Account, FacebookUser } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { FACEBOOK_SCOPES, INSTAGRAM_SCOPES, splitScopes } from '../tokens/scopes.ts';

export interface ConsentRequest {
  flavour: LoginFlavour;
  redirectUri: string;
  state: string | null;
  scopes: string[];
  rerequest: boolean;
  returnScopes: boolean;
}

export interface Decision {
  allow: boolean;
  declinedScopes: readonly string[];
  pageIds: readonly string[] | 'all';
  instagramAccountIds: readonly string[] | 'all';
}

/** Reads a dialog's query. A mistake of the app is shown to the person and never redirected, as at Meta. */
export function readRequest(
  world: World,
  flavour: LoginFlavour,
  query: URLSearchParams,
): ConsentRequest | { mistake: string } {
  const { metaAppId, instagramAppId, redirectUris } = world.app;
  if (query.get('client_id') !== (flavour === 'instagram' ? instagramAppId : metaAppId)) {
    return {
      mistake:
        flavour === 'instagram'
          ? 'Invalid Request: Request parameters are invalid: Invalid platform app'
          : 'Invalid App ID: The provided app ID does not look like a valid app ID.',
    };
  }
  const redirectUri = query.get('redirect_uri');
  if (!redirectUri || !URL.canParse(redirectUri) || (redirectUris.length > 0 && !redirectUris.includes(redirectUri))) {
    return { mistake: 'Invalid redirect_uri: the address is not registered for this app. Mind the trailing slash.' };
  }
  const responseType = query.get('response_type');
  if (responseType !== 'code' && !(flavour === 'facebook' && responseType === null))
    return { mistake: 'Invalid response_type: it must be code.' };
  const authType = query.get('auth_type');
  if (flavour === 'facebook' && world.settings.switches.loginForBusiness) {
    if (query.has('scope') || !query.has('config_id'))
      return { mistake: "It looks like this app isn't available: Facebook Login for Business needs a configuration." };
    if (authType === 'rerequest') return { mistake: 'Invalid auth_type: rerequest' };
  }
  const family = flavour === 'instagram' ? INSTAGRAM_SCOPES : FACEBOOK_SCOPES;
  const asked = splitScopes(query.get('scope') ?? '');
  const scopes = asked.length === 0 && query.has('config_id') ? [...family] : asked;
  const invalid = scopes.filter((scope) => !family.includes(scope));
  if (invalid.length > 0) return { mistake: `Invalid Scopes: ${invalid.join(', ')}` };
  if (flavour === 'instagram' && !scopes.includes('instagram_business_basic'))
    return { mistake: 'Invalid Scopes: instagram_business_basic is required' };
  return {
    flavour,
    redirectUri,
    state: query.get('state'),
    scopes: [...new Set(scopes)],
    rerequest: authType === 'rerequest' || authType === 'reauthorize',
    returnScopes: query.get('return_scopes') === 'true',
  };
}

/** Scopes shown to a person: on Facebook what they declined before is not asked again without `rerequest` or `reauthorize`. */
export function askableScopes(request: ConsentRequest, user: FacebookUser | undefined): string[] {
  const declined = user?.grant?.declined ?? [];
  return request.rerequest ? request.scopes : request.scopes.filter((scope) => !declined.includes(scope));
}

/** Why an Instagram account cannot log in; undefined when it can. */
export function accountObstacle(account: Account): string | undefined {
  if (account.accountType === 'PERSONAL')
    return 'This account is a personal account. Switch to a professional account in the Instagram app to continue.';
  if (account.appRole === 'no_role')
    return 'Insufficient Developer Role: invite this account as an Instagram tester and accept in the app.';
  return undefined;
}

/** The Pages of a person and the Instagram accounts linked to them. */
export function assetsOf(world: World, user: FacebookUser): { pages: Account[]; instagramAccounts: Account[] } {
  const pages = Object.keys(user.tasks)
    .map((id) => world.accounts.get(id))
    .filter((account) => account !== undefined);
  const instagramAccounts = pages
    .map((page) => world.accounts.get(page.linkedId ?? ''))
    .filter((account) => account !== undefined);
  return { pages, instagramAccounts };
}

/** The address the browser goes to after the person decided. `subjectId` must exist and be able to log in. */
export function decide(world: World, request: ConsentRequest, subjectId: string, decision: Decision): string {
  return request.flavour === 'instagram'
    ? decideInstagram(world, request, subjectId, decision)
    : decideFacebook(world, request, subjectId, decision);
}

function decideInstagram(world: World, request: ConsentRequest, accountId: string, decision: Decision): string {
  if (!decision.allow) {
    return address(
      request,
      { error: 'access_denied', error_reason: 'user_denied', error_description: 'The user denied your request' },
      '',
    );
  }
  const scopes = request.scopes.filter(
    (scope) => scope === 'instagram_business_basic' || !decision.declinedScopes.includes(scope),
  );
  // `#_` is not part of the code [D].
  return address(request, { code: newCode(world, request, accountId, scopes, [], []) }, '#_');
}

function decideFacebook(world: World, request: ConsentRequest, userId: string, decision: Decision): string {
  if (!decision.allow) {
    return address(
      request,
      {
        error: 'access_denied',
        error_code: '200',
        error_description: 'Permissions error',
        error_reason: 'user_denied',
      },
      '#_=_',
    );
  }
  const user = world.users.get(userId)!;
  const granted = askableScopes(request, user).filter(
    (scope) => scope === 'public_profile' || !decision.declinedScopes.includes(scope),
  );
  const declined = request.scopes.filter((scope) => !granted.includes(scope));
  const assets = assetsOf(world, user);
  const ticked = (all: Account[], chosen: readonly string[] | 'all') =>
    all.map((account) => account.id).filter((id) => chosen === 'all' || chosen.includes(id));
  const pageIds = ticked(assets.pages, decision.pageIds);
  const instagramAccountIds = ticked(assets.instagramAccounts, decision.instagramAccountIds);
  user.grant = { granted, declined, pageIds, instagramAccountIds };
  const code = newCode(world, request, userId, granted, pageIds, instagramAccountIds);
  // [R] return_scopes
  const scopesBack: Record<string, string> = request.returnScopes
    ? { granted_scopes: granted.join(','), denied_scopes: declined.join(',') }
    : {};
  return address(request, { code, ...scopesBack }, '#_=_');
}

function newCode(
  world: World,
  request: ConsentRequest,
  subjectId: string,
  scopes: string[],
  pageIds: string[],
  instagramAccountIds: string[],
): string {
  const code = world.ids.code();
  world.codes.set(code, {
    code,
    flavour: request.flavour,
    subjectId,
    redirectUri: request.redirectUri,
    scopes,
    pageIds,
    instagramAccountIds,
    issuedAt: world.now(),
    used: false,
  });
  world.changed();
  return code;
}

function address(request: ConsentRequest, parameters: Record<string, string>, fragment: string): string {
  const search = new URLSearchParams(parameters);
  if (request.state !== null) search.set('state', request.state);
  return `${request.redirectUri}${request.redirectUri.includes('?') ? '&' : '?'}${search}${fragment}`;
}
