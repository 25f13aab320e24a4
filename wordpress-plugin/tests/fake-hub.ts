/** The addresses of Creator HQ that the plugin calls, and what was said there. */
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToldOfMembers } from '#contract/plugin.ts';

export const KEY = `chq_${'k'.repeat(36)}2345`;
export const SAVE_FORM = 'SaveFormSaveFormSaveF1';
export const SIGNUP_FORM = 'SignUpFormSignUpFormS1';
export const GATE_FORM = 'GateFormGateFormGateF1';
export const SIGNING_KEYS = [Buffer.alloc(32, 1).toString('base64url'), Buffer.alloc(32, 2).toString('base64url')];

/** The lowest first. */
export const [BASIC, GOLD] = ['018f0000-0000-7000-8000-00000000000b', '018f0000-0000-7000-8000-00000000000d'] as const;
const TIERS = [
  { id: BASIC as string, name: 'Basic', isOpen: true },
  { id: GOLD as string, name: 'Gold', isOpen: true },
];

export type Submission = {
  attempt: string;
  work?: string;
  formKey: string;
  formVersion: number;
  email: string;
  firstName: string | null;
  newsletter: boolean;
  language: string | null;
  submittedAt: string;
  network: string | null;
  page: { url: string; title: string; pictureUrl: string | null; recipe: Record<string, unknown> | null };
};
type Body = {
  submissions?: Submission[];
  attempts?: string[];
  grant?: string;
  start?: string;
  device?: string;
  post?: number;
  link?: string;
};
type Result = { result: string; code?: string | null; message?: string | null };

export async function startFakeHub() {
  let port = 0;
  const hub = {
    url: '',
    /** null: it answers as agreed; a number: with this status. */
    status: null as number | null,
    /** Is waited for before a call is answered. */
    beforeAnswer: async (_path: string): Promise<void> => {},
    /** Whether it refuses a call with these as a whole. */
    refuses: (_submissions: Submission[]): boolean => false,
    /** Every call, in order. */
    calls: [] as { path: string; authorization: string; body: Record<string, unknown> }[],
    /** Every submission of every call that was answered. */
    submissions: [] as Submission[],
    /** Attempts whose people are subscribers by now. */
    subscribers: new Set<string>(),
    /** Posts with a list, and where lists are. */
    buttons: [] as { post: unknown; code: unknown }[] | null,
    listsAt: 'https://hq.example/s/',
    answer: ((_submission: Submission) => ({ result: 'on_its_way' })) as (submission: Submission) => Result,
    /** Where members enter; null: the hub has no memberships. */
    membersAt: null as string | null,
    joinAt: null as string | null,
    readersAt: null as string | null,
    freeOpens: 0,
    /** What a reader's word says after they opened a post. */
    openForFree: (_device: string, _post: number): string | null => null,
    tiers: TIERS,
    members: { at: 1, asksFrom: 0, asks: [], inlineUntil: 0 } as ToldOfMembers,
    /** Words for members' browsers, by grant and by device; null: no longer. */
    grants: new Map<string, { token: string; secret: string; to: string; start: string }>(),
    words: new Map<string, string | null>(),
    /** And what members' words say, with the end of a link, after they passed one; and friends', by the end of a link. */
    passRecipe: (_device: string, _post: number): { token: string | null; link: string | null } => ({
      token: null,
      link: null,
    }),
    friends: new Map<string, string>(),
    forms: [printed(SAVE_FORM, 'save', 'Save a recipe'), printed(SIGNUP_FORM, 'signup', 'Sign up')],
    /** Takes no connection, as a computer that is off. */
    async goAway() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async comeBack() {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    },
    async close() {
      if (server.listening) await hub.goAway();
    },
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = text === '' ? {} : JSON.parse(text);
    const authorization = request.headers.authorization ?? '';
    hub.calls.push({ path: `${request.method} ${request.url}`, authorization, body });
    await hub.beforeAnswer(request.url!);
    const status =
      authorization === `Bearer ${KEY}` ? (hub.status ?? (hub.refuses(body.submissions ?? []) ? 422 : 200)) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? answerTo(request.url!, body) : { code: 'refused' }));
  });
  await hub.comeBack();
  port = (server.address() as AddressInfo).port;
  hub.url = `http://127.0.0.1:${port}`;
  return hub;

  function answerTo(path: string, body: Body): unknown {
    if (path === '/api/v1/plugin/register') {
      const site = { id: '018f0000-0000-7000-8000-000000000001', state: 'live' };
      return {
        handle: 'anna',
        expectedPluginVersion: '0.1.0',
        site,
        signingKeys: SIGNING_KEYS,
        forms: hub.forms,
        membersAt: hub.membersAt,
        ...{ joinAt: hub.joinAt, readersAt: hub.readersAt, freeOpens: hub.freeOpens, tiers: hub.tiers },
        members: hub.members,
      };
    }
    if (path === '/api/v1/plugin/member-passes') {
      const granted = hub.grants.get(body.grant!);
      hub.grants.delete(body.grant!);
      return granted?.start === createHash('sha256').update(body.start!).digest('base64url') ? granted : {};
    }
    if (path === '/api/v1/plugin/member-passes/renew')
      return { token: hub.words.get(body.device!) ?? null, tiers: hub.tiers };
    if (path === '/api/v1/plugin/free-opens') {
      return { token: hub.openForFree(body.device!, body.post!), tiers: hub.tiers };
    }
    if (path === '/api/v1/plugin/passed-recipes') {
      return { ...hub.passRecipe(body.device!, body.post!), tiers: hub.tiers };
    }
    if (path === '/api/v1/plugin/passed-recipes/open') {
      return { token: hub.friends.get(body.link!) ?? null, secret: SECRET, tiers: hub.tiers };
    }
    if (path === '/api/v1/plugin/forms') return { forms: hub.forms };
    if (path === '/api/v1/plugin/gate-passes') {
      return { passes: body.attempts!.map((attempt) => ({ attempt, opens: hub.subscribers.has(attempt) })) };
    }
    if (path.startsWith('/api/v1/plugin/shop-buttons')) {
      return { state: 'live', version: hub.listsAt, listsAt: hub.listsAt, buttons: hub.buttons };
    }
    if (path.startsWith('/api/v1/plugin/link-swaps'))
      return { state: 'live', version: '', linksAt: hub.listsAt, posts: [] };
    if (path.startsWith('/api/v1/plugin/recipes')) return { state: 'live' };
    const submissions = body.submissions ?? [];
    hub.submissions.push(...submissions);
    return {
      results: submissions.map((submission) => ({
        attempt: submission.attempt,
        ...{ code: null, message: null, ...hub.answer(submission) },
      })),
    };
  }
}

/** As the hub prints it, short. */
export function printed(key: string, kind: string, name: string) {
  const html = (title: string) => `<creator-hq-form><template shadowrootmode="open">
<style>form{display:grid;gap:8px;border:1px solid #ccc;padding:16px}input,button{font:inherit;min-height:44px}.w{position:absolute;left:-9999px}</style>
<form method="post" action="%%chq-action%%"><h2>${title}</h2>
<label for="e">Email</label><input id="e" name="email" type="email" autocomplete="email" required>
<label><input type="checkbox" name="newsletter" value="1"> Send me new recipes too</label>
<div class="w" aria-hidden="true"><label>Website <input name="website" tabindex="-1" autocomplete="off"></label></div>
<input type="hidden" name="form" value="${key}"><input type="hidden" name="post" value="%%chq-post%%">
<input type="hidden" name="recipe" value="%%chq-recipe%%"><input type="hidden" name="stamp" value="%%chq-stamp%%">
<input type="hidden" name="attempt" value="%%chq-attempt%%">
<button type="submit">Send it to me</button><p role="status"></p></form></template></creator-hq-form>`;
  return {
    key,
    kind,
    name,
    version: 3,
    languages: [
      { language: 'en', html: html('Save this recipe') },
      { language: 'de', html: html('Rezept speichern') },
    ],
  };
}

/** The hub's word on a member, as `CreatorHq\\Gate\\MemberPass` reads it; times in seconds from now. */
export function memberToken(
  {
    device = 'device1',
    until = 86_400,
    tiers = {} as Record<string, number>,
    isReader = false,
    askAfter = 3600,
    deadAfter = 31 * 86_400,
    posts = {} as Record<number, number>,
    free = null as [left: number, most: number] | null,
    toPass = 0,
    isLate = false,
  } = {},
  key = SIGNING_KEYS[0]!,
): string {
  const now = Math.floor(Date.now() / 1000);
  const held = Object.fromEntries(Object.entries(tiers).map(([id, seconds]) => [id, now + seconds]));
  const said = {
    ...{ device, until: now + until, tiers: held, isReader, askAfter: now + askAfter, deadAfter: now + deadAfter },
    posts: Object.fromEntries(Object.entries(posts).map(([id, seconds]) => [id, now + seconds])),
    ...(free !== null && { free }),
    ...(toPass > 0 && { toPass }),
    ...(isLate && { isLate }),
  };
  const claims = Buffer.from(JSON.stringify(said)).toString('base64url');
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`member pass\n${claims}`);
  return `chq1.${claims}.${mac.digest('base64url')}`;
}

export const SECRET = 's'.repeat(43);
