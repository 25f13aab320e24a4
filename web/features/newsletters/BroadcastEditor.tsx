import { Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type Broadcast,
  changeBroadcast,
  deleteBroadcast,
  getBroadcast,
  listBroadcasts,
} from '#contract/newsletters.ts';
import { DesignAction, DesignEditor } from '#web/features/email-templates/DesignEditor.tsx';
import { useDesign } from '#web/features/email-templates/use-design.ts';
import { WRITING } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Question } from '#web/ui/Question.tsx';

type Props = { broadcast: Broadcast; refetch: () => unknown };

/** What a draft says, saved before anybody is chosen to get it. */
export function BroadcastEditor({ broadcast, refetch }: Props) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const { id, kind, design, segment } = broadcast;
  const params = { creatorId, broadcastId: id };
  const [removing, setRemoving] = useState(false);
  const saving = useEndpointMutation(changeBroadcast, {
    errorToast: false,
    successToast: { title: WRITING.saved },
    refreshes: [listBroadcasts],
  });
  const editor = useDesign({
    type: kind,
    draftKey: `broadcast:${id}`,
    ...{ answer: broadcast, read: getBroadcast, request: { params }, refetch, savedOf },
  });
  const save = () =>
    editor.attempt(() =>
      saving.mutateAsync({ params, body: { version: editor.versions.version, design: editor.design, segment } }),
    );
  const goOn = async () => {
    if (!editor.dirty || (await save()) !== null) await navigate('?step=send');
  };
  return (
    <>
      <DesignEditor
        editor={{ ...editor, saving: saving.isPending, saveDraft: save }}
        theirs={editor.isChangedMeanwhile ? design : null}
        fix={editor.dirty ? WRITING.fix : null}
        actions={
          <DesignAction label={WRITING.remove} icon={<Trash2 className="size-4" />} onPress={() => setRemoving(true)} />
        }
        says={editor.dirty ? WRITING.unsaved : WRITING.isSaved}
        footer={
          <>
            {editor.dirty && (
              <Button
                variant="secondary"
                size="small"
                className="max-md:min-w-0"
                busy={saving.isPending}
                onClick={() => void save()}
              >
                {WRITING.save}
              </Button>
            )}
            <Button size="small" className="max-md:min-w-0" busy={saving.isPending} onClick={() => void goOn()}>
              <Send aria-hidden="true" className="size-4 max-md:hidden" />
              {WRITING.next}
            </Button>
          </>
        }
      />
      {removing && <RemoveDraft broadcast={broadcast} onClose={() => setRemoving(false)} onGone={editor.startOver} />}
    </>
  );
}

function savedOf({ design, version }: Broadcast) {
  return { design, versions: { version } };
}

function RemoveDraft({
  broadcast,
  onClose,
  onGone,
}: {
  broadcast: Broadcast;
  onClose: () => void;
  onGone: () => void;
}) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const remove = useEndpointMutation(deleteBroadcast, {
    successToast: { title: WRITING.removed },
    refreshes: [listBroadcasts],
    onSuccess: () => {
      onGone();
      return navigate(paths.newsletter);
    },
  });
  return (
    <Question
      open
      onOpenChange={onClose}
      title={WRITING.removeAsk}
      description={WRITING.removeSays}
      keep={WRITING.keep}
      act={WRITING.remove}
      danger
      busy={remove.isPending}
      onAct={() => remove.mutate({ params: { creatorId, broadcastId: broadcast.id } })}
    />
  );
}
