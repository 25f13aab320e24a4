import type { LoginFlavour } from '../control/types.ts';
import type { Answer } from '../graph/call.ts';
import type { World } from '../state/world.ts';
import { accountObstacle, decide, readRequest } from './consent.ts';
import { choosePersonPage, facebookConsentPage, instagramConsentPage, mistakePage } from './pages.ts';

/**
 * One consent dialog. GET shows the steps, POST (to the same address) decides and redirects; all state is in the address.
 * @param self path and query of the dialog
 */
export function dialog(
  world: World,
  flavour: LoginFlavour,
  method: string,
  self: string,
  query: URLSearchParams,
  form: URLSearchParams,
): Answer {
  const request = readRequest(world, flavour, query);
  if ('mistake' in request) return html(400, mistakePage(flavour, request.mistake));
  const subjectId = query.get('as');
  const account = flavour === 'instagram' ? world.accounts.get(subjectId ?? '') : undefined;
  const user = flavour === 'facebook' ? world.users.get(subjectId ?? '') : undefined;
  if (!account && !user) return html(200, choosePersonPage(world, flavour, self));
  if (method !== 'POST')
    return html(
      200,
      account ? instagramConsentPage(world, request, account, self) : facebookConsentPage(world, request, user!, self),
    );
  const obstacle = account && accountObstacle(account);
  if (obstacle) return html(403, mistakePage(flavour, obstacle));
  const kept = form.getAll('scope');
  const location = decide(world, request, subjectId!, {
    allow: form.get('decision') === 'allow',
    declinedScopes: request.scopes.filter((scope) => !kept.includes(scope)),
    pageIds: form.getAll('page'),
    instagramAccountIds: form.getAll('instagram'),
  });
  return { status: 302, body: '', headers: { location } };
}

function html(status: number, body: string): Answer {
  return { status, body, contentType: 'text/html; charset=utf-8' };
}
