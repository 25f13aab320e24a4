/**
 * The sixty days that the demo creator has lived: time hops from one thing to the next, here and in the simulator. Nothing is
 * put in: whatever the screens show was decided and sent.
 *
 *     followers comment (simulator) → webhook → event log → engine decides and sends → followers read, tap and open links
 */
import { RENEW_EVERY_MS } from '#server/engine/shards/leases.ts';
import type { BatchCall, MessageView, MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import { type Happening, pastUntil } from '#simulators/meta/demo/past.ts';
import { pastCrowd } from '#simulators/meta/demo/people.ts';
import { scenePath } from '#simulators/meta/demo/pictures.ts';
import { randomFrom } from '#simulators/meta/demo/random.ts';
import { reactionsTo } from '#simulators/meta/demo/reactions.ts';
import { choresOf, type Owner, respondTo } from './creator.ts';
import { appLinkUrls } from './libraries.ts';
import type { Opening, Past } from './past.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Events within it are one hop: webhooks take that long to come. */
const HOP_MS = 40_000;

const ANSWER = 'Hi! Thank you for asking. I’ll write about it this week, so keep an eye on my stories 💛';

export type Span = { end: number; days: number };

type Call = { call: BatchCall; then?: (result: unknown) => void };
type Arrived = MessageView & { personId: string };

export type Playing = {
  accountId: string;
  owner: Owner;
  span: Span;
  stopping: AbortSignal;
  /** At the end, while it is still the demo that hears of it. */
  finish(): Promise<unknown>;
};

/** Plays from the clock's time until the end. @throws when `stopping` aborts: the demo is then made again at the next start */
export async function playPast(
  past: Past,
  control: MetaSimulatorControl,
  { accountId, owner, span, stopping, finish }: Playing,
): Promise<void> {
  const began = past.deps.clock.now().getTime();
  const media = new Map<string, string>();
  const known = new Set<string>();
  const people = new Map(pastCrowd.map((person) => [person.id, person]));
  const later: (Call & { at: number })[] = [];
  const opening: (Opening & { at: number })[] = [...(await openingsOf(past, owner, span))];
  /** After these times, somebody who is written to wants no more. */
  const stops = [0.6, 0.9].map((share) => began + share * (span.end - began));
  let messages = (await control.messagesAfter(0)).length;
  let renewAt = 0;

  const post = (path: string, body: unknown, then?: Call['then']): Call => ({
    call: { method: 'POST', path, body },
    ...(then !== undefined && { then }),
  });
  const soon = (at: number, call: Call) => void later.push({ at, ...call });
  const keep = (name: string) => (result: unknown) => void media.set(name, (result as { mediaId: string }).mediaId);

  function callsOf(happening: Happening): Call[] {
    const { at } = happening;
    switch (happening.what) {
      case 'post': {
        const { scene, post: shown } = happening;
        const type = { reel: 'VIDEO', carousel: 'CAROUSEL_ALBUM', post: 'IMAGE' }[shown.kind];
        const product = shown.kind === 'reel' ? 'REELS' : 'FEED';
        const seeded = {
          accountId,
          product,
          mediaType: type,
          caption: shown.caption,
          picture: scenePath(scene),
          createdAt: at,
        };
        return [post('/posts', { ...seeded, likeCount: shown.likes, views: shown.likes * 14 }, keep(scene))];
      }
      case 'comment': {
        const { scene, personId, text, answer } = happening;
        const mediaId = media.get(scene)!;
        const answered = (result: unknown) => {
          const parentId = (result as { commentId: string }).commentId;
          soon(at + 100 * MINUTE_MS, post('/comments', { mediaId, personId: 'owner', parentId, text: answer }));
        };
        const comment = { mediaId, personId, text, createdAt: at };
        return [...meet(personId), post('/comments', comment, answer === undefined ? undefined : answered)];
      }
      case 'story':
      case 'live': {
        const story = happening.what === 'story';
        const product = story ? 'STORY' : 'LIVE';
        const scene = story ? happening.scene : 'miso-ramen';
        const seeded = { accountId, product, caption: happening.caption, picture: scenePath(scene), views: 2_300 };
        return [post('/posts', { ...seeded, createdAt: at }, keep(story ? `story ${scene}` : 'live'))];
      }
      case 'story_reply': {
        const { scene, personId, text } = happening;
        return [...meet(personId), post('/story-replies', { storyId: media.get(`story ${scene}`), personId, text })];
      }
      case 'story_mention':
        return [...meet(happening.personId), post('/story-mentions', { accountId, personId: happening.personId })];
      case 'live_comment': {
        const { personId, text } = happening;
        return [...meet(personId), post('/comments', { mediaId: media.get('live'), personId, text, createdAt: at })];
      }
      case 'live_end':
        return [post(`/posts/${media.get('live')}/end`, {})];
      case 'message': {
        const { personId, text } = happening;
        const answer = post('/owner-messages', { accountId, personId, text: ANSWER });
        if (randomFrom(`${personId} ${text}`)() < 0.6) soon(at + 150 * MINUTE_MS, answer);
        return [...meet(personId), post('/messages', { accountId, personId, text })];
      }
    }
  }

  /** Who has not been seen before is made first; one in six does not follow. */
  function meet(personId: string): Call[] {
    const person = people.get(personId);
    if (known.has(personId) || person === undefined) return [];
    known.add(personId);
    const random = randomFrom(personId);
    const followersCount = Math.round(20 + 900 * random() ** 3);
    const relation = { method: 'PATCH', path: `/people/${personId}/relations/${accountId}`, body: { follows: false } };
    return [post('/people', { ...person, followersCount }), ...(random() < 0.17 ? [{ call: relation }] : [])];
  }

  async function hop(happenings: readonly Happening[], at: number): Promise<void> {
    const due = takeDue(later, at);
    const calls = [...due, ...happenings.flatMap(callsOf), post('/settle', {})];
    past.moveTo(at);
    const results = await control.batch([post('/clock', { to: at }).call, ...calls.map(({ call }) => call)]);
    for (const [index, { then }] of calls.entries()) then?.(results[index + 1]);
    for (const one of takeDue(opening, at)) await past.open(one);
    // Not beside the engine's work on the same rows.
    await past.deps.clicks.flush();
    while (await work()) {
      const [, arrived] = await control.batch([
        post('/settle', {}).call,
        { method: 'GET', path: `/messages/after/${messages}` },
      ]);
      messages += (arrived as Arrived[]).length;
      for (const message of arrived as Arrived[]) if (message.from === 'account') react(message, at);
    }
  }

  /** @returns whether something was sent */
  async function work(): Promise<boolean> {
    const { engine } = past;
    if (performance.now() > renewAt) {
      await engine.holdShards(false);
      renewAt = performance.now() + RENEW_EVERY_MS / 2;
    }
    await engine.ingestOnce();
    let sent = 0;
    for (let claimed = 1; claimed > 0; sent += claimed) claimed = await engine.dispatchOnce();
    return sent > 0;
  }

  function react(message: Arrived, at: number): void {
    const { personId, messageId } = message;
    const asks = message.text.includes('email');
    if (stops.length > 0 && at > stops[0]!) {
      stops.shift();
      soon(at + 4 * MINUTE_MS, post('/messages', { accountId, personId, text: 'STOP' }));
    }
    for (const reaction of reactionsTo(message, at - began, asks)) {
      const when = at + reaction.afterMs;
      if (reaction.does === 'opens')
        opening.push({ at: when, url: reaction.url, network: networkOf(personId), app: 'instagram' });
      else if (reaction.does === 'reads') soon(when, post('/reads', { accountId, personId }));
      else if (reaction.does === 'taps') soon(when, post('/taps', { messageId, personId, button: reaction.button }));
      else soon(when, post('/messages', { accountId, personId, text: reaction.text }));
    }
  }

  const happenings = pastUntil(span.end, span.days).filter(({ at }) => at > began);
  const chores = choresOf(past.deps, owner, span);
  for (const together of inHops(happenings)) {
    stopping.throwIfAborted();
    const at = together.at(-1)!.at + 1_500;
    for (const chore of takeDue(chores, at)) {
      past.moveTo(chore.at);
      await chore.run();
    }
    await hop(together, at);
    for (const happening of together) await respondTo(past.deps, owner, happening, media);
  }
  await hop([], span.end);
  await finish();
  await hop([], span.end);
}

/** People follow the creator's app links from the profile, stories and a printed code. */
async function openingsOf({ deps }: Past, { creatorId }: Owner, { end }: Span): Promise<(Opening & { at: number })[]> {
  const urls = await appLinkUrls(deps, creatorId);
  return urls.flatMap((url) => {
    const random = randomFrom(url.name);
    const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
    return Array.from({ length: 30 + Math.floor(random() * 120) }, () => {
      const app = oneOf(['instagram', 'instagram', 'tiktok', 'safari'] as const);
      const tells = app === 'safari' ? undefined : random() < 0.8 ? 'opened' : 'stayed';
      const place = oneOf(['bio', 'bio', 'story', 'qr']);
      const network = networkOf(`${url.name} ${random()}`);
      return {
        at: end - random() * 27 * DAY_MS,
        url: `${url.shortUrl}/${place}`,
        network,
        app,
        ...(tells && { tells }),
      };
    });
  });
}

function* inHops(happenings: Happening[]): Generator<Happening[]> {
  let together: Happening[] = [];
  for (const happening of happenings) {
    if (together.length > 0 && happening.at > together[0]!.at + HOP_MS) {
      yield together;
      together = [];
    }
    together.push(happening);
  }
  if (together.length > 0) yield together;
}

function takeDue<Item extends { at: number }>(items: Item[], at: number): Item[] {
  const due = items.filter((item) => item.at <= at).sort((one, other) => one.at - other.at);
  items.splice(0, items.length, ...items.filter((item) => item.at > at));
  return due;
}

function networkOf(personId: string): string {
  const random = randomFrom(personId);
  return `10.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.${Math.floor(random() * 254) + 1}`;
}
