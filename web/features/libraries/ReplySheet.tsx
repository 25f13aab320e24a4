import { Plus, Trash2 } from 'lucide-react';
import { get, useWatch } from 'react-hook-form';
import {
  checkReply,
  createReply,
  deleteReply,
  getReply,
  listReplies,
  type Reply,
  ReplyInput,
  type ReplyKind,
  updateReply,
} from '#contract/replies.ts';
import { LANGUAGES } from '#contract/suggestions.ts';
import { MessageTextField } from '#web/features/automations/MessageTextField.tsx';
import { DeleteFromLibrary, EntrySheet, SavedMeanwhile, WhereUsed } from '#web/features/libraries/LibrarySheet.tsx';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { FormFrame, TextField } from '#web/shell/form.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Radio, Select } from '#web/ui/inputs.tsx';

export const KIND_WORDS: Record<ReplyKind, { label: string; hint: string }> = {
  public_reply: { label: 'Public replies', hint: 'Posted under comments. Automations rotate them.' },
  message: { label: 'Messages', hint: 'Starting points for the messages in your automations.' },
};

const FRESH: ReplyInput = { name: '', kind: 'public_reply', texts: [''], translations: [] };
const MOST_TEXTS = 20;
/** Somebody, to fill in and to count with. */
const VALUES = { username: 'anna.cooks', word: 'recipe' };

const ReplyForm = ReplyInput.check((context) => {
  for (const { severity, path, message } of checkReply(context.value)) {
    if (severity !== 'error') continue;
    const parts = path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    context.issues.push({ code: 'custom', input: context.value, path: parts, message });
  }
});

type Props = { editing: string; onClose: () => void };

/** One library of Custom Replies, new or saved. */
export function ReplySheet({ editing, onClose }: Props) {
  const { creatorId } = useCreator();
  const isNew = editing === 'new';
  const reply = useEndpoint(getReply, { params: { creatorId, replyId: editing } }, { enabled: !isNew });
  return (
    <EntrySheet
      what="Custom Replies"
      description="Texts to use again. Add several and we’ll rotate them."
      saved={isNew ? null : reply}
      part="the replies"
      onClose={onClose}
    >
      {(saved) => <Editor saved={saved} refetch={reply.refetch} onClose={onClose} />}
    </EntrySheet>
  );
}

type EditorProps = { saved: Reply | null; refetch: () => unknown; onClose: () => void };

function Editor({ saved, refetch, onClose }: EditorProps) {
  const { creatorId } = useCreator();
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
    saved,
    latest: saved,
    inputOf: ({ name, kind, texts, translations }: Reply) => ({ name, kind, texts, translations }),
    fresh: FRESH,
    endpoint: (saved ? updateReply : createReply) as typeof updateReply,
    schema: ReplyForm,
    request: (values: ReplyInput, version) => ({
      params: { creatorId, replyId: saved?.id ?? '' },
      body: { ...values, version },
    }),
    draftKey: `replies:${saved?.id ?? 'new'}`,
    refreshes: [listReplies, getReply],
    refetch,
    onSaved: onClose,
  });
  const deleting = useEndpointMutation(deleteReply, {
    successToast: { title: 'Custom Replies deleted' },
    refreshes: [listReplies],
    onSuccess: onClose,
  });
  const input = useWatch({ control: form.control }) as ReplyInput;
  const set = <F extends keyof ReplyInput>(field: F, value: ReplyInput[F]) =>
    form.setValue(field as 'name', value as string, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
  const errorOf = (path: string) => (get(form.formState.errors, path) as { message?: string } | undefined)?.message;
  const { translations } = input;
  const left = Object.entries(LANGUAGES).filter(([code]) => translations.every(({ language }) => language !== code));
  return (
    <div className="flex flex-col gap-6">
      {theirs && (
        <SavedMeanwhile theirs={[theirs.name, ...theirs.texts].join('\n')} onMine={keepMine} onTheirs={takeTheirs} />
      )}
      <FormFrame form={form} submitLabel="Save">
        <TextField form={form} name="name" label="Name" hint="Only you see it." maxLength={80} />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">Type</legend>
          {(['public_reply', 'message'] as const).map((kind) => (
            <Radio
              key={kind}
              name="kind"
              label={KIND_WORDS[kind].label}
              hint={KIND_WORDS[kind].hint}
              checked={input.kind === kind}
              onChange={() => set('kind', kind)}
            />
          ))}
        </fieldset>
        <Texts
          path="texts"
          kind={input.kind}
          texts={input.texts}
          errorOf={errorOf}
          onChange={(texts) => set('texts', texts)}
        />
        {translations.map((translation, at) => (
          <fieldset key={translation.language} className="flex flex-col gap-4 rounded-md border border-line p-3">
            <legend className="px-1 font-medium">{LANGUAGES[translation.language] ?? translation.language}</legend>
            <Texts
              path={`translations.${at}.texts`}
              kind={input.kind}
              texts={translation.texts}
              errorOf={errorOf}
              onChange={(texts) =>
                set(
                  'translations',
                  translations.map((other) => (other === translation ? { ...translation, texts } : other)),
                )
              }
            />
            <Button
              variant="quiet"
              size="small"
              className="self-start text-error-ink"
              onClick={() =>
                set(
                  'translations',
                  translations.filter((other) => other !== translation),
                )
              }
            >
              <Trash2 aria-hidden="true" className="size-4" />
              Remove {LANGUAGES[translation.language] ?? translation.language}
            </Button>
          </fieldset>
        ))}
        {left.length > 0 && (
          <Field label="Add a language" hint="Used when the comment’s keyword is in that language.">
            {(wiring) => (
              <Select
                {...wiring}
                value=""
                className="max-w-64"
                onChange={(event) =>
                  set('translations', [...translations, { language: event.target.value, texts: [''] }])
                }
              >
                <option value="">Choose</option>
                {left.map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </FormFrame>
      {saved && (
        <>
          <WhereUsed usedBy={saved.usedBy} />
          <DeleteFromLibrary
            name={saved.name}
            usedBy={saved.usedBy}
            busy={deleting.isPending}
            onDelete={() => deleting.mutate({ params: { creatorId, replyId: saved.id } })}
          />
        </>
      )}
    </div>
  );
}

type TextsProps = {
  path: string;
  kind: ReplyKind;
  texts: string[];
  errorOf: (path: string) => string | undefined;
  onChange: (texts: string[]) => void;
};

function Texts({ path, kind, texts, errorOf, onChange }: TextsProps) {
  return (
    <div className="flex flex-col gap-3">
      {texts.map((text, at) => (
        <MessageTextField
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; texts may be the same
          key={at}
          label={at === 0 ? 'Text' : `Version ${at + 1}`}
          kind={kind === 'public_reply' ? 'public_reply' : 'plain'}
          values={VALUES}
          rows={2}
          inserts={at === 0}
          value={text}
          onChange={(changed) => onChange(texts.map((old, place) => (place === at ? changed : old)))}
          error={errorOf(`${path}.${at}`)}
          beside={
            texts.length > 1 && (
              <IconButton
                label={`Remove version ${at + 1}`}
                onClick={() => onChange(texts.filter((_, place) => place !== at))}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            )
          }
        />
      ))}
      {texts.length < MOST_TEXTS && (
        <Button variant="quiet" size="small" className="self-start" onClick={() => onChange([...texts, ''])}>
          <Plus aria-hidden="true" className="size-4" />
          Add another version
        </Button>
      )}
    </div>
  );
}
