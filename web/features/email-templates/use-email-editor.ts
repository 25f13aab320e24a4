/**
 * The state behind the editor of one email: the design with its undo, what was last saved, and what someone else saved
 * meanwhile. Unsaved work lies in the tab's drafts with the versions it began from; it is never dropped without asking.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import {
  discardEmailDraft,
  type EmailDesign,
  type EmailProblem,
  type EmailTemplate,
  getEmailTemplate,
  listEmailTemplates,
  listEmailVersions,
  publishEmailDraft,
  resetEmailTemplate,
  saveEmailDraft,
} from '#contract/email-templates.ts';
import { beginHistory, reduceHistory } from '#web/features/email-templates/design-edits.ts';
import { problemsOfAnswer, sameDesign } from '#web/features/email-templates/design-words.ts';
import { EDITOR } from '#web/features/email-templates/words.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { setAnswer, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** A design, and the live version and draft that it began from. */
type Begun = { design: EmailDesign; version: number; draftVersion: number };

/** @param saved as the server has it now: newer than what is edited when someone else saved */
export function useEmailEditor(saved: EmailTemplate, refetch: () => unknown) {
  const client = useQueryClient();
  const { creatorId } = useCreator();
  const { type } = saved;
  const params = { creatorId, type };
  const draftKey = `email:${creatorId}:${type}`;
  const [kept] = useState(() => readDraft<Begun>(draftKey) as Begun | null);
  const [base, setBase] = useState<Begun>(() => ({ ...begunOf(saved), ...versionsOf(kept ?? saved) }));
  const [history, step] = useReducer(reduceHistory, kept?.design ?? base.design, beginHistory);
  const [restored, setRestored] = useState(kept !== null);
  /** The server's no, and the design it was about. */
  const [refusal, setRefusal] = useState<{ error: ApiError; design: EmailDesign } | null>(null);

  const { design } = history;
  const dirty = !sameDesign(design, base.design);
  const isNewer = saved.version > base.version || saved.draftVersion > base.draftVersion;
  const theirs = isNewer && dirty && !sameDesign(design, editedOf(saved)) ? saved : null;

  // Nothing of ours is lost: what someone else saved is simply what it is now.
  const newer = isNewer && theirs === null ? saved : null;
  useEffect(() => {
    if (newer === null) return;
    setBase(begunOf(newer));
    step({ do: 'begin', design: editedOf(newer) });
  }, [newer]);

  useEffect(() => {
    if (dirty) keepDraft(draftKey, { ...versionsOf(base), design } satisfies Begun);
    else dropDraft(draftKey);
  }, [draftKey, dirty, base, design]);

  const quiet = { errorToast: false, refreshes: [listEmailTemplates] } as const;
  const saving = useEndpointMutation(saveEmailDraft, { ...quiet, successToast: { title: EDITOR.draftSaved } });
  const publishing = useEndpointMutation(publishEmailDraft, {
    ...{ errorToast: false, refreshes: [listEmailTemplates, listEmailVersions] },
    successToast: { title: EDITOR.published },
  });
  const discarding = useEndpointMutation(discardEmailDraft, { ...quiet, successToast: { title: EDITOR.discarded } });
  const resetting = useEndpointMutation(resetEmailTemplate, { ...quiet, successToast: { title: EDITOR.wasReset } });

  /** Runs a change; a no is kept with the design it is about, and someone else's version is fetched. */
  async function attempt(change: () => Promise<EmailTemplate>): Promise<EmailTemplate | null> {
    setRefusal(null);
    try {
      const answer = await change();
      flushSync(() => {
        setBase(begunOf(answer));
        setRestored(false);
      });
      await setAnswer(client, getEmailTemplate, { params }, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'changed_meanwhile') await refetch();
      else setRefusal({ error, design });
      return null;
    }
  }

  const saveDraft = () => attempt(() => saving.mutateAsync({ params, body: { ...versionsOf(base), design } }));

  /** Unsaved work goes into the draft first; so does a draft that began from an older live version: its differences are shown. */
  async function publish(): Promise<void> {
    const isReady = !dirty && saved.draft !== null && saved.draft.base === saved.version;
    const ready = isReady ? saved : await saveDraft();
    if (ready !== null) await attempt(() => publishing.mutateAsync({ params, body: versionsOf(ready) }));
  }

  /** Ends with the design that the server has then. */
  async function replace(change: () => Promise<EmailTemplate>): Promise<boolean> {
    const answer = await attempt(change);
    if (answer !== null) step({ do: 'begin', design: editedOf(answer) });
    return answer !== null;
  }

  // What keeps it from being published is said while it is written; what only the server sees, until the next edit.
  const refused: EmailProblem[] =
    refusal !== null && refusal.design === design ? problemsOfAnswer(refusal.error.fields, design) : [];
  const problems = [...checkEmailDesign(type, design), ...refused];

  return {
    type,
    saved,
    design,
    dirty,
    restored: restored && dirty,
    theirs,
    problems: problems.filter(({ message }, at) => problems.findIndex((other) => other.message === message) === at),
    /** Of the mail as a whole; null when every objection stands at its block. */
    problem: refusal !== null && refusal.error.fields.length === 0 ? refusal.error : null,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => step({ do: 'undo' }),
    redo: () => step({ do: 'redo' }),
    /** @param what edits of the same thing in quick succession are undone together */
    edit: (change: (design: EmailDesign) => EmailDesign, what?: string) =>
      step({ do: 'edit', change, atMs: Date.now(), ...(what !== undefined && { what }) }),
    saving: saving.isPending || publishing.isPending,
    saveDraft,
    publish,
    discarding: discarding.isPending,
    discard: () => replace(() => discarding.mutateAsync({ params, body: versionsOf(saved) })),
    resetting: resetting.isPending,
    reset: () => replace(() => resetting.mutateAsync({ params, body: versionsOf(saved) })),
    /** Ours replaces theirs with the next save. */
    keepMine: () => setBase(begunOf(saved)),
    /** Forgets what is not saved. */
    startOver: () => {
      setBase(begunOf(saved));
      setRefusal(null);
      step({ do: 'begin', design: editedOf(saved) });
    },
  };
}

export type EmailEditorState = ReturnType<typeof useEmailEditor>;

function begunOf(template: EmailTemplate): Begun {
  return { design: editedOf(template), ...versionsOf(template) };
}

function editedOf({ live, draft }: EmailTemplate): EmailDesign {
  return draft?.design ?? live;
}

function versionsOf({ version, draftVersion }: { version: number; draftVersion: number }) {
  return { version, draftVersion };
}
