import { request } from 'undici';
import type { World } from '../state/world.ts';
import { signedRequest, webhookSecret } from '../webhooks/signature.ts';
import { Refusal } from './refusal.ts';

/** Removes the app for a person or Instagram account: its tokens die, and the deauthorize callback is told. */
export async function deauthorize(world: World, given: string): Promise<{ status: number | null }> {
  const subjectId = personBehind(world, given);
  for (const token of world.tokens.values()) {
    if (token.subjectId !== subjectId && token.userId !== subjectId) continue;
    token.death = 'app_removed';
    const account = world.accounts.get(token.subjectId);
    if (!account) continue;
    if (token.kind === 'INSTAGRAM_BUSINESS_USER') account.instagramLoginFields = null;
    else account.pageFields = null;
  }
  world.changed();
  if (world.app.deauthorizeUrl === null) return { status: null };
  const { status } = await post(world, world.app.deauthorizeUrl, subjectId);
  return { status };
}

export async function dataDeletion(world: World, subjectId: string): Promise<{ status: number | null; body: string }> {
  if (world.app.dataDeletionUrl === null) throw new Refusal(409, 'The app has no data deletion callback');
  return post(world, world.app.dataDeletionUrl, personBehind(world, subjectId));
}

/** Apps are removed by people: for a Page by whoever connected it. */
function personBehind(world: World, subjectId: string): string {
  if (world.accounts.get(subjectId)?.platform !== 'facebook') return subjectId;
  const token = [...world.tokens.values()].find((one) => one.subjectId === subjectId && one.userId !== null);
  if (!token?.userId) throw new Refusal(409, 'Nobody has connected this Page to the app');
  return token.userId;
}

/** The `user_id` is app-scoped: for Instagram Login the account's other id, never the one of webhooks [C]. */
async function post(world: World, url: string, subjectId: string): Promise<{ status: number; body: string }> {
  const account = world.accounts.get(subjectId);
  const flavour = account?.platform === 'instagram' ? 'instagram' : 'facebook';
  const payload = {
    user_id: account?.platform === 'instagram' ? account.appScopedId : subjectId,
    issued_at: Math.floor(world.now() / 1000),
  };
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ signed_request: signedRequest(webhookSecret(world, flavour), payload) }).toString(),
  });
  return { status: response.statusCode, body: await response.body.text() };
}
