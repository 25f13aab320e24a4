import { Plus, X } from 'lucide-react';
import type { AutomationInput } from '#contract/automations.ts';
import { getRecipe, linesToCheck, type Recipe } from '#contract/recipes.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { listButton } from '#web/features/recipes/recipe-buttons.ts';
import { paths, recipePath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator, useEnv } from '#web/shell/session.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Picture } from '#web/ui/Picture.tsx';

type LinkButton = AutomationInput['buttons'][number];

type Props = {
  button: LinkButton & { recipeId: string };
  onChange: (button: LinkButton) => void;
  /** Null where the message has a button to the list, or no room. */
  onAddList: ((button: LinkButton) => void) | null;
};

/** Where a button leads that points to a recipe: to its page or its shopping list. */
export function RecipeOfButton({ button, onChange, onAddList }: Props) {
  const { creatorId } = useCreator();
  const { recipeId, part, ...link } = button;
  const found = useEndpoint(getRecipe, { params: { creatorId, recipeId } }, { retry: false });
  const { hasFans = false } = useEnv().data ?? {};
  const recipe = found.data;
  const leadsTo = part === 'list' ? recipe?.list?.url : recipe?.leadsTo;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-3">
        <Picture src={recipe?.pictureUrl} alt="" className="size-10 shrink-0" />
        <span className="min-w-0 flex-1">
          <TextLink to={paths.recipe(recipeId)} className="block truncate text-sm">
            <bdi>{recipe?.name ?? (found.isError ? 'A deleted recipe' : 'A recipe')}</bdi>
          </TextLink>
          <bdi className="block truncate text-muted text-sm">{addressInShort(leadsTo ?? link.url)}</bdi>
        </span>
        <IconButton label="Enter a link instead" onClick={() => onChange(link)}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      {recipe && part === undefined && hasFans && isForMembers(recipe) && (
        <p className="text-muted text-sm">Members who gave you their email in a DM open this without logging in.</p>
      )}
      {recipe?.list && recipe.list.lines > 0 && recipe.url !== null && (
        <Select
          aria-label="Leads to"
          value={part ?? 'page'}
          onChange={({ target }) => onChange(partOf(recipe, link, target.value))}
        >
          <option value="page">Recipe page</option>
          <option value="list">Shopping list</option>
        </Select>
      )}
      {recipe && part === undefined && recipe.url !== null && onAddList !== null && (
        <ListOffer recipe={recipe} onAdd={onAddList} />
      )}
    </div>
  );
}

function isForMembers({ lock, url, postGoneAt }: Recipe): boolean {
  return url !== null && postGoneAt === null && lock !== null && lock.for !== 'subscribers';
}

function partOf(recipe: Recipe, link: LinkButton, chosen: string): LinkButton {
  const recipeId = recipe.id;
  return chosen === 'list' && recipe.list !== null
    ? { ...link, url: recipe.list.url, recipeId, part: 'list' }
    : { ...link, url: recipe.leadsTo, recipeId };
}

/** A second button, to the list; first its lines are looked at. */
function ListOffer({ recipe, onAdd }: { recipe: Recipe; onAdd: (button: LinkButton) => void }) {
  const { list } = recipe;
  if (list === null || list.lines === 0) return null;
  if (list.toCheck > 0) {
    return (
      <p className="text-sm">
        “Shop ingredients” button:{' '}
        <TextLink to={recipePath(recipe.id, 'ingredients')}>{linesToCheck(list.toCheck)} first</TextLink>
      </p>
    );
  }
  return (
    <Button variant="quiet" size="small" className="self-start" onClick={() => onAdd(listButton(recipe.id, list.url))}>
      <Plus aria-hidden="true" className="size-4" />
      Add “Shop ingredients”
    </Button>
  );
}
