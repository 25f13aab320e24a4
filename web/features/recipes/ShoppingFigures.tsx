import { ShoppingBasket } from 'lucide-react';
import type { ReactNode } from 'react';
import { getListFigures, LIST_FIGURES_DAYS, type ListFigures } from '#contract/list-figures.ts';
import { postTitle } from '#web/features/posts/post-title.ts';
import { DOOR_WORDS, wentTo } from '#web/features/recipes/figure-words.ts';
import { paths, postPath, recipePath } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Who opened the list of a recipe, and went to a shop. */
export function RecipeFiguresTab({ recipeId }: { recipeId: string }) {
  const { creatorId } = useCreator();
  const figures = useEndpoint(getListFigures, { params: { creatorId }, query: { recipeId } });
  return (
    <Loaded
      query={figures}
      loading="Loading the figures"
      failed="Couldn’t load the figures"
      skeleton={<Skeleton className="h-72" />}
    >
      {(data) =>
        data.opened + data.toShops === 0 ? (
          <EmptyState
            icon={<ShoppingBasket className="size-7" />}
            title={`No one opened this list in the last ${LIST_FIGURES_DAYS} days`}
            action={<ButtonLink to={paths.postsAndReels}>Choose a post</ButtonLink>}
          >
            Put “Shop ingredients” into a message, and followers find the list.
          </EmptyState>
        ) : (
          <div className="grid max-w-4xl items-start gap-6 lg:grid-cols-2">
            <Sums figures={data} />
            <Visits title="By post" rows={data.posts.map((row) => ({ ...row, key: row.postId, name: postOf(row) }))} />
            <Visits
              title="By keyword"
              rows={data.words.map((row) => ({ ...row, key: row.word, name: row.word ?? 'Other' }))}
            />
            <Visits
              title="By kind of message"
              rows={data.doors.map((row) => ({ ...row, key: row.door, name: DOOR_WORDS[row.door] }))}
            />
          </div>
        )
      }
    </Loaded>
  );
}

/** The same of all recipes, in short; nothing while nobody opened a list. */
export function ShoppingFigures() {
  const { creatorId } = useCreator();
  const figures = useEndpoint(getListFigures, { params: { creatorId }, query: {} });
  if (figures.data === undefined || figures.data.opened + figures.data.toShops === 0) return null;
  const { recipes } = figures.data;
  return (
    <>
      <Sums figures={figures.data} />
      <Visits
        title="Most opened lists"
        rows={recipes.map(({ recipeId, name, ...row }) => ({
          ...row,
          key: recipeId,
          name:
            name === null ? (
              'A deleted recipe'
            ) : (
              <TextLink to={recipePath(recipeId, 'figures')}>
                <bdi>{name}</bdi>
              </TextLink>
            ),
        }))}
      />
    </>
  );
}

export function Sums({ figures: { opened, toShops, shops } }: { figures: ListFigures }) {
  return (
    <Card title={`Last ${LIST_FIGURES_DAYS} days`} description="Each person counts once a message; bots are left out.">
      <dl className="grid grid-cols-2 gap-4">
        <Figure label="Opened a list" value={opened} />
        <Figure label="Went to a shop" value={toShops} />
      </dl>
      {shops.length > 0 && (
        <ul className="mt-4 flex flex-col gap-1 text-sm">
          {shops.map(({ shop, name, people }) => (
            <li key={shop}>{wentTo(name, people)}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type VisitsRow = { key: string | null; name: ReactNode; opened: number; toShops: number };

function Visits({ title, rows }: { title: string; rows: VisitsRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-muted">
            <th className="pb-2 font-normal">
              <span className="sr-only">{title}</span>
            </th>
            <th className="pb-2 pl-3 text-right font-normal">Opened</th>
            <th className="pb-2 pl-3 text-right font-normal">To a shop</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, opened, toShops }) => (
            <tr key={key ?? ''} className="border-line border-t">
              <th scope="row" className="wrap-anywhere py-2 text-left font-normal">
                {typeof name === 'string' ? <bdi>{name}</bdi> : name}
              </th>
              <td className="py-2 pl-3 text-right tabular-nums">{opened}</td>
              <td className="py-2 pl-3 text-right tabular-nums">{toShops}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function postOf({ postId, caption }: ListFigures['posts'][number]): ReactNode {
  if (postId === null) return 'Other';
  if (caption === null) return 'A post that is gone';
  return (
    <TextLink to={postPath(postId)}>
      <bdi>{postTitle(caption, 60)}</bdi>
    </TextLink>
  );
}
