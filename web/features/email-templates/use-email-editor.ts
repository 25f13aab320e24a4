/** The state behind the editor of a kind of email: its draft, and what is live beside it. */
import {
  discardEmailDraft,
  type EmailTemplate,
  getEmailTemplate,
  listEmailTemplates,
  listEmailVersions,
  publishEmailDraft,
  resetEmailTemplate,
  saveEmailDraft,
} from '#contract/email-templates.ts';
import { useDesign } from '#web/features/email-templates/use-design.ts';
import { EDITOR } from '#web/features/email-templates/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** @param saved as the server has it now: newer than what is edited when someone else saved */
export function useEmailEditor(saved: EmailTemplate, refetch: () => unknown) {
  const { creatorId } = useCreator();
  const { type } = saved;
  const params = { creatorId, type };
  const { attempt, begin, versions, ...editor } = useDesign({
    ...{ type, refetch, answer: saved, read: getEmailTemplate, request: { params }, savedOf },
    draftKey: `email:${creatorId}:${type}`,
  });
  const { design, dirty } = editor;

  const quiet = { errorToast: false, refreshes: [listEmailTemplates] } as const;
  const saving = useEndpointMutation(saveEmailDraft, { ...quiet, successToast: { title: EDITOR.draftSaved } });
  const publishing = useEndpointMutation(publishEmailDraft, {
    ...{ errorToast: false, refreshes: [listEmailTemplates, listEmailVersions] },
    successToast: { title: EDITOR.published },
  });
  const discarding = useEndpointMutation(discardEmailDraft, { ...quiet, successToast: { title: EDITOR.discarded } });
  const resetting = useEndpointMutation(resetEmailTemplate, { ...quiet, successToast: { title: EDITOR.wasReset } });

  const saveDraft = () => attempt(() => saving.mutateAsync({ params, body: { ...versions, design } }));

  /** Unsaved work goes into the draft first; so does a draft that began from an older live version: its differences are shown. */
  async function publish(): Promise<void> {
    const isReady = !dirty && saved.draft !== null && saved.draft.base === saved.version;
    const ready = isReady ? saved : await saveDraft();
    if (ready !== null) await attempt(() => publishing.mutateAsync({ params, body: versionsOf(ready) }));
  }

  /** Ends with the design that the server has then. */
  async function replace(change: () => Promise<EmailTemplate>): Promise<boolean> {
    const answer = await attempt(change);
    if (answer !== null) begin(answer);
    return answer !== null;
  }

  return {
    ...editor,
    saved,
    saving: saving.isPending || publishing.isPending,
    saveDraft,
    publish,
    discarding: discarding.isPending,
    discard: () => replace(() => discarding.mutateAsync({ params, body: versionsOf(saved) })),
    resetting: resetting.isPending,
    reset: () => replace(() => resetting.mutateAsync({ params, body: versionsOf(saved) })),
  };
}

export type EmailEditorState = ReturnType<typeof useEmailEditor>;

function savedOf(template: EmailTemplate) {
  return { design: template.draft?.design ?? template.live, versions: versionsOf(template) };
}

function versionsOf({ version, draftVersion }: EmailTemplate) {
  return { version, draftVersion };
}
