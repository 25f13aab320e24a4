import type { WordPreview } from '#contract/ingredient-words.ts';
import { numerals } from '#web/ui/numerals.ts';

/** What a word would change: "Changes 7 lines in 4 recipes", and which. */
export function WordChanges({ preview }: { preview: WordPreview }) {
  const { lines, recipes, examples } = preview;
  if (lines === 0) return <p role="status">No saved line changes. Lines you write from now on are read like this.</p>;
  const left = lines - examples.length;
  return (
    <div role="status">
      <p className="font-medium">
        Changes {counted(lines, 'line')} in {counted(recipes, 'recipe')}
      </p>
      <details>
        <summary className="cursor-pointer py-2 underline">See them</summary>
        <ul className="flex flex-col gap-2">
          {examples.map(({ recipeId, recipe, text, before, after }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines of a recipe may be the same
            <li key={`${recipeId} ${at}`} className="wrap-anywhere">
              <bdi className="font-medium">{text}</bdi> <span className="text-muted">in</span> <bdi>{recipe}</bdi>
              <br />
              <span className="text-muted">
                <del>
                  <bdi>{before}</bdi>
                </del>{' '}
                →{' '}
              </span>
              <bdi>{after}</bdi>
            </li>
          ))}
        </ul>
        {left > 0 && <p className="pt-2 text-muted">and {numerals(left)} more</p>}
      </details>
    </div>
  );
}

function counted(count: number, what: string): string {
  return `${numerals(count)} ${what}${count === 1 ? '' : 's'}`;
}
