import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getAutomation, listAutomations, updateAutomation } from '#contract/automations.ts';
import { getPost, listPosts } from '#contract/posts.ts';
import { type CaptionWarning, listCaptionWarnings, listPreparedPosts } from '#contract/prepared-posts.ts';
import { inputOf } from '#web/features/automations/automation-form.ts';
import { postTitle } from '#web/features/posts/post-title.ts';
import { automationPath } from '#web/paths.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { addTags } from '#web/ui/tags.ts';
import { showToast } from '#web/ui/toast.ts';

const SHOWN = 5;

/** Posts whose caption asks for a word that nobody listens for there, each mended with one tap. Silent when there are none. */
export function CaptionWarnings({ className }: { className?: string }) {
  const { creatorId } = useCreator();
  const warnings = useEndpoint(listCaptionWarnings, { params: { creatorId }, query: {} });
  const items = warnings.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div className={className}>
      <div className="flex flex-col gap-3">
        {items.slice(0, SHOWN).map((warning) => (
          <Warning key={`${warning.post.id} ${warning.asked}`} warning={warning} />
        ))}
        {items.length > SHOWN && <p className="text-muted text-sm">And {items.length - SHOWN} more like these.</p>}
      </div>
    </div>
  );
}

function Warning({ warning }: { warning: CaptionWarning }) {
  const { asked, words, post } = warning;
  const mending = useMending(warning);
  return (
    <Alert
      variant="warning"
      title={`Your caption asks for ${asked}, but you listen for ${words.slice(0, 3).join(', ') || 'something else'}`}
      action={
        <Button size="small" busy={mending.busy} onClick={() => void mending.listenToo()}>
          Listen for {asked} too
        </Button>
      }
    >
      <span className="mt-1 flex items-center gap-3">
        <Picture src={post.pictureUrl} alt="" className="size-10 shrink-0" />
        <bdi className="line-clamp-2 min-w-0">{postTitle(post.caption)}</bdi>
      </span>
    </Alert>
  );
}

function useMending({ automationId, asked, post }: CaptionWarning) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const [reading, setReading] = useState(false);
  const params = { creatorId, automationId };
  const updating = useEndpointMutation(updateAutomation, {
    successToast: { title: `It listens for ${asked} now` },
    refreshes: [listCaptionWarnings, listPreparedPosts, listAutomations, getAutomation, listPosts, getPost],
  });
  const listenToo = async () => {
    setReading(true);
    try {
      const automation = await callApi(getAutomation, { params });
      // There one more word would make it hear less.
      if (automation.mode === 'all_words') return void navigate(automationPath(automationId, post.id));
      const input = inputOf(automation);
      updating.mutate({
        params,
        body: { ...input, words: addTags(input.words, [asked]), version: automation.version },
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast({ tone: 'error', title: error.title, detail: error.detail });
    } finally {
      setReading(false);
    }
  };
  return { busy: reading || updating.isPending, listenToo };
}
