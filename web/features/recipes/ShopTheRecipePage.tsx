import { ChevronRight, ListChecks } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { listPosts } from '#contract/posts.ts';
import { listRecipes, type Recipe } from '#contract/recipes.ts';
import { postTitle } from '#web/features/posts/post-title.ts';
import { BringIn } from '#web/features/recipes/BringIn.tsx';
import { stepsOf } from '#web/features/recipes/first-steps.ts';
import { MakeShoppable } from '#web/features/recipes/MakeShoppable.tsx';
import { RecipeStateBadge } from '#web/features/recipes/RecipeStateBadge.tsx';
import { ShoppingFigures } from '#web/features/recipes/ShoppingFigures.tsx';
import { automationPath, paths, postPath, recipePath, WHOLE_BLOG_PATH } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { StepList } from '#web/ui/StepList.tsx';

const SHOWN_AT_MOST = 5;
const POSTS_SHOWN = 3;

/** From a recipe to a list that followers can buy: what is done, and what waits for the creator. */
export function ShopTheRecipePage() {
  const { creatorId } = useCreator();
  const params = { creatorId };
  const recipes = useEndpoint(listRecipes, { params, query: { limit: SHOWN_AT_MOST } });
  const toCheck = useEndpoint(listRecipes, { params, query: { state: 'to_check', limit: SHOWN_AT_MOST } });
  const ready = useEndpoint(listRecipes, { params, query: { state: 'ready', limit: 50 } });
  return (
    <>
      <PageHeader
        title="Shop the Recipe"
        description="Turn a recipe into a shopping list that followers open from your message."
        actions={
          recipes.data !== undefined &&
          recipes.data.items.length > 0 && <ButtonLink to={paths.recipes}>See all recipes</ButtonLink>
        }
      />
      <Loaded
        query={recipes}
        loading="Loading your recipes"
        failed="Couldn’t load your recipes"
        skeleton={<Skeleton className="h-64" />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <Card
              className="max-w-3xl"
              title="Start with a recipe"
              description="We read its ingredients. Nothing is saved until you save it."
            >
              <BringIn ways={false} />
              <p className="mt-4 text-muted text-sm">
                Not on a page? <TextLink to={recipePath('new', 'ingredients')}>Type or paste the ingredients</TextLink>
                <br />
                Many recipes? <TextLink to={WHOLE_BLOG_PATH}>Bring in a whole blog</TextLink>
              </p>
            </Card>
          ) : (
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <FirstSteps recipes={items} toCheck={toCheck.data?.items ?? []} ready={ready.data?.items ?? []} />
              <div className="flex flex-col gap-6">
                <ShoppingFigures />
                <NeedsYou recipes={toCheck.data?.items ?? []} more={toCheck.data?.next != null} />
                <FromPosts />
                <Card title="Bring in a recipe" description="Nothing is saved until you save it.">
                  <BringIn ways={false} />
                </Card>
              </div>
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** The newest posts: each is a caption away from a list. */
function FromPosts() {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const posts = useEndpoint(listPosts, { params: { creatorId }, query: { limit: POSTS_SHOWN } });
  const shown = posts.data?.items.filter(({ gone }) => !gone) ?? [];
  if (shown.length === 0) return null;
  return (
    <Card title="Make a post shoppable" description="Its caption becomes a list, behind the word that it asks for.">
      <ul>
        {shown.map((post) => (
          <li
            key={post.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b py-3 last:border-b-0"
          >
            <Picture src={post.pictureUrl} alt="" className="size-10 shrink-0" />
            <Link to={postPath(post.id)} className="line-clamp-2 min-w-0 flex-1 basis-40 hover:underline">
              <bdi>{postTitle(post.caption, 80)}</bdi>
            </Link>
            <MakeShoppable
              post={{ ...post, suggestedWords: post.asksFor === null ? [] : [post.asksFor] }}
              onOpenAutomation={(automationId) => navigate(automationPath(automationId, post.id))}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Found = { recipes: Recipe[]; toCheck: Recipe[]; ready: Recipe[] };

function FirstSteps(found: Found) {
  const steps = stepsOf(found);
  return (
    <Card title="First steps">
      <StepList
        steps={steps.map(({ to, label, ...step }) => ({
          ...step,
          action: (
            <ButtonLink to={to} size="small">
              {label}
            </ButtonLink>
          ),
        }))}
      />
    </Card>
  );
}

function NeedsYou({ recipes, more }: { recipes: Recipe[]; more: boolean }) {
  if (recipes.length === 0) return null;
  return (
    <Card
      title="Needs you"
      aside={more && <TextLink to={`${paths.recipes}?state=to_check`}>All with lines to check</TextLink>}
    >
      <ul>
        {recipes.map((recipe) => (
          <li key={recipe.id} className="border-line border-b last:border-b-0">
            <Link
              to={recipePath(recipe.id, 'ingredients')}
              className="group flex min-h-11 items-center gap-3 rounded-md py-2"
            >
              <Picture
                src={recipe.pictureUrl}
                alt=""
                instead={recipe.pictureUrl === null && <ListChecks className="size-5 text-accent-ink" />}
                className="size-10 shrink-0"
              />
              <span className="min-w-0 flex-1">
                <bdi className="block truncate font-medium group-hover:underline">{recipe.name}</bdi>
                <RecipeStateBadge list={recipe.list} />
              </span>
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
