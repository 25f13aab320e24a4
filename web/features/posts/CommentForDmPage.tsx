import { Clapperboard, MessageCircle, MessagesSquare, Radio, Tags } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { listAutomations } from '#contract/automations.ts';
import { AutomationRow } from '#web/features/automations/AutomationRow.tsx';
import { automationPath, keywordsPath, paths, repliesPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Explains Comment for DM, lists the automations, and links to their places. */
export function Component() {
  return (
    <>
      <PageHeader
        title="Comment for DM"
        description="When a follower comments your keyword, they get your link by DM in seconds."
        actions={<ButtonLink to={paths.postsAndReels}>Choose a post</ButtonLink>}
      />
      <div className="flex flex-col gap-5">
        <div className="grid gap-3 sm:grid-cols-2">
          <Way
            to={paths.postsAndReels}
            icon={<Clapperboard aria-hidden="true" className="size-5" />}
            title="Posts & Reels"
          >
            Your posts, with their automations and results.
          </Way>
          <Way
            to={paths.storiesAndLives}
            icon={<Radio aria-hidden="true" className="size-5" />}
            title="Stories & Lives"
          >
            Replies to your stories and comments on your lives.
          </Way>
          <Way to={keywordsPath()} icon={<Tags aria-hidden="true" className="size-5" />} title="Custom Keywords">
            Lists of keywords you can use in several automations.
          </Way>
          <Way
            to={repliesPath()}
            icon={<MessagesSquare aria-hidden="true" className="size-5" />}
            title="Custom Replies"
          >
            Public replies and messages to use again.
          </Way>
        </div>
        <Automations />
      </div>
    </>
  );
}

function Way({ to, icon, title, children }: { to: string; icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="flex items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-card transition-shadow hover:shadow-raised"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-ink">{icon}</span>
      <span>
        <span className="block font-semibold">{title}</span>
        <span className="block text-muted text-sm">{children}</span>
      </span>
    </Link>
  );
}

function Automations() {
  const { creatorId } = useCreator();
  const automations = useEndpointPages(listAutomations, { params: { creatorId } });
  return (
    <Card
      title="Your automations"
      aside={
        automations.data?.pages.some((page) => page.items.length > 0) && (
          <ButtonLink size="small" variant="secondary" to={`${paths.postsAndReels}?edit=new`}>
            New automation
          </ButtonLink>
        )
      }
    >
      <PagedList
        query={automations}
        loading="Loading your automations"
        failed="Couldn’t load your automations"
        skeleton={[1, 2, 3].map((row) => (
          <span key={row} className="flex items-center justify-between gap-6 border-line border-b py-3 last:border-b-0">
            <span className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-5 w-40" />
              <Skeleton className="h-4 w-56 max-w-full" />
            </span>
            <Skeleton className="h-6 w-16" />
          </span>
        ))}
        empty={
          <EmptyState
            icon={<MessageCircle className="size-7" />}
            title="No automations yet"
            action={
              <>
                <ButtonLink to={paths.postsAndReels}>Choose a post</ButtonLink>
                <ButtonLink variant="secondary" to={`${paths.postsAndReels}?edit=new`}>
                  Set one up for all posts or messages
                </ButtonLink>
              </>
            }
          >
            Choose one of your posts. The keyword from its caption is filled in for you.
          </EmptyState>
        }
      >
        {(items) => (
          <ul>
            {items.map((automation) => (
              <AutomationRow
                key={automation.id}
                automation={automation}
                withPost
                to={automationPath(automation.id, automation.trigger === 'comment' ? automation.postId : null)}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}
