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
