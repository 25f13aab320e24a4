import { Tags } from 'lucide-react';
import { listKeywords } from '#contract/keywords.ts';
import { KeywordSheet } from '#web/features/libraries/KeywordSheet.tsx';
import { LibraryPage } from '#web/features/libraries/LibraryPage.tsx';
import { keywordsPath } from '#web/paths.ts';
import { useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** Named sets of words that any automation can listen for. */
export function Component() {
  const { creatorId } = useCreator();
  const keywords = useWholeList(listKeywords, { params: { creatorId } });
  return (
    <LibraryPage
      title="Custom Keywords"
      description="Lists of keywords you can use in several automations. Change a list here and they all follow."
      what="Custom Keywords"
      query={keywords}
      pathOf={keywordsPath}
      textsOf={(set) => set.words}
      empty={{
        icon: <Tags className="size-7" />,
        children: 'Add a word with its translations and misspellings once, and use it in any automation.',
      }}
      editor={(editing, onClose) => <KeywordSheet key={editing} editing={editing} onClose={onClose} />}
    />
  );
}
