import { accountObstacle, decide, readRequest } from '../dialogs/consent.ts';
import type { World } from '../state/world.ts';
import { found, Refusal } from './refusal.ts';
import type { AuthorizeInput } from './types.ts';

/** Walks the dialog of an address without a browser; the same rules as the HTML one. @throws Refusal with what the dialog would show */
export function authorize(world: World, input: AuthorizeInput): { redirectUrl: string } {
  const url = new URL(input.dialogUrl);
  const flavour = url.pathname.includes('/dialog/oauth') ? 'facebook' : 'instagram';
  const request = readRequest(world, flavour, url.searchParams);
  if ('mistake' in request) throw new Refusal(400, request.mistake);
  if (flavour === 'facebook') found(world.users.get(input.as), 'Facebook user', input.as);
  else {
    const obstacle = accountObstacle(found(world.accounts.get(input.as), 'Instagram account', input.as));
    if (obstacle) throw new Refusal(409, obstacle);
  }
  return {
    redirectUrl: decide(world, request, input.as, {
      allow: input.decision !== 'deny',
      declinedScopes: input.declinedScopes ?? [],
      pageIds: input.pageIds ?? 'all',
      instagramAccountIds: input.instagramAccountIds ?? 'all',
    }),
  };
}
