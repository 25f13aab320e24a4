import { lazy, Suspense } from 'react';
import { MarkedText } from '#web/features/activity/MarkedText.tsx';
import { markPlainly, piecesOf } from '#web/features/activity/marked-text.ts';

type Props = { text: string; words: readonly string[] };

// The matcher is large and slow to start on a phone, and most comments have the word just as it was written.
const MatchedWords = lazy(async () => {
  try {
    const { markWords } = await import('#web/features/activity/mark-words.ts');
    return { default: ({ text, words }: Props) => <MarkedText pieces={markWords(text, words)} /> };
  } catch {
    // Without its marks a comment is as good as before.
    return { default: Unmarked };
  }
});

/** A follower's text with the creator's words marked, also with typos and inside of longer words. */
export function MarkedWords({ text, words }: Props) {
  const plain = markPlainly(text, words);
  if (plain !== null) return <MarkedText pieces={plain} />;
  return (
    <Suspense fallback={<Unmarked text={text} />}>
      <MatchedWords text={text} words={words} />
    </Suspense>
  );
}

function Unmarked({ text }: { text: string }) {
  return <MarkedText pieces={piecesOf(text, [])} />;
}
