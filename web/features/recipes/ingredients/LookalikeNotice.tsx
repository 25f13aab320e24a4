import type { RecipeIngredients } from '#contract/recipe-ingredients.ts';
import { recipePath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Alert } from '#web/ui/Alert.tsx';

/** Another recipe that may be this one, brought in from elsewhere. */
export function LookalikeNotice({ lookalike }: { lookalike: NonNullable<RecipeIngredients['lookalike']> }) {
  return (
    <Alert
      variant="info"
      title="You may have this recipe twice"
      action={
        <ButtonLink size="small" variant="secondary" to={recipePath(lookalike.id, 'ingredients')}>
          Open it
        </ButtonLink>
      }
    >
      <span className="wrap-anywhere">
        Another one has the same name and nearly the same ingredients: {lookalike.leadsTo.replace(/^https?:\/\//, '')}
      </span>
    </Alert>
  );
}
