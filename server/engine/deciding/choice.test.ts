import { describe, expect, test } from 'vitest';
import { type ChoosableAutomation, candidatesOf, compileForConnection } from './choice.ts';

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

  test('a word that is one language’s and the automation’s own tells the language', () => {
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

describe('the explanation', () => {
  const told = (automations: ChoosableAutomation[], text: string, postId: string | null = 'post-1') =>
    compileForConnection(automations)
      .explain(on(postId), text)
      .map(({ candidate, verdict, lostBy }) => [candidate.value.automation.id, verdict, lostBy]);

  test('lists who wins, who loses, whom an excluded word stopped, and who had no match', () => {
    const wins = automation({ id: 'wins', postIds: ['post-1'], priority: 2 });
    const loses = automation({ id: 'loses', postIds: ['post-1'], priority: 1 });
    const any = automation({ id: 'any' });
    const excluded = automation({ id: 'excluded', postIds: ['post-1'], excludedWords: ['please'] });
    const anyExcluded = automation({ id: 'any excluded', excludedWords: ['please'] });
    const none = automation({ id: 'none', postIds: ['post-1'], words: ['soup'] });
    const anyNone = automation({ id: 'any none', words: ['soup'] });
    const all = [none, anyNone, excluded, anyExcluded, any, loses, wins];
    expect(told(all, 'recipe please')).toEqual([
      ['wins', 'wins', null],
      ['loses', 'loses', 'priority'],
      ['any', 'loses', 'scope'],
      ['excluded', 'excluded', null],
      ['any excluded', 'excluded', null],
      ['none', 'no_match', null],
      ['any none', 'no_match', null],
    ]);
  });

  test('of a post without an automation of its own is that of those for any post', () => {
    const any = automation({ id: 'any' });
    expect(told([any], 'recipe')).toEqual([['any', 'wins', null]]);
    expect(told([any], 'recipe', null)).toEqual([['any', 'wins', null]]);
    expect(told([automation({ id: 'own', postIds: ['post-1'] })], 'recipe')).toEqual([['own', 'wins', null]]);
    expect(told([automation({ id: 'own', postIds: ['post-1'], words: ['soup'] }), any], 'recipe')).toEqual([
      ['any', 'wins', null],
      ['own', 'no_match', null],
    ]);
    expect(told([], 'recipe')).toEqual([]);
  });

  test('counts those for any post that lose by their own order', () => {
    const any = [automation({ id: 'first', priority: 2 }), automation({ id: 'second' })];
    expect(told(any, 'recipe')).toEqual([
      ['first', 'wins', null],
      ['second', 'loses', 'priority'],
    ]);
    const own = automation({ id: 'own', postIds: ['post-1'] });
    expect(told([...any, own], 'recipe')).toEqual([
      ['own', 'wins', null],
      ['first', 'loses', 'scope'],
      ['second', 'loses', 'scope'],
    ]);
  });
});

describe('an automation as it is matched', () => {
  const keyword = {
    id: 'k',
    words: ['soup'],
    mode: 'contains' as const,
    excludedWords: ['cold'],
    typoTolerance: false,
  };

  test('is a candidate for each way in which it is called', () => {
    const made = automation({
      id: 'a',
      postIds: ['post-1'],
      priority: 7,
      createdAt: new Date(5),
      excludedWords: ['no'],
      keywords: [keyword],
      translations: [{ language: 'es', words: ['receta'] }],
    });
    const common = { scope: 'post', priority: 7, createdAt: 5 };
    expect(candidatesOf(made)).toMatchObject([
      { ...common, id: 'a own', rule: { words: ['recipe'] }, value: { automation: made, language: null } },
      { ...common, id: 'a keywords k', rule: { ...keyword, excludedWords: ['cold', 'no'] }, value: { language: null } },
      {
        ...common,
        id: 'a in es',
        rule: { words: ['receta'], mode: 'whole_word', excludedWords: ['no'], typoTolerance: true },
        value: { language: 'es' },
      },
    ]);
    expect(candidatesOf(automation({}))[0]!.scope).toBe('any_post');
    expect(candidatesOf(automation({ trigger: 'story_mention' }))[0]!.rule.mode).toBe('any_comment');
  });

  test.each([
    ['whole_word', 'whole_word'],
    ['all_words', 'whole_word'],
    ['any_comment', 'whole_word'],
    ['contains', 'contains'],
    ['exact', 'exact'],
  ] as const)('by %s takes a translation’s word by %s', (mode, ofTranslation) => {
    const made = automation({ mode, translations: [{ language: 'es', words: ['receta'] }] });
    expect(candidatesOf(made)[1]!.rule.mode).toBe(ofTranslation);
  });
});

describe('why none answers', () => {
  test('an excluded word of one of several is the reason', () => {
    const others = [automation({ words: ['soup'] }), automation({ excludedWords: ['no'] })];
    const why = (automations: ChoosableAutomation[], text: string) =>
      compileForConnection(automations).choose(on('post-1'), text);
    expect(why(others, 'no recipe')).toMatchObject({ reason: 'excluded_word' });
    const own = automation({ postIds: ['post-1'], words: ['soup'] });
    expect(why([own, automation({ excludedWords: ['no'] })], 'no recipe')).toMatchObject({ reason: 'excluded_word' });
    const every = automation({ mode: 'any_comment', words: [], excludedWords: ['no'] });
    expect(why([every], 'no, thanks')).toMatchObject({ reason: 'excluded_word' });
  });

  test('by words is found although another answers everything', () => {
    const both = compileForConnection([
      automation({ mode: 'any_comment', words: [], priority: 9 }),
      automation({ id: 'w' }),
    ]);
    expect(both.chooseByWords(on(null), 'recipe')).toMatchObject({ automation: { id: 'w' } });
    expect(both.choose(on(null), 'recipe')).toMatchObject({ how: 'any_comment' });
  });
});
