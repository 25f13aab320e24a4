import { ArrowLeft, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Automation, getAutomation, listAutomations } from '#contract/automations.ts';
import { AutomationEditor } from '#web/features/automations/AutomationEditor.tsx';
import { AutomationRow, type ListedAutomation } from '#web/features/automations/AutomationRow.tsx';
import { newInput } from '#web/features/automations/automation-form.ts';
import type { EditedPost } from '#web/features/automations/editor-fields.ts';
import { usePreviewPeople } from '#web/features/automations/use-preview-people.ts';
import { automationPath, paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const ON_A_POST = ['comment'] as const;

type Props = {
  post: EditedPost;
  /** Which automation the address names: an id, `new`, or none. */
  editing: string | null;
  onEdit: (editing: string | null, options?: { replace?: boolean }) => void;
  onTest: () => void;
};

/** The automations of one post: one is edited straight away, none begins a new one, several are a list first. */
export function PostAutomations({ post, editing, onEdit, onTest }: Props) {
  const { creatorId } = useCreator();
  const list = useWholeList(listAutomations, { params: { creatorId }, query: { postId: post.id } });
  return (
    <Loaded
      query={list}
      loading="Loading the automation"
      failed="Couldn’t load the automations of this post"
      skeleton={
        <span className="flex flex-col gap-5">
          <Skeleton className="h-52" />
          <Skeleton className="h-64" />
        </span>
      }
    >
      {({ items }) => <Several post={post} editing={editing} onEdit={onEdit} onTest={onTest} automations={items} />}
    </Loaded>
  );
}

function Several({ post, editing, onEdit, onTest, automations }: Props & { automations: ListedAutomation[] }) {
  // Decided once: the list changes under the editor when it saves, and must not take the text away.
  const [first, setFirst] = useState(() => (automations.length > 1 ? null : (automations[0]?.id ?? 'new')));
  const chosen = editing ?? first;
  // A new automation keeps its editor when saving gives it an id.
  const [session, setSession] = useState({ chosen, key: 0, created: null as string | null });
  if (chosen !== session.chosen) {
    const isSame = chosen !== null && chosen === session.created;
    setSession({ chosen, key: session.key + (isSame ? 0 : 1), created: null });
  }

  const toList = () => {
    setFirst(null);
    onEdit(null);
  };
  if (chosen === null) {
    return (
      <div className="flex flex-col items-start gap-3 pb-6">
        <ul className="w-full">
          {automations.map((automation) => (
            <AutomationRow key={automation.id} automation={automation} to={automationPath(automation.id, post.id)} />
          ))}
        </ul>
        {automations.length === 0 && <p className="text-muted">This post has no automation.</p>}
        <Button variant={automations.length === 0 ? 'primary' : 'secondary'} onClick={() => onEdit('new')}>
          <Plus aria-hidden="true" className="size-4" />
          New automation
        </Button>
      </div>
    );
  }
  const anyPostAnswers = post.automation === 'on' && !automations.some((one) => one.switchedOnAt !== null);
  return (
    <Opened
      key={session.key}
      post={post}
      chosen={chosen}
      known={automations.find((automation) => automation.id === chosen) ?? null}
      above={
        <>
          {(automations.length > 1 || (chosen === 'new' && automations.length > 0)) && (
            <Button variant="quiet" size="small" className="-ml-3 self-start" onClick={toList}>
              <ArrowLeft aria-hidden="true" className="size-4" />
              All automations of this post
            </Button>
          )}
          {anyPostAnswers && (
            <Alert variant="info">
              An automation for any post already replies here. One made for this post takes priority.{' '}
              <TextLink to={paths.commentForDm}>See all automations</TextLink>
            </Alert>
          )}
        </>
      }
      below={
        chosen !== 'new' && (
          <Button variant="quiet" size="small" className="-ml-3 self-start" onClick={() => onEdit('new')}>
            <Plus aria-hidden="true" className="size-4" />
            Add another automation
          </Button>
        )
      }
      onTest={onTest}
      onCreated={(automation) => {
        setSession((before) => ({ ...before, created: automation.id }));
        onEdit(automation.id, { replace: true });
      }}
      onDeleted={toList}
    />
  );
}

type OpenedProps = {
  post: EditedPost;
  chosen: string;
  known: Automation | null;
  above: ReactNode;
  below: ReactNode;
  onTest: () => void;
  onCreated: (automation: Automation) => void;
  onDeleted: () => void;
};

function Opened({ post, chosen, known, ...rest }: OpenedProps) {
  const { creatorId } = useCreator();
  const people = usePreviewPeople(post.connectionId);
  // A link may name an automation that is not (or no longer) of this post.
  const named = useEndpoint(
    getAutomation,
    { params: { creatorId, automationId: chosen } },
    { enabled: chosen !== 'new' && known === null },
  );
  const automation = known ?? named.data ?? null;
  if (chosen !== 'new' && automation === null) {
    return (
      <Loaded
        query={named}
        loading="Loading the automation"
        failed="Couldn’t load the automation"
        skeleton={<Skeleton className="h-52" />}
      />
    );
  }
  const fresh = newInput({
    connectionId: post.connectionId,
    postId: post.id,
    suggestedWords: post.suggestedWords,
    caption: post.caption,
  });
  return (
    <AutomationEditor
      automation={automation}
      fresh={fresh}
      post={post}
      people={people}
      triggers={ON_A_POST}
      {...rest}
    />
  );
}
