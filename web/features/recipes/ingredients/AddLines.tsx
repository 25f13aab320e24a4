import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { RecipeLanguage } from '#contract/ingredients/recipe-language.ts';
import { MOST_LINES } from '#contract/recipe-ingredients.ts';
import { addText, countLines } from '#web/features/recipes/ingredients/line-edits.ts';
import type { IngredientsState } from '#web/features/recipes/ingredients/use-ingredients.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Textarea } from '#web/ui/inputs.tsx';

type Props = { editor: IngredientsState; language: RecipeLanguage; announce: (words: string) => void };

/** New lines at the end: one, or a whole list pasted. */
export function AddLines({ editor: { content, edit }, language, announce }: Props) {
  const [text, setText] = useState('');
  const count = countLines(text, language);
  const isFirst = content.lines.length === 0;
  const tooMany = content.lines.length + count - MOST_LINES;
  const add = () => {
    if (count === 0 || tooMany > 0) return;
    edit((before) => addText(before, text, null, { language, newId: () => crypto.randomUUID() }));
    announce(count === 1 ? 'Line added' : `${count} lines added`);
    setText('');
  };
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field
        className="w-full"
        label={isFirst ? 'Paste your ingredients' : 'Add lines'}
        hint={isFirst ? 'One per line. A line like “For the sauce:” starts a group.' : undefined}
        error={tooMany > 0 ? `A recipe can have at most ${MOST_LINES} lines. Take out ${tooMany}.` : undefined}
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            rows={isFirst ? 8 : 2}
            maxLength={80_000}
            placeholder={isFirst ? '2 cups flour\n1 tsp salt\n3 eggs' : '1 tbsp olive oil'}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              // A single line is added at once; of several, Enter begins the next.
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.shiftKey || count > 1 || isFirst)
                return;
              event.preventDefault();
              add();
            }}
          />
        )}
      </Field>
      <Button type="submit" size="small" variant={isFirst ? 'primary' : 'secondary'} disabled={count === 0}>
        <Plus aria-hidden="true" className="size-4" />
        {count > 1 ? `Add ${count} lines` : 'Add line'}
      </Button>
    </form>
  );
}
