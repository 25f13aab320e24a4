/**
 * The state behind the editor: what was last saved, what is typed, and what somebody else saved meanwhile.
 *
 * Unsaved text lies in the tab's drafts with the version it began from. When a newer version arrives (live, or because
 * saving was refused) and nothing is typed, it is taken over quietly; otherwise both stand side by side until the
 * creator chooses. Nothing typed is ever dropped without being asked.
 */
import { useEffect, useRef, useState } from 'react';
import { get, useWatch } from 'react-hook-form';
import { scopeOf } from '#contract/automation-problems.ts';
import {
  type Automation,
  type AutomationInput,
  createAutomation,
  getAutomation,
  listAutomations,
  switchAutomation,
  updateAutomation,
} from '#contract/automations.ts';
import { getHome } from '#contract/figures.ts';
import { listPosts } from '#contract/posts.ts';
import { AutomationForm, inputOf, sameInput, trimRows } from '#web/features/automations/automation-form.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { useApiForm } from '#web/shell/form.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

type Draft = { input: AutomationInput; version: number };

type Start = {
  /** Null: a new one, which begins as `fresh`. */
  automation: Automation | null;
  fresh: AutomationInput;
  onCreated: (automation: Automation) => void;
};

export function useAutomationEditor({ automation, fresh, onCreated }: Start) {
  const { creatorId } = useCreator();
  const [saved, setSaved] = useState(automation);
  const draftKey = `automation:${saved?.id ?? `new:${fresh.trigger}:${fresh.postId ?? scopeOf(fresh)}`}`;
  const [draft] = useState(() => readDraft<Draft>(draftKey) as Draft | null);
  const [base, setBase] = useState<Draft>(() => ({
    input: automation ? inputOf(automation) : fresh,
    version: draft?.version ?? automation?.version ?? 0,
  }));
  const [restored, setRestored] = useState(draft !== null);
  const [switchProblem, setSwitchProblem] = useState<ApiError | null>(null);
  const switchOnAfterSaving = useRef(false);
  /** What the form held when it was sent; typing may have gone on since. */
  const sent = useRef<AutomationInput | null>(null);

  const latest = useEndpoint(
    getAutomation,
    { params: { creatorId, automationId: saved?.id ?? '' } },
    { enabled: saved !== null, ...(saved && { initialData: saved }) },
  );
  if (latest.data && saved && latest.data !== saved && latest.data.version >= saved.version) setSaved(latest.data);

  const switching = useEndpointMutation(switchAutomation, {
    errorToast: false,
    successToast: false,
    refreshes: [listAutomations, listPosts, getHome],
    onSuccess: take,
  });

  // One form for both: an answered `createAutomation` is the same automation that `updateAutomation` answers.
  const form = useApiForm({
    endpoint: (saved ? updateAutomation : createAutomation) as typeof updateAutomation,
    schema: AutomationForm,
    // A draft from before an update of the app lacks what is new.
    defaultValues: { ...base.input, ...draft?.input },
    request: (values) => ({
      params: { creatorId, automationId: saved?.id ?? '' },
      body: { ...values, version: base.version },
    }),
    refreshes: [listAutomations, listPosts],
    onSuccess: async (answer) => {
      take(answer);
      const isNew = saved === null;
      if (switchOnAfterSaving.current) await switchTo(answer.id, true);
      if (isNew) {
        dropDraft(draftKey);
        onCreated(answer);
      }
    },
    onProblem: (error) => {
      if (error.code !== 'changed_meanwhile') return false;
      void latest.refetch();
      return true;
    },
  });
  const input = useWatch({ control: form.control }) as AutomationInput;
  const dirty = !sameInput(input, base.input);
  const theirs = saved !== null && saved.version !== base.version ? saved : null;

  // Nothing typed: what somebody else saved is simply what it is now.
  const untouched = theirs !== null && !dirty;
  useEffect(() => {
    if (!untouched || !theirs) return;
    setBase({ input: inputOf(theirs), version: theirs.version });
    form.reset(inputOf(theirs));
  }, [untouched, theirs, form.reset]);

  useEffect(() => {
    if (dirty) keepDraft(draftKey, { input, version: base.version } satisfies Draft);
    else dropDraft(draftKey);
  }, [dirty, draftKey, input, base.version]);

  /** What the server answered is what is saved now; the version it was switched to belongs to us as well. */
  function take(answer: Automation): void {
    // The server trims, and names what has no name: shown, unless there is newer text in the form.
    if (sameInput(form.getValues(), sent.current ?? base.input)) form.reset(inputOf(answer));
    sent.current = null;
    setSaved(answer);
    setBase({ input: inputOf(answer), version: answer.version });
    setRestored(false);
  }

  async function switchTo(automationId: string, on: boolean): Promise<void> {
    setSwitchProblem(null);
    await switching
      .mutateAsync({ params: { creatorId, automationId }, body: { on } })
      .catch((error: ApiError) => setSwitchProblem(error));
  }

  const save = async (options: { switchOn: boolean }) => {
    switchOnAfterSaving.current = options.switchOn;
    const trimmed = trimRows(form.getValues());
    form.setValue('buttons', trimmed.buttons);
    form.setValue('publicReplies', trimmed.publicReplies);
    form.setValue('variants', trimmed.variants);
    form.setValue('translations', trimmed.translations);
    sent.current = trimmed;
    await form.submit();
  };

  const set: FieldsProps['set'] = (field, value) =>
    form.setValue(field as 'name', value as string, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: form.formState.isSubmitted,
    });
  const { errors } = form.formState;

  return {
    saved,
    input,
    set,
    errorOf: (path: string) => (get(errors, path) as { message?: string } | undefined)?.message,
    problem: form.problem,
    submitCount: form.formState.submitCount,
    dirty,
    restored: restored && dirty,
    saving: form.busy,
    switching: switching.isPending,
    switchProblem,
    /** Somebody else's version, while text of ours is unsaved. */
    theirs: dirty ? theirs : null,
    save: () => save({ switchOn: false }),
    switchOn: () => (saved && !dirty ? switchTo(saved.id, true) : save({ switchOn: true })),
    switchOff: () => (saved ? switchTo(saved.id, false) : Promise.resolve()),
    /** Forgets what was typed since it was saved. */
    startOver: () => {
      const version = saved?.version ?? 0;
      const clean = saved ? inputOf(saved) : fresh;
      setBase({ input: clean, version });
      setRestored(false);
      form.reset(clean);
      dropDraft(draftKey);
    },
    /** What is typed goes over theirs when it is saved next. */
    keepMine: () => theirs && setBase({ input: inputOf(theirs), version: theirs.version }),
  };
}

export type AutomationEditorState = ReturnType<typeof useAutomationEditor>;
