/**
 * The state behind the editor: what was last saved, what is typed, and what somebody else saved meanwhile. Of an
 * automation with a draft the draft is edited; the live version stays beside it until the draft is published.
 *
 * Unsaved text lies in the tab's drafts with the versions it began from. When a newer version arrives (live, or because
 * saving was refused) and nothing is typed, it is taken over quietly; otherwise both stand side by side until the
 * creator chooses. Nothing typed is ever dropped without being asked.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { get, useFormState, useWatch } from 'react-hook-form';
import { discardDraft, publishDraft, saveDraft } from '#contract/automation-drafts.ts';
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
import { getHome } from '#contract/home.ts';
import { listPosts } from '#contract/posts.ts';
import { AutomationForm, editedOf, sameInput, trimRows } from '#web/features/automations/automation-form.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { useApiForm } from '#web/shell/form.tsx';
import { setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** The typed state, and the live version and draft that it began from. */
type Typed = { input: AutomationInput; version: number; draftVersion: number };

type Start = {
  /** Null: a new one, which begins as `fresh`. */
  automation: Automation | null;
  fresh: AutomationInput;
  onCreated: (automation: Automation) => void;
};

export function useAutomationEditor({ automation, fresh, onCreated }: Start) {
  const client = useQueryClient();
  const { creatorId } = useCreator();
  const [saved, setSaved] = useState(automation);
  const draftKey = `automation:${saved?.id ?? `new:${fresh.trigger}:${fresh.postId ?? scopeOf(fresh)}`}`;
  const [typed] = useState(() => readDraft<Typed>(draftKey) as Typed | null);
  const [base, setBase] = useState<Typed>(() => ({
    input: automation ? editedOf(automation) : fresh,
    version: typed?.version ?? automation?.version ?? 0,
    draftVersion: typed?.draftVersion ?? automation?.draftVersion ?? 0,
  }));
  const [restored, setRestored] = useState(typed !== null);
  const [switchProblem, setSwitchProblem] = useState<ApiError | null>(null);
  const [draftProblem, setDraftProblem] = useState<ApiError | null>(null);
  const switchOnAfterSaving = useRef(false);
  /** The form's state when it was sent; typing may have continued since. */
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

  const refreshes = [listAutomations, listPosts];
  const savingDraft = useEndpointMutation(saveDraft, {
    errorToast: false,
    successToast: { title: 'Draft saved' },
    refreshes,
    onSuccess: take,
  });
  const publishing = useEndpointMutation(publishDraft, {
    errorToast: false,
    successToast: { title: 'Your changes are live' },
    refreshes,
    onSuccess: take,
  });
  const discarding = useEndpointMutation(discardDraft, {
    errorToast: false,
    successToast: { title: 'Draft discarded' },
    refreshes,
    onSuccess: take,
  });

  // One form for both: an answered `createAutomation` is the same automation that `updateAutomation` answers.
  const form = useApiForm({
    endpoint: (saved ? updateAutomation : createAutomation) as typeof updateAutomation,
    schema: AutomationForm,
    // State typed before an update of the app lacks new fields.
    defaultValues: { ...base.input, ...typed?.input },
    request: (values) => ({
      params: { creatorId, automationId: saved?.id ?? '' },
      body: { ...values, version: base.version },
    }),
    refreshes: [listAutomations, listPosts],
    onSuccess: async (answer) => {
      await take(answer);
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
  const { control } = form;
  const [read] = useState(() => () => form.getValues() as AutomationInput);
  const [subscribe] = useState(
    () => (changed: () => void) => form.subscribe({ formState: { values: true }, callback: changed }),
  );
  const isDirty = () => !sameInput(read(), base.input);
  const isNewer = saved !== null && (saved.version !== base.version || saved.draftVersion !== base.draftVersion);
  // Typing must not draw the whole editor: it hears of nothing while there is nothing newer, each part of what it shows.
  const typedOverNewer = useSyncExternalStore(subscribe, () => isNewer && isDirty());
  const theirs = typedOverNewer ? saved : null;

  // Nothing typed: what somebody else saved is simply what it is now.
  const newer = isNewer && !typedOverNewer ? saved : null;
  useEffect(() => {
    if (newer === null) return;
    setBase(typedOf(newer));
    form.reset(editedOf(newer));
  }, [newer, form.reset]);

  useEffect(() => {
    const keep = () => {
      const input = read();
      if (sameInput(input, base.input)) dropDraft(draftKey);
      else keepDraft(draftKey, { ...base, input } satisfies Typed);
    };
    keep();
    return subscribe(keep);
  }, [draftKey, base, read, subscribe]);

  /** The server's answer is the saved state; the version it was switched to is ours as well. */
  async function take(answer: Automation): Promise<void> {
    await setAnswer(client, getAutomation, { params: { creatorId, automationId: answer.id } }, answer);
    // The server trims, and names what has no name: shown, unless there is newer text in the form.
    if (sameInput(form.getValues(), sent.current ?? base.input)) form.reset(editedOf(answer));
    sent.current = null;
    // At once: the address of a new automation changes next, and must not find it unsaved.
    flushSync(() => {
      setSaved(answer);
      setBase(typedOf(answer));
      setRestored(false);
    });
  }

  async function switchTo(automationId: string, on: boolean): Promise<void> {
    setSwitchProblem(null);
    await switching
      .mutateAsync({ params: { creatorId, automationId }, body: { on } })
      .catch((error: ApiError) => setSwitchProblem(error));
  }

  const trim = (): AutomationInput => {
    const trimmed = trimRows(form.getValues());
    form.setValue('buttons', trimmed.buttons);
    form.setValue('publicReplies', trimmed.publicReplies);
    form.setValue('variants', trimmed.variants);
    form.setValue('translations', trimmed.translations);
    sent.current = trimmed;
    return trimmed;
  };

  const save = async (options: { switchOn: boolean }) => {
    if (saved?.draft) return publish(saved.draft.base, options);
    switchOnAfterSaving.current = options.switchOn;
    trim();
    await form.submit();
  };

  /** Runs a change of the draft; what stands in its way is shown at the top. */
  async function ofDraft(change: () => Promise<Automation>): Promise<Automation | null> {
    setDraftProblem(null);
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'changed_meanwhile') void latest.refetch();
      else setDraftProblem(error);
      return null;
    }
  }

  async function saveAsDraft(): Promise<Automation | null> {
    if (saved === null) return null;
    const values = trim();
    if (!(await form.trigger())) return null;
    const { version, draftVersion } = base;
    const body = { ...values, version, draftVersion };
    return ofDraft(() => savingDraft.mutateAsync({ params: { creatorId, automationId: saved.id }, body }));
  }

  /** Typed text goes into the draft first; so does one that began from an older live version: its differences are shown. */
  async function publish(draftBase: number, { switchOn }: { switchOn: boolean }): Promise<void> {
    const ready = isDirty() || draftBase !== saved!.version ? await saveAsDraft() : saved;
    if (ready === null) return;
    const { id, version, draftVersion } = ready;
    const params = { creatorId, automationId: id };
    const live = await ofDraft(() => publishing.mutateAsync({ params, body: { version, draftVersion } }));
    if (live !== null && switchOn) await switchTo(id, true);
  }

  async function discard(): Promise<void> {
    if (saved === null) return;
    // Typed text goes with the draft.
    sent.current = form.getValues();
    const params = { creatorId, automationId: saved.id };
    await ofDraft(() => discarding.mutateAsync({ params, body: { draftVersion: base.draftVersion } }));
  }

  const set: FieldsProps['set'] = (field, value) =>
    form.setValue(field as 'name', value as string, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: form.formState.isSubmitted,
    });

  return {
    saved,
    control,
    /** The typed state at this moment. */
    read,
    subscribe,
    set,
    problem: form.problem ?? draftProblem,
    submitCount: form.formState.submitCount,
    /** Typed text is not saved; see `useIsDirty`. */
    isDirty,
    /** It began with what was typed before. */
    restored,
    saving: form.busy || publishing.isPending,
    savingDraft: savingDraft.isPending,
    discarding: discarding.isPending,
    switching: switching.isPending,
    switchProblem,
    /** Somebody else's version, while text of ours is unsaved. */
    theirs,
    save: () => save({ switchOn: false }),
    switchOn: () => (saved && !isDirty() ? switchTo(saved.id, true) : save({ switchOn: true })),
    saveAsDraft,
    discard,
    switchOff: () => (saved ? switchTo(saved.id, false) : Promise.resolve()),
    /** Forgets what was typed since it was saved. */
    startOver: () => {
      const clean = saved ? typedOf(saved) : { input: fresh, version: 0, draftVersion: 0 };
      setBase(clean);
      setRestored(false);
      form.reset(clean.input);
      dropDraft(draftKey);
    },
    /** Typed text replaces theirs with the next save. */
    keepMine: () => theirs && setBase(typedOf(theirs)),
  };
}

function typedOf(automation: Automation): Typed {
  const { version, draftVersion } = automation;
  return { input: editedOf(automation), version, draftVersion };
}

/** These fields of the editor: drawn again when one of them changes, and when it is objected to. */
export function useFields(editor: AutomationEditorState, names: readonly (keyof AutomationInput)[]): FieldsProps {
  const { control, read, set } = editor;
  useWatch({ control, name: names as ['name'] });
  const { errors } = useFormState({ control, name: names as ['name'] });
  return {
    input: read(),
    set,
    errorOf: (path) => (get(errors, path) as { message?: string } | undefined)?.message,
  };
}

export function useIsDirty({ subscribe, isDirty }: Pick<AutomationEditorState, 'subscribe' | 'isDirty'>): boolean {
  return useSyncExternalStore(subscribe, isDirty);
}

/** Something that follows from the whole input; must be the same value while nothing of it changes. */
export function useOfInput<T extends string | boolean | number>(
  { subscribe, read }: Pick<AutomationEditorState, 'subscribe' | 'read'>,
  select: (input: AutomationInput) => T,
): T {
  return useSyncExternalStore(subscribe, () => select(read()));
}

export type AutomationEditorState = ReturnType<typeof useAutomationEditor>;
