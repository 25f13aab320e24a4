/** What the lines of the editor are read with. English comes with the reader; other languages are fetched when a recipe is in one. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getOwnWords, type IngredientWordInput } from '#contract/ingredient-words.ts';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import type { Language } from '#contract/ingredients/lexicon.ts';
import type { OwnWord } from '#contract/ingredients/own-words.ts';
import type { LanguageFor } from '#contract/ingredients/plan-list.ts';
import {
  type LanguageCode,
  languageCode,
  type RecipeLanguage,
  recipeLanguage,
} from '#contract/ingredients/recipe-language.ts';
import type { IngredientsInput } from '#contract/recipe-ingredients.ts';
import { fetchCode } from '#web/shell/fetch-code.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

const FETCHED: Record<LanguageCode, () => Promise<Language>> = {
  en: async () => ENGLISH,
  de: async () => (await import('#contract/ingredients/lexicon.de.ts')).GERMAN,
  es: async () => (await import('#contract/ingredients/lexicon.es.ts')).SPANISH,
  fr: async () => (await import('#contract/ingredients/lexicon.fr.ts')).FRENCH,
  it: async () => (await import('#contract/ingredients/lexicon.it.ts')).ITALIAN,
  pt: async () => (await import('#contract/ingredients/lexicon.pt.ts')).PORTUGUESE,
};
const NO_WORDS: IngredientWordInput[] = [];

/** How lines of recipes in several languages are read. @param words the creator's own. @returns null until all of it is there */
export function useLanguages(tags: readonly string[], words: readonly OwnWord[]): LanguageFor | null {
  const codes = [...new Set(tags.map(languageCode))].toSorted();
  const { data: languages } = useQuery({
    queryKey: ['lexicons', ...codes],
    queryFn: async () =>
      new Map(await Promise.all(codes.map(async (code) => [code, await fetchCode(FETCHED[code])] as const))),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return useMemo(
    () =>
      languages === undefined
        ? null
        : ({ language, measures }) =>
            recipeLanguage(language, languages.get(languageCode(language)) ?? ENGLISH, { measures, words }),
    [languages, words],
  );
}

/** @returns null until all of it is there: lines read otherwise for a moment would be marked as doubtful */
export function useRecipeLanguage({ language, measures }: IngredientsInput): {
  language: RecipeLanguage | null;
  /** Of the creator’s words; lines are read without them. */
  failed: boolean;
} {
  const { creatorId } = useCreator();
  const words = useEndpoint(getOwnWords, { params: { creatorId } });
  const code = languageCode(language);
  const lexicon = useQuery({
    queryKey: ['lexicon', code],
    queryFn: () => fetchCode(FETCHED[code]),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    ...(code === 'en' && { initialData: ENGLISH }),
  });
  const own = words.data?.items ?? (words.isError ? NO_WORDS : null);
  const plain = lexicon.data;
  const known = useMemo(
    () => (plain === undefined || own === null ? null : recipeLanguage(code, plain, { measures, words: own })),
    [plain, own, code, measures],
  );
  return { language: known, failed: words.isError };
}
