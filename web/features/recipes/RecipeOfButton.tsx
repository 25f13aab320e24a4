import { X } from 'lucide-react';
import { getRecipe } from '#contract/recipes.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Picture } from '#web/ui/Picture.tsx';

type Props = { recipeId: string; url: string; onRemove: () => void };

/** Where a button leads that points to a recipe. */
export function RecipeOfButton({ recipeId, url, onRemove }: Props) {
  const { creatorId } = useCreator();
  const recipe = useEndpoint(getRecipe, { params: { creatorId, recipeId } }, { retry: false });
  return (
    <div className="flex items-center gap-3">
      <Picture src={recipe.data?.pictureUrl} alt="" className="size-10 shrink-0" />
      <span className="min-w-0 flex-1">
        <TextLink to={paths.recipe(recipeId)} className="block truncate text-sm">
          <bdi>{recipe.data?.name ?? (recipe.isError ? 'A deleted recipe' : 'A recipe')}</bdi>
        </TextLink>
        <bdi className="block truncate text-muted text-sm">{addressInShort(recipe.data?.url ?? url)}</bdi>
      </span>
      <IconButton label="Enter a link instead" onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
