import { describe, expect, test } from 'vitest';
import { type ChoosableAutomation, compileForConnection } from './choosing.ts';

let made = 0;
function automation(over: Partial<ChoosableAutomation>): ChoosableAutomation {
  made++;
  return {
    id: `automation-${made}`,
    trigger: 'comment',
    postIds: null,
    keywords: [],
    translations: [],
    words: ['recipe'],
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    createdAt: new Date(made),
    ...over,
  };
}

const on = (postId: string | null) => ({ trigger: 'comment' as const, postId });

describe('which automation answers', () => {
  test('none without an automation, and says so', () => {
    expect(compileForConnection([]).choose(on('post-1'), 'RECIPE')).toEqual({
      automation: null,
      reason: 'no_automation',
    });
    const elsewhere = compileForConnection([automation({ postIds: ['post-2'] })]);
    expect(elsewhere.choose(on('post-1'), 'RECIPE')).toEqual({ automation: null, reason: 'no_automation' });
    expect(elsewhere.choose(on(null), 'RECIPE')).toEqual({ automation: null, reason: 'no_automation' });
  });

  test('none when no word is there', () => {
    const compiled = compileForConnection([automation({})]);
    expect(compiled.choose(on('post-1'), 'Looks lovely')).toEqual({ automation: null, reason: 'no_match' });
  });

  test('none when there is no text, unless every comment is answered', () => {
    expect(compileForConnection([automation({})]).choose(on('post-1'), ' ')).toEqual({
      automation: null,
      reason: 'nothing_to_match',
    });
    const every = automation({ mode: 'any_comment', words: [] });
    expect(compileForConnection([every]).choose(on('post-1'), '')).toMatchObject({
      automation: every,
      how: 'any_comment',
    });
  });

  test('an excluded word is the reason only where the comment would have matched', () => {
    const compiled = compileForConnection([automation({ excludedWords: ['no'] })]);
    expect(compiled.choose(on('post-1'), 'no recipe for me')).toEqual({ automation: null, reason: 'excluded_word' });
    expect(compiled.choose(on('post-1'), 'no way')).toEqual({ automation: null, reason: 'no_match' });
    const all = compileForConnection([
      automation({ mode: 'all_words', words: ['pasta', 'recipe'], excludedWords: ['no'] }),
    ]);
    expect(all.choose(on('post-1'), 'no recipe')).toEqual({ automation: null, reason: 'no_match' });
    expect(all.choose(on('post-1'), 'no pasta recipe')).toEqual({ automation: null, reason: 'excluded_word' });
  });

  test('the automation of the post goes before one for any post, whatever its priority', () => {
    const any = automation({ priority: 1000 });
    const own = automation({ postIds: ['post-1'], typoTolerance: true });
    const compiled = compileForConnection([any, own]);
    expect(compiled.choose(on('post-1'), 'recpie')).toMatchObject({
      automation: own,
      language: null,
      how: 'typo',
      matchedWords: ['recipe'],
    });
    expect(compiled.choose(on('post-2'), 'recipe')).toMatchObject({ automation: any });
    expect(compiled.choose(on(null), 'recipe')).toMatchObject({ automation: any });
  });

  test('the explanation names the same winner, and why each other one lost', () => {
    const any = automation({ priority: 1000 });
    const own = automation({ postIds: ['post-1'] });
    const other = automation({ postIds: ['post-1'], words: ['soup'] });
    const compiled = compileForConnection([any, other, own]);
    expect(
      compiled.explain(on('post-1'), 'Recipe please').map(({ candidate, verdict, lostBy }) => ({
        id: candidate.value.automation.id,
        verdict,
        lostBy,
      })),
    ).toEqual([
      { id: own.id, verdict: 'wins', lostBy: null },
      { id: any.id, verdict: 'loses', lostBy: 'scope' },
      { id: other.id, verdict: 'no_match', lostBy: null },
    ]);
  });

  test('a word that is her language’s and the automation’s own tells her language', () => {
    const own = automation({ words: ['recipe', 'receta'], translations: [{ language: 'es', words: ['receta'] }] });
    const compiled = compileForConnection([own]);
    expect(compiled.choose(on(null), 'receta!')).toMatchObject({ automation: own, language: 'es' });
    expect(compiled.choose(on(null), 'recipe!')).toMatchObject({ automation: own, language: null });
  });
});

describe('an automation is called', () => {
  const at = (trigger: ChoosableAutomation['trigger'], postId: string | null = null) => ({ trigger, postId });

  test('at its own door only', () => {
    const message = automation({ trigger: 'direct_message' });
    const story = automation({ trigger: 'story_reply', postIds: ['story-1'] });
    const compiled = compileForConnection([message, story]);
    expect(compiled.choose(at('direct_message'), 'recipe')).toMatchObject({ automation: message });
    expect(compiled.choose(at('story_reply', 'story-1'), 'recipe')).toMatchObject({ automation: story });
    expect(compiled.choose(at('story_reply', 'story-2'), 'recipe')).toMatchObject({ reason: 'no_automation' });
    expect(compiled.choose(at('comment', 'story-1'), 'recipe')).toMatchObject({ reason: 'no_automation' });
  });

  test('on every post that it has found, and on none before', () => {
    const found = automation({ postIds: ['post-1', 'post-2'] });
    const waiting = automation({ postIds: [] });
    const compiled = compileForConnection([found, waiting]);
    expect(compiled.choose(on('post-2'), 'recipe')).toMatchObject({ automation: found });
    expect(compiled.choose(on('post-3'), 'recipe')).toMatchObject({ reason: 'no_automation' });
  });

  test('by its Custom Keywords too, its own excluded words holding for them', () => {
    const soups = {
      id: 'k',
      words: ['soup'],
      mode: 'contains',
      excludedWords: ['cold'],
      typoTolerance: false,
    } as const;
    const keywords = [{ ...soups, words: ['soup'], excludedWords: ['cold'] }];
    const compiled = compileForConnection([automation({ keywords, excludedWords: ['no'] })]);
    expect(compiled.choose(on(null), 'Soupe!')).toMatchObject({
      how: 'contains',
      matchedWords: ['soup'],
      language: null,
    });
    for (const text of ['no soup', 'cold soup']) {
      expect(compiled.choose(on(null), text)).toMatchObject({ automation: null, reason: 'excluded_word' });
    }
    expect(compiled.explain(on(null), 'recipe soup')).toHaveLength(1);
  });

  test('by the words of a translation, which name the language', () => {
    const translations = [{ language: 'es', words: ['receta'] }];
    const compiled = compileForConnection([automation({ translations, mode: 'any_comment', words: [] })]);
    expect(compiled.choose(on(null), 'la receta')).toMatchObject({ language: 'es' });
    expect(compiled.choose(on(null), 'hello')).toMatchObject({ language: null, how: 'any_comment' });
    expect(compiled.chooseByWords(on(null), 'hello')).toMatchObject({ automation: null, reason: 'no_match' });
  });

  test('by any mention, whatever its words say', () => {
    const mention = automation({ trigger: 'story_mention' });
    const compiled = compileForConnection([mention]);
    expect(compiled.choose(at('story_mention'), '')).toMatchObject({ automation: mention });
  });
});
