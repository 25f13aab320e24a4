import { listAutomations } from '#contract/automations.ts';
import { AutomationRow } from '#web/features/automations/AutomationRow.tsx';
import { writeStoriesView } from '#web/features/stories/stories-address.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const WORDS = {
  story: {
    title: 'Any story',
    says: 'One automation for all your stories. Anyone who replies with your keyword gets the link.',
    action: 'Reply on any story',
  },
  live: {
    title: 'Any live',
    says: 'Turn it on before you go live, and it replies from the first comment.',
    action: 'Reply on any live',
  },
};

/** The automations that belong to no single story or live. */
export function AnyStoryAutomations({ kind }: { kind: 'story' | 'live' }) {
  const { creatorId } = useCreator();
  const trigger = kind === 'story' ? 'story_reply' : 'live_comment';
  const list = useWholeList(listAutomations, { params: { creatorId }, query: { trigger } });
  const items = list.data?.items.filter(({ postId }) => postId === null) ?? [];
  const to = (editing: string) =>
    `${paths.storiesAndLives}?${writeStoriesView({ kind, id: null, editing, tab: 'automation' })}`;
  const { title, says, action } = WORDS[kind];
  return (
    <Card title={title} description={says}>
      <Loaded
        query={list}
        loading="Loading the automations"
        failed="Couldn’t load the automations"
        skeleton={<Skeleton className="h-14" />}
      >
        {() => (
          <>
            {items.length > 0 && (
              <ul className="mb-3">
                {items.map((automation) => (
                  <AutomationRow key={automation.id} automation={automation} to={to(automation.id)} />
                ))}
              </ul>
            )}
            <ButtonLink variant="secondary" size="small" to={to('new')}>
              {items.length === 0 ? action : 'Add another'}
            </ButtonLink>
          </>
        )}
      </Loaded>
    </Card>
  );
}
