/**
 * The demo creator at the first start: connected to The Golden Spoon through the simulator's real consent dialog, with
 * three automations on and a few comments of followers just worked off, so that every screen has something to show.
 */
import { AutomationInput } from '#contract/automations.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import * as automations from '#server/features/automations/automations.ts';
import { forgetStripe } from '#server/features/billing/sync.ts';
import { reconcile } from '#server/features/catch-up/reconcile.ts';
import { connectInstagram } from '#server/features/connections/instagram-login.ts';
import { INSTAGRAM_LOGIN_SCOPES } from '#server/features/connections/permissions.ts';
import { ensureDemoPeople } from '#server/features/people/demo.ts';
import { syncNow } from '#server/features/posts/post-sync.ts';
import type { MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import type { DemoWorld } from '#simulators/meta/demo/world.ts';

/** Messages of the demo's automations, by the word that the caption asks for. */
const ANSWERS: { word: string; message: string; button: string; url: string }[] = [
  {
    word: 'PASTA',
    message: 'Hi {{username|there}} 🍝 Here is my 15-minute pomodoro. Save it for a night with nothing in the house.',
    button: 'Get the recipe',
    url: 'https://example.com/the-golden-spoon/pomodoro',
  },
  {
    word: 'CAKE',
    message: 'Hi {{username|there}} 🍓 The birthday cake, with every gram measured. Tell me how it turns out.',
    button: 'Get the recipe',
    url: 'https://example.com/the-golden-spoon/berry-cake',
  },
  {
    word: 'COOKIE',
    message: 'Hi {{username|there}} 🍪 Fourteen tests later: these are the ones. Rest the dough.',
    button: 'Open the recipe',
    url: 'https://example.com/the-golden-spoon/cookies',
  },
];

const PUBLIC_REPLIES = ['Just sent it to you 💌', 'Check your messages 🥄', 'It is in your inbox, enjoy'];

const FIRST_COMMENTS = ['PASTA please', 'this looks unreal 😍', 'Pasta!!', 'recipe? 🙏', 'pastaaa'];

/** `pg_advisory_xact_lock`: the next one after those of the embedded database and of migrations. */
const DEMO_LOCK = '7310927004';

/** Does nothing from the second start on. Needs the program listening: webhooks come back to it. */
export async function startDemo(deps: AppDeps, control: MetaSimulatorControl, world: DemoWorld): Promise<void> {
  await inTransaction(deps.db.enginePool, async (trx) => {
    // Processes that start at the same moment wait for the first one.
    await trx.query('select pg_advisory_xact_lock($1)', [DEMO_LOCK]);
    await fill(deps, control, world);
  });
  if (deps.config.stripe?.isPlayed) await forgetStripe(deps);
}

async function fill(deps: AppDeps, control: MetaSimulatorControl, world: DemoWorld): Promise<void> {
  const { userId, creatorId } = await ensureDemoPeople(deps);
  const connected = await deps.db.engine
    .selectFrom('connections')
    .select('id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (connected !== undefined) return;

  const connectionId = await connect(deps, control, world, { userId, creatorId });
  await syncNow(deps, creatorId);
  for (const answer of ANSWERS) await addAutomation(deps, { userId, creatorId, connectionId }, answer);
  await deps.automationsChanged({ creatorId });
  // Older comments are read first: the activity begins with those that are answered.
  await reconcile(deps, new Map());

  const newest = await deps.db.engine
    .selectFrom('posts')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .orderBy('posted_at', 'desc')
    .executeTakeFirstOrThrow();
  for (const [index, text] of FIRST_COMMENTS.entries()) {
    const personId = world.followerIds[index % world.followerIds.length]!;
    await control.comment({ mediaId: newest.id, personId, text });
  }
}

export async function connect(
  deps: AppDeps,
  control: MetaSimulatorControl,
  world: Pick<DemoWorld, 'instagramAccountId'>,
  { userId, creatorId }: { userId: string; creatorId: string },
): Promise<string> {
  const { meta, baseUrl } = deps.config;
  const redirectUri = `${baseUrl}/api/v1/connections/instagram/callback`;
  const dialogUrl = `${meta.instagramDialogUrl}/oauth/authorize?${new URLSearchParams({
    client_id: meta.instagramAppId ?? '',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: INSTAGRAM_LOGIN_SCOPES.join(','),
  })}`;
  const { redirectUrl } = await control.authorize({ dialogUrl, as: world.instagramAccountId });
  const code = new URL(redirectUrl).searchParams.get('code') ?? '';
  const { connectionId, problem } = await connectInstagram(deps, { creatorId, userId, code, redirectUri });
  if (connectionId === null) throw new Error(`The demo account could not be connected: ${problem}`);
  return connectionId;
}

async function addAutomation(
  deps: AppDeps,
  owner: { userId: string; creatorId: string; connectionId: string },
  answer: (typeof ANSWERS)[number],
): Promise<void> {
  const { creatorId, userId, connectionId } = owner;
  await deps.db.withCreator(creatorId, async (trx) => {
    const post = await trx
      .selectFrom('posts')
      .select('id')
      .where('creator_id', '=', creatorId)
      .where('caption', 'like', `%omment ${answer.word}%`)
      .orderBy('posted_at', 'desc')
      .executeTakeFirst();
    const input = AutomationInput.parse({
      connectionId,
      name: `${answer.word} recipe`,
      postId: post?.id ?? null,
      words: [answer.word, 'recipe'],
      mode: 'whole_word',
      excludedWords: [],
      typoTolerance: true,
      priority: 0,
      messageText: answer.message,
      buttons: [{ title: answer.button, url: answer.url }],
      publicReplies: PUBLIC_REPLIES,
      repeatAfterMinutes: 24 * 60,
    });
    const { id } = await automations.create(deps, trx, creatorId, input);
    await automations.switchTo(deps, trx, creatorId, id, { on: true, userId });
  });
}
