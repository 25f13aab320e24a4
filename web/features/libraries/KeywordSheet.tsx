import { useWatch } from 'react-hook-form';
import {
  createKeyword,
  deleteKeyword,
  getKeyword,
  type Keyword,
  KeywordInput,
  listKeywords,
  updateKeyword,
} from '#contract/keywords.ts';
import { checkRule } from '#contract/matching/index.ts';
import { MODE_WORDS } from '#web/features/automations/automation-form.ts';
import { matchHint } from '#web/features/automations/match-hint.ts';
import { WordSuggestions } from '#web/features/automations/WordSuggestions.tsx';
import { DeleteFromLibrary, EntrySheet, SavedMeanwhile, WhereUsed } from '#web/features/libraries/LibrarySheet.tsx';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { FormFrame, TextField, useFieldError } from '#web/shell/form.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Field } from '#web/ui/Field.tsx';
import { Select, Switch } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

const FRESH: KeywordInput = { name: '', words: [], mode: 'whole_word', excludedWords: [], typoTolerance: true };
const MODES = ['whole_word', 'exact', 'all_words', 'contains'] as const;

/** Problems are shown before the server is asked. */
const KeywordForm = KeywordInput.check((context) => {
  for (const { severity, field, message } of checkRule(context.value)) {
    if (severity === 'error') context.issues.push({ code: 'custom', input: context.value, path: [field], message });
  }
});

type Props = { editing: string; onClose: () => void };

/** One set of Custom Keywords, new or saved. */
export function KeywordSheet({ editing, onClose }: Props) {
  const { creatorId } = useCreator();
  const isNew = editing === 'new';
  const keyword = useEndpoint(getKeyword, { params: { creatorId, keywordId: editing } }, { enabled: !isNew });
  return (
    <EntrySheet
      what="Custom Keywords"
      description="Keywords any automation can listen for."
      saved={isNew ? null : keyword}
      part="the words"
      onClose={onClose}
    >
      {(saved) => <Editor saved={saved} refetch={keyword.refetch} onClose={onClose} />}
    </EntrySheet>
  );
}

type EditorProps = { saved: Keyword | null; refetch: () => unknown; onClose: () => void };

function Editor({ saved, refetch, onClose }: EditorProps) {
  const { creatorId } = useCreator();
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
    saved,
    latest: saved,
    inputOf: ({ name, words, mode, excludedWords, typoTolerance }: Keyword) => ({
      name,
      words,
      mode,
      excludedWords,
      typoTolerance,
    }),
    fresh: FRESH,
    endpoint: (saved ? updateKeyword : createKeyword) as typeof updateKeyword,
    schema: KeywordForm,
    request: (values: KeywordInput, version) => ({
      params: { creatorId, keywordId: saved?.id ?? '' },
      body: { ...values, version },
    }),
    draftKey: `keywords:${saved?.id ?? 'new'}`,
    refreshes: [listKeywords, getKeyword],
    refetch,
    onSaved: onClose,
  });
  const deleting = useEndpointMutation(deleteKeyword, {
    successToast: { title: 'Custom Keywords deleted' },
    refreshes: [listKeywords],
    onSuccess: onClose,
  });
  const input = useWatch({ control: form.control }) as KeywordInput;
  const wordsError = useFieldError(form.control, 'words');
  const excludedError = useFieldError(form.control, 'excludedWords');
  const warnings = checkRule(input).filter(({ severity }) => severity === 'warning');
  const set = <F extends keyof KeywordInput>(field: F, value: KeywordInput[F]) =>
    form.setValue(field as 'name', value as string, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
  return (
    <div className="flex flex-col gap-6">
      {theirs && (
        <SavedMeanwhile theirs={`${theirs.name}\n${theirs.words.join(', ')}`} onMine={keepMine} onTheirs={takeTheirs} />
      )}
      <FormFrame form={form} submitLabel="Save">
        <TextField form={form} name="name" label="Name" hint="Only you see it." maxLength={80} />
        <Field
          label="Words or phrases"
          hint="Upper or lower case doesn’t matter. Press Enter after each, or paste a list."
          error={wordsError}
          aside={`${input.words.length} of 1,000`}
        >
          {(wiring) => (
            <TagInput {...wiring} value={input.words} onChange={(words) => set('words', words)} placeholder="RECIPE" />
          )}
        </Field>
        <WordSuggestions startsOpen rule={input} onWords={(words) => set('words', words)} />
        {warnings.map(({ message }) => (
          <p key={message} className="text-sm text-warning-ink">
            {message}
          </p>
        ))}
        <Field label="Match" hint={matchHint(input)}>
          {(wiring) => (
            <Select
              {...wiring}
              value={input.mode}
              onChange={(event) => set('mode', event.target.value as KeywordInput['mode'])}
            >
              {MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {MODE_WORDS[mode].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Switch
          label="Forgive typos and plurals"
          checked={input.typoTolerance}
          onChange={(event) => set('typoTolerance', event.target.checked)}
        />
        <Field
          label="Don’t send if the comment contains"
          optional
          hint="Comments with any of these words never get a reply from this set."
          error={excludedError}
        >
          {(wiring) => (
            <TagInput {...wiring} value={input.excludedWords} onChange={(words) => set('excludedWords', words)} />
          )}
        </Field>
      </FormFrame>
      {saved && (
        <>
          <WhereUsed usedBy={saved.usedBy} />
          <DeleteFromLibrary
            name={saved.name}
            usedBy={saved.usedBy}
            busy={deleting.isPending}
            onDelete={() => deleting.mutate({ params: { creatorId, keywordId: saved.id } })}
          />
        </>
      )}
    </div>
  );
}
