/** How long lists, searches and figures of one creator take, over HTTP against the real program and a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { listAutomations } from '#contract/automations.ts';
import { listMisses, previewCatchUp, previewPostCatchUp } from '#contract/catch-up.ts';
import { listContacts } from '#contract/contacts.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { getComparison, getFigures, getHome } from '#contract/figures.ts';
import { listInteractions } from '#contract/interactions.ts';
import { listPosts } from '#contract/posts.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listExpiring, listQueues } from '#contract/queue.ts';
import { getMe, loginDemo } from '#contract/session.ts';
import { getStoryAnalytics, listStories, listStoryMentions } from '#contract/stories.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { freePort, startScript } from '#server/testing/processes.ts';
import { type BusyCreator, type CreatorSize, fillCreator } from './busy-creator.ts';
import { percentile } from './load.ts';

export type ListTime = { name: string; rows: number; p50Ms: number; p95Ms: number };

/** What issue 4 asks of every list and search. */
const LIMIT_MS = 100;

/**
 * @param options.calls of each list
 * @param options.plans a file for PostgreSQL's log, with the plan of every statement that took longer than 20 ms
 */
export async function measureLists(
  size: CreatorSize,
  options: { calls: number; plans?: string | undefined; only?: string | undefined },
): Promise<ListTime[]> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
  cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
  const { plans } = options;
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {}, settings: plans ? EXPLAINING : {} });
  cleanUp.defer(() => postgres.stop());
  if (plans) cleanUp.defer(() => copyFile(join(dir, 'postgres.log'), plans));
  const { url, cookie, creatorId } = await startDemo(dir, postgres.connectionString, cleanUp);
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  cleanUp.defer(() => client.end());
  const english = new Intl.NumberFormat('en');
  console.log(
    `\n${english.format(size.people)} people, ${english.format(size.interactions)} interactions, ${english.format(size.posts)} posts`,
  );
  const creator = await fillCreator(client, creatorId, size);
  const times: ListTime[] = [];
  for (const [name, path, query] of listsOf(creator)) {
    if (options.only !== undefined && !name.includes(options.only)) continue;
    const address = `${url}${API_BASE}${path.replace(':creatorId', creatorId)}?${new URLSearchParams(query)}`;
    const time = await measureOne(name, address, cookie, options.calls);
    times.push(time);
    const tooSlow = time.p95Ms > LIMIT_MS ? '  TOO SLOW' : '';
    console.log(
      `${time.p50Ms.toFixed(0).padStart(5)} ms p50 ${time.p95Ms.toFixed(0).padStart(5)} ms p95  ${String(time.rows).padStart(3)} rows  ${name}${tooSlow}`,
    );
  }
  return times;
}

const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '20ms',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
};

async function startDemo(dir: string, connectionString: string, cleanUp: AsyncDisposableStack) {
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const program = await startScript(
    'server/main.ts',
    [],
    {
      PORT: String(port),
      BASE_URL: url,
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATORS: 'on',
      DATA_DIR: dir,
      DATABASE_URL: connectionString,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'warn',
    },
    (line) => line.includes(`is ready: ${url}`),
  );
  cleanUp.defer(() => program.stop());
  const entered = await fetch(url + API_BASE + loginDemo.path, { method: loginDemo.method, headers: { origin: url } });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const me = (await (await fetch(url + API_BASE + getMe.path, { headers: { cookie } })).json()) as {
    creatorAccount: { _id: string };
  };
  return { url, cookie, creatorId: me.creatorAccount._id };
}

async function measureOne(name: string, address: string, cookie: string, calls: number): Promise<ListTime> {
  const call = async () => {
    const from = performance.now();
    const response = await fetch(address, { headers: { cookie } });
    const body = (await response.json()) as { items?: unknown[] };
    if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
    return { ms: performance.now() - from, rows: body.items?.length ?? 1 };
  };
  const { rows } = await call();
  const times: number[] = [];
  for (let done = 0; done < calls; done++) times.push((await call()).ms);
  return { name, rows, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

type Asked = [name: string, path: string, query: Record<string, string>];

/** Every list, search and figure of the screens, common cases and the worst ones we know. */
function listsOf({ connectionId, automationId, handle }: BusyCreator): Asked[] {
  const contact = (id: string) => `${listContacts.path}/${connectionId}.${id}`;
  const ofPost = (path: string, postId: string) => path.replace(':postId', postId);
  const never = '00000000-0000-7000-8000-000000000000';
  const today = new Date();
  const year = {
    from: new Date(today.getTime() - 360 * 86_400_000).toISOString().slice(0, 10),
    to: today.toISOString().slice(0, 10),
  };
  const contactFilters = [
    'with_email',
    'followers',
    'not_followers',
    'following_unknown',
    'stopped',
    'taken_over',
    'blocked',
  ];
  const outcomes = ['replied', 'waiting', 'skipped', 'missed', 'failed', 'expired'];
  const kinds = ['comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message', 'button_tap'];
  return [
    ['me', getMe.path, {}],
    ['home', getHome.path, {}],
    ['contacts', listContacts.path, {}],
    ['contacts, one letter', listContacts.path, { search: 'a' }],
    ['contacts, two letters', listContacts.path, { search: 'ab' }],
    ['contacts, three letters', listContacts.path, { search: 'abc' }],
    ['contacts, whole handle', listContacts.path, { search: handle }],
    ['contacts, second word of the name', listContacts.path, { search: 'müller7' }],
    ['contacts, every name', listContacts.path, { search: 'müller' }],
    ['contacts, many who were here long ago', listContacts.path, { search: 'oldtimer' }],
    ['contacts, e-mail', listContacts.path, { search: 'mail77' }],
    ['contacts, nobody', listContacts.path, { search: 'zzzzzz' }],
    ...contactFilters.map((filter): Asked => [`contacts, ${filter}`, listContacts.path, { filter }]),
    ['contacts, stopped and searched', listContacts.path, { filter: 'stopped', search: 'a' }],
    ['contacts, with e-mail and searched', listContacts.path, { filter: 'with_email', search: 'müller' }],
    ['contacts, answered by', listContacts.path, { automationId }],
    ['contacts, answered by one that never did', listContacts.path, { automationId: never }],
    ['contact', contact('person777'), {}],
    ['contact who comments on everything', contact('person1'), {}],
    ['timeline', `${contact('person777')}/timeline`, {}],
    ['timeline of who comments on everything', `${contact('person1')}/timeline`, {}],
    ['activity', listInteractions.path, {}],
    ['activity, handle', listInteractions.path, { handle: handle.slice(0, 4) }],
    ['activity, whole handle', listInteractions.path, { handle }],
    ['activity, one letter', listInteractions.path, { handle: 'a' }],
    ['activity, two letters', listInteractions.path, { handle: 'ab' }],
    ...outcomes.map((outcome): Asked => [`activity, ${outcome}`, listInteractions.path, { outcome }]),
    ...kinds.map((kind): Asked => [`activity, ${kind}`, listInteractions.path, { kind }]),
    ['activity, of who comments on everything', listInteractions.path, { personId: 'person1' }],
    ['activity, of a post', listInteractions.path, { postId: 'post7' }],
    ['activity, of the viral post', listInteractions.path, { postId: 'post1' }],
    ...outcomes.map((outcome): Asked => [
      `activity, of the viral post, ${outcome}`,
      listInteractions.path,
      { postId: 'post1', outcome },
    ]),
    ['activity, replied on a viral post without automation', listInteractions.path, { postId: 'post2', outcome: 'replied' }],
    ['activity, of an automation', listInteractions.path, { automationId }],
    ['activity, of an automation that never answered', listInteractions.path, { automationId: never }],
    ['activity, of an automation, failed', listInteractions.path, { automationId, outcome: 'failed' }],
    ['posts', listPosts.path, {}],
    ['posts, a hundred', listPosts.path, { limit: '100' }],
    ['posts, search', listPosts.path, { search: 'cake 29' }],
    ['posts, nothing found', listPosts.path, { search: 'zzz' }],
    ['posts, reels with automation', listPosts.path, { kind: 'reel', automation: 'on' }],
    ['posts, without automation', listPosts.path, { automation: 'none' }],
    ['post', `${listPosts.path}/post7`, {}],
    ['viral post', `${listPosts.path}/post1`, {}],
    ['words missed under the viral post', ofPost(listMisses.path, 'post2'), {}],
    ['who could be caught up with', previewCatchUp.path, {}],
    ['who could be caught up with under a post', ofPost(previewPostCatchUp.path, 'post7'), {}],
    ['prepared posts', listPreparedPosts.path, {}],
    ['caption warnings', listCaptionWarnings.path, {}],
    ['waking posts', listWakingPosts.path, {}],
    ['automations', listAutomations.path, {}],
    ['figures of the account', getFigures.path, {}],
    ['figures of a year', getFigures.path, year],
    ['figures of an automation over a year', getFigures.path, { automationId, ...year }],
    ['figures of the viral post over a year', getFigures.path, { postId: 'post1', ...year }],
    ['wordings side by side', getComparison.path.replace(':automationId', automationId), {}],
    ['queue', listQueues.path, {}],
    ['who in the queue will expire', listExpiring.path.replace(':connectionId', connectionId), {}],
    ['stories', listStories.path, {}],
    ['story mentions', listStoryMentions.path, {}],
    ['story analytics', getStoryAnalytics.path, { days: '90' }],
  ];
}
