import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getAutomation, listAutomations, updateAutomation } from '#contract/automations.ts';
import { getPost, listPosts } from '#contract/posts.ts';
import { type CaptionWarning, listCaptionWarnings, listPreparedPosts } from '#contract/prepared-posts.ts';
import { inputOf } from '#web/features/automations/automation-form.ts';
import { automationPath } from '#web/paths.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { addTags } from '#web/ui/tags.ts';
import { showToast } from '#web/ui/toast.ts';

/** Adds the word that the caption asks for to those that the automation listens for. */
export function ListenTooButton({ warning: { automationId, asked, post } }: { warning: CaptionWarning }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const [reading, setReading] = useState(false);
  const params = { creatorId, automationId };
  const updating = useEndpointMutation(updateAutomation, {
    successToast: { title: `It now listens for ${asked}` },
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
  return (
    <Button size="small" busy={reading || updating.isPending} onClick={() => void listenToo()}>
      Listen for {asked} too
    </Button>
  );
}
