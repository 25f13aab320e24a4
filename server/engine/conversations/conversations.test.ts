import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AutomationGiven, createEngineWorld, type EngineWorld } from '#server/engine/testing/engine-world.ts';
import type { MessageView } from '#simulators/meta/control/types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const OPENING = { text: 'Shall I send it?', buttonTitle: 'Send it to me' };
const FOLLOW = { text: 'Follow me first', buttonTitle: 'I follow' };
const EMAIL = { text: 'Your e-mail?', consent: 'You get my letter.' };

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

async function scene(given: AutomationGiven) {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator, { messageText: 'The link', ...given });
  let engine = await world.startEngine();
  const { control } = world.simulator;
  const accountId = creator.instagramAccountId;
  const idOf = (person: number) => creator.followers[person]!.personId;
  /** All messages of the account to this follower, oldest first. */
  const messages = async (person = 0): Promise<MessageView[]> =>
    (await control.thread(idOf(person), accountId)).messages.filter(({ from }) => from === 'account');
  const settle = async () => {
    for (let round = 0; round < 2; round++) {
      await world.webhooksArrived();
      await world.advance(1000);
      await world.settle(engine, MINUTE_MS);
    }
  };
  return {
    creator,
    settle,
    messages,
    follows: (follows: boolean, person = 0) => control.setRelation(idOf(person), accountId, { follows }),
    async comment(text = 'recipe', person = 0) {
      await control.comment({ mediaId: creator.posts[0]!.mediaId, personId: idOf(person), text });
      await settle();
    },
    async write(text: string, person = 0) {
      await control.directMessage({ accountId, personId: idOf(person), text });
      await settle();
    },
    /** Taps the first button (or the one named) of the newest message that has any. */
    async tap(person = 0, button: number | string = 0) {
      const [last] = (await messages(person)).filter(({ buttons }) => buttons.length > 0).slice(-1);
      await control.tap({ personId: idOf(person), messageId: last!.messageId, button });
      await settle();
    },
    async tapAgain(person = 0) {
      const [first] = (await messages(person)).filter(({ buttons }) => buttons.length > 0);
      await control.tap({ personId: idOf(person), messageId: first!.messageId, button: 0 });
    },
    async sweep() {
      await engine.sweep();
      await settle();
    },
    async restart() {
      engine = await world.startEngine();
    },
    got: async (person = 0) => (await messages(person)).map(textOf),
    outcomes: async () => (await world.interactions(creator)).map(({ outcome, reason }) => `${outcome}: ${reason}`),
    async conversation() {
      const { rows } = await world.db.enginePool.query(
        'select state, ended_because from conversations where creator_id = $1 order by id',
        [creator.creatorId],
      );
      return rows.map((row) => (row.ended_because === null ? row.state : `${row.state}: ${row.ended_because}`));
    },
  };
}

function textOf({ text, message }: MessageView): string {
  const { attachment } = message as { attachment?: { payload?: { text?: string } } };
  return text || (attachment?.payload?.text ?? '');
}

describe('an opening', () => {
  test('asks for a tap, and the tap brings the link, once', async () => {
    const { comment, tap, tapAgain, settle, got, outcomes, conversation } = await scene({ opening: OPENING });
    await comment();
    expect(await got()).toEqual(['Shall I send it?']);
    await tap();
    await tapAgain();
    await settle();
    expect(await got()).toEqual(['Shall I send it?', 'The link']);
    expect(await outcomes()).toEqual(['replied: opening_sent', 'replied: sent', 'skipped: button_tap']);
    expect(await conversation()).toEqual(['ended: delivered']);
  });

  test('two quick taps bring one link', async () => {
    const { comment, tapAgain, settle, got } = await scene({ opening: OPENING });
    await comment();
    await tapAgain();
    await tapAgain();
    await settle();
    expect(await got()).toEqual(['Shall I send it?', 'The link']);
  });

  test('that nobody taps is closed after thirty days; a late tap is answered all the same', async () => {
    const { comment, tap, sweep, got, conversation } = await scene({ opening: OPENING });
    await comment();
    await world.advance(30 * DAY_MS);
    await sweep();
    expect(await conversation()).toEqual(['ended: no_tap']);
    await tap();
    expect(await got()).toEqual(['Shall I send it?', 'The link']);
  });

  test('carries what was promised then, whatever the creator changed since', async () => {
    const { creator, comment, tap, restart, got } = await scene({ opening: OPENING });
    await comment();
    await world.db.enginePool.query(`update automations set message_text = 'Something else' where creator_id = $1`, [
      creator.creatorId,
    ]);
    await restart();
    await tap();
    expect((await got()).at(-1)).toBe('The link');
  });

  test('is not tapped by somebody else', async () => {
    const { creator, comment, got, settle } = await scene({ opening: OPENING });
    const other = await world.addCreator({ webhooks: true });
    await comment();
    const { rows } = await world.db.enginePool.query('select id from conversations where creator_id = $1', [
      creator.creatorId,
    ]);
    await world.simulator.control.directMessage({
      accountId: other.instagramAccountId,
      personId: other.followers[0]!.personId,
      text: 'Yes',
      quickReplyPayload: `go:${rows[0].id}`,
    });
    await settle();
    expect(await got()).toEqual(['Shall I send it?']);
  });
});

describe('the follow check', () => {
  test('asks who does not follow, and lets them through once they do', async () => {
    const { comment, tap, follows, got, outcomes } = await scene({ opening: OPENING, followAsk: FOLLOW });
    await follows(false);
    await comment();
    await tap();
    await tap();
    expect(await got()).toEqual(['Shall I send it?', 'Follow me first', 'Follow me first']);
    await follows(true);
    await tap();
    expect((await got()).at(-1)).toBe('The link');
    expect(await outcomes()).toEqual([
      'replied: opening_sent',
      'replied: asked_to_follow',
      'replied: asked_to_follow',
      'replied: sent',
    ]);
  });

  test('is not felt by who follows', async () => {
    const { comment, tap, follows, got } = await scene({ opening: OPENING, followAsk: FOLLOW });
    await follows(true);
    await comment();
    await tap();
    expect(await got()).toEqual(['Shall I send it?', 'The link']);
  });

  test('traps nobody where Meta does not tell: one question, then they are believed', async () => {
    const { creator, comment, tap, follows, got } = await scene({ opening: OPENING, followAsk: FOLLOW });
    await world.simulator.control.addFault({
      match: { operation: 'profile_read', accountId: creator.instagramAccountId },
      action: { kind: 'error', code: 230 },
      times: 0,
    });
    await follows(false);
    await comment();
    await tap();
    await tap();
    expect(await got()).toEqual(['Shall I send it?', 'Follow me first', 'The link']);
  });

  test('of a message is made at once, without an opening', async () => {
    const { write, tap, follows, got } = await scene({ trigger: 'direct_message', followAsk: FOLLOW });
    await follows(false);
    await write('recipe');
    expect(await got()).toEqual(['Follow me first']);
    await follows(true);
    await tap();
    expect((await got()).at(-1)).toBe('The link');
  });
});

describe('the question for an address', () => {
  const asked = { trigger: 'direct_message', emailAsk: EMAIL } as const;

  test('keeps the cleaned address with the wording they agreed to, then gives the link', async () => {
    const { creator, write, got, outcomes } = await scene(asked);
    await write('recipe');
    await write('sure: Ana@Example.COM!');
    expect(await got()).toEqual(['Your e-mail?\n\nYou get my letter.', 'The link']);
    expect(await outcomes()).toEqual(['replied: asked_for_email', 'replied: email_taken']);
    const { rows } = await world.db.enginePool.query(
      `select c.email, c.wording, c.place, p.email as kept from consents c
       join people p on p.creator_id = c.creator_id and p.id = c.person_id where c.creator_id = $1`,
      [creator.creatorId],
    );
    const email = 'Ana@example.com';
    expect(rows).toEqual([{ email, wording: 'You get my letter.', place: 'instagram_message', kept: email }]);
  });

  test.each([
    ["Yes, that's it", 'ana@gmail.com'],
    ['No, keep mine', 'ana@gmial.com'],
  ])('asks once about a slip of the finger: %s', async (answer, kept) => {
    const { creator, write, tap, got } = await scene(asked);
    await write('recipe');
    await write('ana@gmial.com');
    expect((await got()).at(-1)).toBe('Did you mean ana@gmail.com?');
    await tap(0, answer);
    expect((await got()).at(-1)).toBe('The link');
    const { rows } = await world.db.enginePool.query('select email from consents where creator_id = $1', [
      creator.creatorId,
    ]);
    expect(rows).toEqual([{ email: kept }]);
  });

  test('gives a hint once, then the link without an address', async () => {
    const { creator, write, got } = await scene(asked);
    await write('recipe');
    await write('why?');
    await write('no thanks');
    expect(await got()).toHaveLength(3);
    expect((await got()).at(-1)).toBe('The link');
    const { rows } = await world.db.enginePool.query('select from consents where creator_id = $1', [creator.creatorId]);
    expect(rows).toEqual([]);
  });

  test.each<[string, AutomationGiven]>([
    [
      'by the translation they get',
      { translations: [{ language: 'fr', words: ['recette'], messageText: 'Le lien', publicReplies: [] }] },
    ],
    ['by the word they wrote', { words: ['recipe', 'recette'] }],
  ])('is followed up in their language: %s', async (_how, given) => {
    const { write, tap, got } = await scene({ ...asked, ...given });
    await write('recette');
    await write('pourquoi ?');
    expect((await got()).at(-1)).toContain('Tu peux l’écrire encore une fois');
    await write('ana@gmial.com');
    expect((await got()).at(-1)).toBe('Tu voulais dire ana@gmail.com ?');
    await tap(0, 'Oui, celle-là');
    expect((await got()).at(-1)).toMatch(/^(Le lien|The link)$/);
  });

  test('comes once ever, whichever automation asks', async () => {
    const { creator, write, restart, got } = await scene(asked);
    await write('recipe');
    await write('ana@example.com');
    await world.addAutomation(creator, {
      ...asked,
      words: ['soup'],
      messageText: 'The soup',
      buttons: [{ title: 'Soup', url: 'https://example.com/soup', code: 's0up123' }],
    });
    await restart();
    await write('soup');
    expect((await got()).at(-1)).toBe('The soup');
  });
});

describe('the follow-up', () => {
  const given = { trigger: 'direct_message', followUp: { text: 'Did you see it?', afterMinutes: 60 } } as const;

  test('comes once when nobody clicked', async () => {
    const { write, settle, got, outcomes, conversation } = await scene(given);
    await write('recipe');
    expect(await conversation()).toEqual(['delivered']);
    await world.advance(HOUR_MS);
    await settle();
    expect(await got()).toEqual(['The link', 'Did you see it?']);
    expect(await outcomes()).toEqual(['replied: sent']);
    expect(await conversation()).toEqual(['ended: follow_up_sent']);
  });

  test.each<[string, (creatorId: string, write: (text: string) => Promise<void>) => Promise<unknown>, string]>([
    [
      'they clicked',
      (creatorId) =>
        world.db.enginePool.query('update deliveries set clicked_at = now() where creator_id = $1', [creatorId]),
      'ended: clicked',
    ],
    ['they wrote STOP', (_creatorId, write) => write('stop'), 'ended: stopped'],
  ])('does not come when %s', async (_name, happens, state) => {
    const { creator, write, settle, got, conversation } = await scene(given);
    await write('recipe');
    await happens(creator.creatorId, write);
    await world.advance(HOUR_MS);
    await settle();
    expect(await got()).toEqual(['The link']);
    expect(await conversation()).toEqual([state]);
  });

  test('does not come after a comment that they never answered: there are no 24 hours', async () => {
    const { comment, settle, got, conversation } = await scene({ ...given, trigger: 'comment' });
    await comment();
    await world.advance(HOUR_MS);
    await settle();
    expect(await got()).toEqual(['The link']);
    expect(await conversation()).toEqual(['ended: delivered']);
  });
});

describe('in between', () => {
  test('the creator’s own answer ends it; their later tap is answered once they are handed back', async () => {
    const { creator, comment, tap, settle, got, conversation } = await scene({ opening: OPENING });
    await comment();
    await world.simulator.control.ownerMessage({
      accountId: creator.instagramAccountId,
      personId: creator.followers[0]!.personId,
      text: 'Hi Ana',
    });
    await settle();
    expect(await conversation()).toEqual(['ended: taken_over']);
    await tap();
    expect(await got()).toEqual(['Shall I send it?', 'Hi Ana']);
    await world.advance(13 * HOUR_MS);
    await tap();
    expect((await got()).at(-1)).toBe('The link');
  });

  test('a link whose answer was lost is not sent twice', async () => {
    const { creator, comment, tap, settle, got, outcomes } = await scene({ opening: OPENING });
    await comment();
    await world.simulator.control.addFault({
      match: { operation: 'message', accountId: creator.instagramAccountId },
      action: { kind: 'no_message_id' },
    });
    await tap();
    await tap();
    await world.advance(MINUTE_MS);
    await settle();
    expect((await got()).filter((text) => text === 'The link')).toHaveLength(1);
    expect((await outcomes())[1]).toBe('replied: sent_confirmed_later');
  });
});
