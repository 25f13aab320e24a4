import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AutomationInput } from '#contract/automations.ts';
import type { SeedPostInput } from '#simulators/meta/control/types.ts';
import {
  type AutomationGiven,
  createEngineWorld,
  type EngineWorld,
  type WorldCreator,
} from './testing/engine-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

/** A creator whose followers' doings are told to the engine, with one automation. */
async function scene(given: AutomationGiven = {}) {
  const creator = await world.addCreator({ webhooks: true });
  const automationId = await world.addAutomation(creator, given);
  const engine = await world.startEngine();
  const { control } = world.simulator;
  const accountId = creator.instagramAccountId;
  const who = (person: number) => ({ accountId, personId: creator.followers[person]!.personId });
  const settle = async () => {
    await world.webhooksArrived();
    // Interactions are listed in the order of their times.
    await world.advance(1000);
    await world.settle(engine, HOUR_MS);
    // Echoes of what went out.
    await world.webhooksArrived();
    await world.settle(engine, HOUR_MS);
  };
  return {
    creator,
    automationId,
    engine,
    settle,
    post: (more: Partial<SeedPostInput>) => control.seedPost({ accountId, ...more }),
    async comment(text: string, { person = 0, mediaId = creator.posts[0]!.mediaId } = {}) {
      const { commentId } = await control.comment({ mediaId, personId: creator.followers[person]!.personId, text });
      await settle();
      return commentId;
    },
    async write(text: string, person = 0) {
      const { messageId } = await control.directMessage({ ...who(person), text });
      await settle();
      return messageId;
    },
    async replyToStory(storyId: string, text: string, person = 0) {
      await control.storyReply({ storyId, personId: creator.followers[person]!.personId, text });
      await settle();
    },
    async mention(person = 0) {
      await control.storyMention(who(person));
      await settle();
    },
    async type(text: string, person = 0) {
      await control.ownerMessage({ ...who(person), text });
      await settle();
    },
    /** Texts (or card titles) that this follower got from the account. */
    async got(person = 0): Promise<string[]> {
      const { messages } = await control.thread(creator.followers[person]!.personId, accountId);
      return messages.filter(({ from, viaApi }) => from === 'account' && viaApi).map(({ text }) => text);
    },
    outcomes: () => outcomesOf(creator),
  };
}

async function outcomesOf(creator: WorldCreator): Promise<string[]> {
  return (await world.interactions(creator)).map(({ outcome, reason }) => `${outcome}: ${reason}`);
}

describe('each door', () => {
  test('a direct message with the word is answered with the link', async () => {
    const { write, got, outcomes } = await scene({ trigger: 'direct_message', messageText: 'Here {{word}}' });
    await write('the Recipe please');
    await write('what a day', 1);
    expect(await got()).toEqual(['Here recipe']);
    expect(await got(1)).toEqual([]);
    expect(await outcomes()).toEqual(['replied: sent', 'skipped: direct_message']);
  });

  test('any first message is welcomed, the next one only after a silence', async () => {
    const given = { trigger: 'direct_message', mode: 'any_comment', words: [], messageText: 'Welcome' } as const;
    const { write, got, outcomes } = await scene({ ...given, words: [], repeatAfterMinutes: 1440 });
    await write('hello');
    await write('are you there?');
    await world.advance(25 * HOUR_MS);
    await write('hello again');
    expect(await got()).toEqual(['Welcome', 'Welcome']);
    expect(await outcomes()).toEqual(['replied: sent', 'skipped: direct_message', 'replied: sent']);
  });

  test('a story reply to the story is answered, to another it is not', async () => {
    const { creator, post, replyToStory, got, outcomes } = await scene({ words: ['never'] });
    const story = await post({ product: 'STORY' });
    const other = await post({ product: 'STORY' });
    await world.addAutomation(creator, { trigger: 'story_reply', postId: story.mediaId, messageText: 'For the story' });
    await replyToStory(story.mediaId, 'RECIPE');
    await replyToStory(other.mediaId, 'RECIPE', 1);
    expect(await got()).toEqual(['For the story']);
    expect(await outcomes()).toEqual(['replied: sent', 'skipped: story_interaction']);
  });

  test('an emoji as the word works on any story', async () => {
    const { post, replyToStory, got } = await scene({ trigger: 'story_reply', words: ['🔥'], messageText: 'Hot' });
    const story = await post({ product: 'STORY' });
    await replyToStory(story.mediaId, '🔥🔥');
    expect(await got()).toEqual(['Hot']);
  });

  test('a story mention is thanked for, once a day and person', async () => {
    const { mention, got, outcomes } = await scene({ trigger: 'story_mention', messageText: 'Thank you!' });
    await mention();
    await mention();
    await mention(1);
    await world.advance(DAY_MS);
    await mention();
    expect(await got()).toEqual(['Thank you!', 'Thank you!']);
    expect(await got(1)).toEqual(['Thank you!']);
    expect(await outcomes()).toEqual([
      'replied: thanked',
      'skipped: thanked_lately',
      'replied: thanked',
      'replied: thanked',
    ]);
  });

  test('a comment in a live is answered in the live’s own lane, while it runs', async () => {
    const { creator, post, comment, settle, got, outcomes } = await scene({
      trigger: 'live_comment',
      messageText: 'Live link',
    });
    const live = await post({ product: 'LIVE' });
    await comment('recipe', { mediaId: live.mediaId });
    expect(await got()).toEqual(['Live link']);
    const { rows } = await world.db.enginePool.query('select lane from deliveries where creator_id = $1', [
      creator.creatorId,
    ]);
    expect(rows).toEqual([{ lane: 'live_replies' }]);
    await world.simulator.control.comment({
      mediaId: live.mediaId,
      personId: creator.followers[1]!.personId,
      text: 'recipe',
    });
    await world.simulator.control.endLive(live.mediaId);
    await settle();
    expect(await outcomes()).toEqual(['replied: sent', 'missed: live_over']);
  });

  test('what waits for a live that is over is given up at once', async () => {
    const { creator, post, engine, got, outcomes } = await scene({ trigger: 'live_comment' });
    const live = await post({ product: 'LIVE' });
    const { control } = world.simulator;
    const { enginePool } = world.db;
    await control.comment({ mediaId: live.mediaId, personId: creator.followers[0]!.personId, text: 'recipe' });
    await world.webhooksArrived();
    engine.deliveriesQueued(creator.creatorId, creator.connectionId);
    await engine.ingestOnce();
    await enginePool.query(
      `insert into stories (creator_id, id, connection_id, kind, posted_at, ended_at)
       values ($1, $2, $3, 'live', $4, $4)`,
      [creator.creatorId, live.mediaId, creator.connectionId, world.clock.now()],
    );
    await engine.sweep();
    await world.settle(engine, HOUR_MS);
    expect(await got()).toEqual([]);
    expect(await outcomes()).toEqual(['missed: live_over']);
  });

  test('a comment on a post whose caption fitted is answered, on others it is not', async () => {
    const { creator, automationId, comment, got, outcomes } = await scene({});
    const { enginePool } = world.db;
    await enginePool.query(`update automations set scope = 'caption' where id = $1`, [automationId]);
    await enginePool.query(
      'insert into automation_posts (creator_id, automation_id, post_id, attached_at) values ($1, $2, $3, $4)',
      [creator.creatorId, automationId, creator.posts[1]!.mediaId, world.clock.now()],
    );
    await comment('recipe', { mediaId: creator.posts[1]!.mediaId });
    await comment('recipe', { person: 1 });
    expect(await outcomes()).toEqual(['replied: sent', 'skipped: no_automation']);
    expect(await got()).toHaveLength(1);
  });

  test('one automation’s words say nothing at another door', async () => {
    const { comment, write, outcomes } = await scene({ trigger: 'direct_message' });
    await comment('recipe');
    await write('recipe', 1);
    expect(await outcomes()).toEqual(['skipped: no_automation', 'replied: sent']);
  });
});

describe('one person at two doors', () => {
  test('gets the same automation’s link once in its time', async () => {
    const { creator, comment, outcomes } = await scene();
    await comment('recipe');
    await comment('recipe', { mediaId: creator.posts[1]!.mediaId });
    expect(await outcomes()).toEqual(['replied: sent', 'skipped: already_answered']);
  });

  test('is told apart from one who has the link by another automation already', async () => {
    const { creator, comment, got, outcomes } = await scene();
    await world.addAutomation(creator, { trigger: 'direct_message', messageText: 'By message' });
    await world.addAutomation(creator, {
      trigger: 'direct_message',
      words: ['soup'],
      buttons: [{ title: 'Soup', url: 'https://example.com/soup', code: 'soup123' }],
      messageText: 'Soup',
    });
    await comment('recipe');
    // The one who heard of the new automations.
    const engine = await world.startEngine();
    for (const text of ['recipe', 'soup']) {
      await world.simulator.control.directMessage({
        accountId: creator.instagramAccountId,
        personId: creator.followers[0]!.personId,
        text,
      });
      await world.webhooksArrived();
      await world.advance(1000);
      await world.settle(engine, HOUR_MS);
    }
    expect(await got()).toHaveLength(2);
    expect(await outcomes()).toEqual(['replied: sent', 'skipped: already_has_it', 'replied: sent']);
  });
});

describe('STOP', () => {
  test('takes what is queued off the queue and is obeyed until START', async () => {
    const { creator, comment, write, got, outcomes } = await scene();
    await world.addAutomation(creator, {
      trigger: 'direct_message',
      words: ['soup'],
      messageText: 'Soup',
      buttons: [],
    });
    await write('STOP');
    await comment('recipe');
    expect(await got()).toEqual([]);
    await write('Start!');
    await comment('recipe', { mediaId: creator.posts[1]!.mediaId });
    expect(await got()).toHaveLength(1);
    expect(await outcomes()).toEqual([
      'replied: stop_obeyed',
      'skipped: stopped',
      'replied: start_obeyed',
      'replied: sent',
    ]);
  });

  test('reaches a message that waits in the queue', async () => {
    const { creator, engine, got, outcomes } = await scene();
    await world.db.enginePool.query('update connections set webhooks_paused_at = now() where creator_id = $1', [
      creator.creatorId,
    ]);
    const { control } = world.simulator;
    const { personId } = creator.followers[0]!;
    await control.comment({ mediaId: creator.posts[0]!.mediaId, personId, text: 'recipe' });
    await world.webhooksArrived();
    await engine.ingestOnce();
    await world.advance(1000);
    await control.directMessage({ accountId: creator.instagramAccountId, personId, text: 'stop' });
    await world.webhooksArrived();
    await engine.ingestOnce();
    await world.db.enginePool.query('update connections set webhooks_paused_at = null where creator_id = $1', [
      creator.creatorId,
    ]);
    await world.settle(engine, HOUR_MS);
    expect(await got()).toEqual([]);
    expect(await outcomes()).toEqual(['skipped: stopped', 'replied: stop_obeyed']);
  });
});

describe('the creator answers by hand', () => {
  test('in the app: automations leave the person alone for twelve hours', async () => {
    const { write, type, got, outcomes } = await scene({ trigger: 'direct_message', repeatAfterMinutes: null });
    await type('Hi Ana, how are you?');
    await write('recipe');
    expect(await got()).toEqual([]);
    await write('recipe', 1);
    await world.advance(12 * HOUR_MS);
    await write('recipe');
    expect(await got()).toHaveLength(1);
    expect(await outcomes()).toEqual(['skipped: taken_over', 'replied: sent', 'replied: sent']);
  });

  test('our own messages’ echoes are not mistaken for theirs, not even when they come first', async () => {
    const { creator, write, got, outcomes } = await scene({ trigger: 'direct_message', repeatAfterMinutes: null });
    await world.simulator.control.addFault({
      match: { accountId: creator.instagramAccountId },
      action: { kind: 'echo_first' },
    });
    await write('recipe');
    await write('recipe again');
    expect(await got()).toHaveLength(2);
    expect(await outcomes()).toEqual(['replied: sent', 'replied: sent']);
    const { rows } = await world.db.enginePool.query('select from own_messages where creator_id = $1', [
      creator.creatorId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('what is not answered', () => {
  test('a message they took back', async () => {
    const { creator, engine, got, outcomes } = await scene({ trigger: 'direct_message' });
    const { control } = world.simulator;
    const { messageId } = await control.directMessage({
      accountId: creator.instagramAccountId,
      personId: creator.followers[0]!.personId,
      text: 'recipe',
    });
    await world.webhooksArrived();
    engine.deliveriesQueued(creator.creatorId, creator.connectionId);
    await engine.ingestOnce();
    await control.unsend(messageId);
    await world.webhooksArrived();
    await engine.ingestOnce();
    await world.settle(engine, HOUR_MS);
    expect(await got()).toEqual([]);
    expect(await outcomes()).toEqual(['skipped: unsent']);
    expect((await world.interactions(creator))[0]!.text).toBe('');
  });

  test('a blocked person', async () => {
    const { creator, comment, got, outcomes } = await scene();
    await world.db.enginePool.query(
      'insert into people (creator_id, connection_id, id, first_seen_at, blocked_at) values ($1, $2, $3, now(), now())',
      [creator.creatorId, creator.connectionId, creator.followers[0]!.igsid],
    );
    await comment('recipe');
    expect(await got()).toEqual([]);
    expect(await outcomes()).toEqual(['skipped: blocked']);
  });

  test('reactions, which are no messages', async () => {
    const { creator, write, settle, outcomes } = await scene({ trigger: 'direct_message' });
    await write('recipe');
    const { messages } = await world.simulator.control.thread(
      creator.followers[0]!.personId,
      creator.instagramAccountId,
    );
    await world.simulator.control.react({
      messageId: messages.at(-1)!.messageId,
      personId: creator.followers[0]!.personId,
      reaction: 'love',
    });
    await settle();
    expect(await outcomes()).toEqual(['replied: sent']);
  });

  test.each<[string, object, string]>([
    ['standby', { standby: [{}] }, 'skipped: another_app'],
    ['a message to oneself', { messaging: [{ self: true }] }, 'skipped: self_test'],
  ])('%s', async (_name, wrapped, outcome) => {
    const { creator, engine, outcomes } = await scene({ trigger: 'direct_message' });
    const accountId = creator.instagramAccountId;
    const self = 'messaging' in wrapped;
    const item = {
      sender: { id: self ? accountId : creator.followers[0]!.igsid },
      recipient: { id: accountId },
      timestamp: world.clock.now().getTime(),
      message: { mid: `m-${accountId}`, text: 'recipe', ...(self && { is_echo: true, is_self: true }) },
    };
    const entry = { id: accountId, time: world.clock.now().getTime(), [Object.keys(wrapped)[0]!]: [item] };
    await world.deliver({ body: JSON.stringify({ object: 'instagram', entry: [entry] }), accountId });
    await world.settle(engine, HOUR_MS);
    expect(await outcomes()).toEqual([outcome]);
  });

  test('a comment whose writer has a name and no id is answered, and an own one is not', async () => {
    const { creator, engine, got, outcomes } = await scene();
    const theirs = await world.comment(creator, { text: 'recipe' });
    const own = await world.comment(creator, { text: 'recipe', by: 'owner' });
    for (const { body, accountId } of [theirs, own]) {
      const envelope = JSON.parse(body);
      const [change] = envelope.entry[0].changes ?? [envelope.entry[0]];
      change.value.from = { username: change.value.from.username };
      await world.deliver({ body: JSON.stringify(envelope), accountId });
    }
    await world.settle(engine, HOUR_MS);
    expect(await got()).toHaveLength(1);
    expect((await outcomes()).toSorted()).toEqual(['replied: sent', 'skipped: own_comment']);
  });

  test('a comment that Meta tells twice for an ad has one outcome', async () => {
    const { creator, engine, got, outcomes } = await scene();
    const comment = await world.comment(creator, { text: 'recipe' });
    const ad = JSON.parse(comment.body);
    const [change] = ad.entry[0].changes ?? [ad.entry[0]];
    change.value.media = { ...change.value.media, id: '999', ad_id: '1', original_media_id: change.value.media.id };
    await world.deliver(comment);
    await world.deliver({ ...comment, body: JSON.stringify(ad) });
    await world.settle(engine, HOUR_MS);
    expect(await got()).toHaveLength(1);
    expect(await outcomes()).toEqual(['replied: sent']);
  });
});

describe('texts', () => {
  const variants: AutomationInput['variants'] = [
    { id: 'b', text: 'B' },
    { id: 'c', text: 'C' },
  ];
  test('take turns among the wordings, never one twice running, and are told apart', async () => {
    const { creator, comment, got } = await scene({ messageText: 'A', variants });
    const said: string[] = [];
    for (const person of [0, 1, 2, 3]) {
      await comment('recipe', { person });
      said.push(...(await got(person)));
    }
    expect(said).toHaveLength(4);
    for (const [index, text] of said.entries()) if (index > 0) expect(text).not.toBe(said[index - 1]);
    const { rows } = await world.db.enginePool.query(
      `select upper(variant) as variant, content ->> 'text' as text from deliveries where creator_id = $1`,
      [creator.creatorId],
    );
    for (const { variant, text } of rows) expect(variant).toBe(text);
  });

  test('are in the language of the words they wrote', async () => {
    const translations: AutomationInput['translations'] = [
      { language: 'es', words: ['receta'], messageText: 'Aquí está', publicReplies: ['Te escribí'] },
    ];
    const { creator, comment, got } = await scene({ messageText: 'Here', publicReplies: ['Sent'], translations });
    await comment('la RECETA por favor');
    await comment('recipe', { person: 1 });
    expect([await got(), await got(1)]).toEqual([['Aquí está'], ['Here']]);
    const comments = await world.simulator.control.comments(creator.posts[0]!.mediaId);
    const replies = comments.flatMap((one) => one.replies.map(({ text }) => text));
    expect(replies.sort()).toEqual(['Sent', 'Te escribí']);
  });

  test('come as a card with up to three links', async () => {
    const { creator, comment } = await scene({
      card: { title: 'The pan', subtitle: '', imageUrl: 'https://example.com/pan.jpg' },
      messageText: 'Our favourite',
      buttons: ['One', 'Two', 'Three'].map((title, at) => ({
        title,
        url: `https://example.com/${at}`,
        code: `c0de${at}`,
      })),
    });
    await comment('recipe');
    const { messages } = await world.simulator.control.thread(
      creator.followers[0]!.personId,
      creator.instagramAccountId,
    );
    expect(messages.at(-1)!.message).toMatchObject({
      attachment: {
        payload: {
          template_type: 'generic',
          elements: [
            {
              title: 'The pan',
              subtitle: 'Our favourite',
              buttons: [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }],
            },
          ],
        },
      },
    });
  });
});
