import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { getAutomation, listAutomations } from '#contract/automations.ts';
import type { Story } from '#contract/stories.ts';
import { AutomationEditor } from '#web/features/automations/AutomationEditor.tsx';
import { AutomationRow, type ListedAutomation } from '#web/features/automations/AutomationRow.tsx';
import { newInput } from '#web/features/automations/automation-form.ts';
import { usePreviewPeople } from '#web/features/automations/use-preview-people.ts';
import { writeStoriesView } from '#web/features/stories/stories-address.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Props = {
  story: Story;
  editing: string | null;
  onEdit: (editing: string | null, options?: { replace?: boolean }) => void;
};

/** Automations for replies to this story, or comments in this live: one is edited straight away, several are a list first. */
export function StoryAutomations({ story, editing, onEdit }: Props) {
  const { creatorId } = useCreator();
  const list = useWholeList(listAutomations, { params: { creatorId }, query: { postId: story.id } });
  return (
    <Loaded query={list} {...EDITOR_FRAME}>
      {({ items }) => <Several story={story} editing={editing} onEdit={onEdit} automations={items} />}
    </Loaded>
  );
}

function Several({ story, editing, onEdit, automations }: Props & { automations: ListedAutomation[] }) {
  // Decided once: the list changes under the editor when it saves, and must not take the text away.
  const [first, setFirst] = useState(() => (automations.length > 1 ? null : (automations[0]?.id ?? 'new')));
  // A new automation keeps its editor when saving gives it an id.
  const [created, setCreated] = useState<string | null>(null);
  const chosen = editing ?? first;
  if (story.endedAt !== null && (chosen === 'new' || chosen === null) && automations.length === 0) {
    return (
      <EmptyState
        title={story.kind === 'story' ? 'This story has ended' : 'This live has ended'}
        action={
          <ButtonLink to={paths.storiesAndLives} variant="secondary">
            Go to Stories & Lives
          </ButtonLink>
        }
      >
        No one can reply to it anymore. Set up an automation for your next one, or for any.
      </EmptyState>
    );
  }
  if (chosen === null) {
    return (
      <div className="flex flex-col items-start gap-3 pb-6">
        <ul className="w-full">
          {automations.map((automation) => (
            <AutomationRow
              key={automation.id}
              automation={automation}
              to={`${paths.storiesAndLives}?${writeStoriesView({ kind: story.kind, id: story.id, editing: automation.id, tab: 'automation' })}`}
            />
          ))}
        </ul>
        <Button variant="secondary" onClick={() => onEdit('new')}>
          <Plus aria-hidden="true" className="size-4" />
          New automation
        </Button>
      </div>
    );
  }
  return (
    <Opened
      key={chosen === created ? 'new' : chosen}
      story={story}
      chosen={chosen}
      known={automations.find((automation) => automation.id === chosen) ?? null}
      answeredElsewhere={story.automation === 'on' && !automations.some((one) => one.switchedOnAt !== null)}
      onCreated={(id) => {
        setCreated(id);
        onEdit(id, { replace: true });
      }}
      onDeleted={() => {
        setFirst(automations.length > 1 ? null : 'new');
        onEdit(null, { replace: true });
      }}
    />
  );
}

function Opened(props: {
  story: Story;
  chosen: string;
  known: ListedAutomation | null;
  /** One for any story answers here. */
  answeredElsewhere: boolean;
  onCreated: (automationId: string) => void;
  onDeleted: () => void;
}) {
  const { story, chosen, answeredElsewhere, onCreated, onDeleted } = props;
  const { creatorId } = useCreator();
  // Its state at the start: saving must not take the editor away.
  const [known] = useState(props.known);
  const [begunAs] = useState(chosen);
  const named = useEndpoint(
    getAutomation,
    { params: { creatorId, automationId: begunAs } },
    { enabled: begunAs !== 'new' && known === null },
  );
  const people = usePreviewPeople(story.connectionId);
  const automation = begunAs === 'new' ? null : (known ?? named.data ?? null);
  if (begunAs !== 'new' && automation === null) return <Loaded query={named} {...EDITOR_FRAME} />;
  const trigger = story.kind === 'story' ? 'story_reply' : 'live_comment';
  return (
    <AutomationEditor
      automation={automation}
      fresh={newInput({
        connectionId: story.connectionId,
        postId: story.id,
        suggestedWords: [],
        trigger,
        scope: 'one',
      })}
      post={{ id: story.id, caption: story.caption, suggestedWords: [], pictureUrl: story.pictureUrl }}
      triggers={[trigger]}
      people={people}
      above={
        answeredElsewhere && (
          <Alert variant="info">
            An automation for any {story.kind} already replies here. One made for this {story.kind} takes priority.{' '}
            <Link to={paths.storiesAndLives} className={TEXT_LINK}>
              See it
            </Link>
          </Alert>
        )
      }
      onCreated={({ id }) => onCreated(id)}
      onDeleted={onDeleted}
    />
  );
}

const EDITOR_FRAME = {
  loading: 'Loading the automation',
  failed: 'Couldn’t load the automation',
  skeleton: (
    <span className="flex flex-col gap-5">
      <Skeleton className="h-52" />
      <Skeleton className="h-64" />
    </span>
  ),
};
