import { Languages, SpellCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { compileMatcher, type WordRule } from '#contract/matching/index.ts';
import { LANGUAGES, suggestionsFor } from '#contract/suggestions.ts';
import { Button } from '#web/ui/Button.tsx';
import { addTags } from '#web/ui/tags.ts';

const WORDS_LOOKED_AT = 3;
const SHOWN_AT_MOST = 8;

type Props = {
  rule: WordRule;
  onWords: (words: string[]) => void;
  /** Shown at once; else behind a button, where they would push the message out of sight. */
  startsOpen?: boolean;
};

/** Variants of these words that the rule would miss, each added with a tap. */
export function WordSuggestions({ rule, onWords, startsOpen = false }: Props) {
  const [open, setOpen] = useState(startsOpen);
  if (rule.mode === 'any_comment' || rule.mode === 'all_words') return null;
  const matcher = compileMatcher([{ id: 'draft', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  const unheard = (word: string) => matcher.match(word) === null;
  const suggestions = rule.words.slice(0, WORDS_LOOKED_AT).map(suggestionsFor);
  const translations = suggestions
    .flatMap((suggestion) => suggestion.translations)
    .flatMap(({ language, words }) => words.map((word) => ({ word, language })))
    .filter(({ word }) => unheard(word));
  const slips = suggestions.flatMap(({ misspellings }) => misspellings).filter(unheard);
  const count = new Set([...translations.map(({ word }) => word), ...slips]).size;
  if (count === 0) return null;
  if (!open) {
    return (
      <Button variant="quiet" size="small" className="-ml-3 self-start" onClick={() => setOpen(true)}>
        <Languages aria-hidden="true" className="size-4" />
        Other languages and misspellings ({count})
      </Button>
    );
  }
  const add = (words: readonly string[]) => onWords(addTags(rule.words, words));
  return (
    <>
      <Row
        icon={<Languages aria-hidden="true" className="size-4" />}
        title="In other languages"
        onAll={() => add(translations.map(({ word }) => word))}
        count={translations.length}
      >
        {onceEach(translations)
          .slice(0, SHOWN_AT_MOST)
          .map(({ word, language }) => (
            <Button key={word} variant="secondary" size="small" title={LANGUAGES[language]} onClick={() => add([word])}>
              <span className="sr-only">Add </span>
              <bdi lang={language}>{word}</bdi>
            </Button>
          ))}
      </Row>
      <Row
        icon={<SpellCheck aria-hidden="true" className="size-4" />}
        title="Common misspellings"
        onAll={() => add(slips)}
        count={slips.length}
      >
        {[...new Set(slips)].slice(0, SHOWN_AT_MOST).map((word) => (
          <Button key={word} variant="secondary" size="small" onClick={() => add([word])}>
            <span className="sr-only">Add </span>
            {word}
          </Button>
        ))}
      </Row>
    </>
  );
}

type RowProps = { icon: ReactNode; title: string; count: number; onAll: () => void; children: ReactNode };

function Row({ icon, title, count, onAll, children }: RowProps) {
  if (count === 0) return null;
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="float-left mr-1 flex items-center gap-1.5 text-muted text-sm">
        {icon}
        {title}
      </legend>
      {children}
      {count > 1 && (
        <Button variant="quiet" size="small" onClick={onAll}>
          Add all
        </Button>
      )}
    </fieldset>
  );
}

function onceEach<T extends { word: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.word, item])).values()];
}
