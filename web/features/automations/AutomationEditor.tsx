import { type ReactNode, useEffect, useRef, useState } from 'react';
import { canAnswerInPublic, listensForWords, scopeOf } from '#contract/automation-problems.ts';
import type { Automation, AutomationInput, Trigger } from '#contract/automations.ts';
import { AutomationStatus } from '#web/features/automations/AutomationStatus.tsx';
import { repeatLabel } from '#web/features/automations/automation-form.ts';
import { ChangedMeanwhile } from '#web/features/automations/ChangedMeanwhile.tsx';
import { DeleteAutomation } from '#web/features/automations/DeleteAutomation.tsx';
import { DraftNotice } from '#web/features/automations/DraftNotice.tsx';
import { EditorFooter } from '#web/features/automations/EditorFooter.tsx';
import type { EditedPlace, FieldsProps } from '#web/features/automations/editor-fields.ts';
import { Folded } from '#web/features/automations/Folded.tsx';
import { ReplyPicker } from '#web/features/automations/LibraryPickers.tsx';
import { LivePreview, TriedComment } from '#web/features/automations/LivePreview.tsx';
import { ButtonFields, MessageField } from '#web/features/automations/MessageFields.tsx';
import { MoreFields } from '#web/features/automations/MoreFields.tsx';
import type { PreviewPeople } from '#web/features/automations/PhonePreview.tsx';
import { PublicReplyFields } from '#web/features/automations/PublicReplyFields.tsx';
import { StepFields } from '#web/features/automations/StepFields.tsx';
import { Tester } from '#web/features/automations/Tester.tsx';
import { placeInWords } from '#web/features/automations/trigger-words.ts';
import {
  type AutomationEditorState,
  useAutomationEditor,
  useFields,
  useIsDirty,
  useOfInput,
} from '#web/features/automations/use-automation-editor.ts';
import { WhereFields } from '#web/features/automations/WhereFields.tsx';
import { CardFields, TranslationFields, VariantFields } from '#web/features/automations/WordingFields.tsx';
import { WordsFields } from '#web/features/automations/WordsFields.tsx';
import { FiguresPanel } from '#web/features/figures/FiguresPanel.tsx';
import { WordingsCard } from '#web/features/figures/WordingsCard.tsx';
import { LinkGuard } from '#web/features/link-guard/LinkGuard.tsx';
import { RecipeStart } from '#web/features/prepared-posts/RecipeStart.tsx';
import { ReplayPanel } from '#web/features/prepared-posts/ReplayPanel.tsx';
import { FormProblem } from '#web/shell/form.tsx';
import { LeaveGuard } from '#web/shell/LeaveGuard.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';

const EVERY_TRIGGER: readonly Trigger[] = ['comment', 'story_reply', 'story_mention', 'direct_message', 'live_comment'];

/** On a phone one after the other; with room, one page. */
const STEPS = [
  { id: 'keyword', label: 'Keyword' },
  { id: 'message', label: 'Message' },
  { id: 'finish', label: 'Turn it on' },
] as const;
type Step = (typeof STEPS)[number]['id'];

const PLACE = ['trigger', 'scope', 'postId', 'captionWords'] as const;
const CALLS = ['words', 'mode', 'excludedWords', 'typoTolerance', 'keywordIds', 'translations'] as const;
const MESSAGE = ['messageText', 'card', 'words'] as const;

type Props = {
  automation: Automation | null;
  /** The state of a new automation. */
  fresh: AutomationInput;
  post: EditedPlace | null;
  /** Triggers that can be chosen; all when absent. */
  triggers?: readonly Trigger[];
  people: PreviewPeople;
  /** Above the fields: the way back to the list. */
  above?: ReactNode;
  /** Below the fields: the way to another one. */
  below?: ReactNode;
  /** Leads to the live test; absent where there is no post to comment on. */
  onTest?: () => void;
  onCreated: (automation: Automation) => void;
  onDeleted: () => void;
};

/** Words, message and replies of one automation, with the follower's phone beside it and a tester below. */
export function AutomationEditor(props: Props) {
  return (
    <TryingComments>
      <Editor {...props} />
    </TryingComments>
  );
}

function TryingComments({ children }: { children: ReactNode }) {
  const [text, onText] = useState('');
  return <TriedComment value={{ text, onText }}>{children}</TriedComment>;
}

function Editor(props: Props) {
  const { automation, fresh, post, people, above, below, onTest, onCreated, onDeleted } = props;
  const { triggers = EVERY_TRIGGER } = props;
  const editor = useAutomationEditor({ automation, fresh, onCreated });
  const { saved } = editor;
  const trigger = useOfInput(editor, (input) => input.trigger);
  const scope = useOfInput(editor, scopeOf);
  // Its post says the word already.
  const [step, setStep] = useState<Step>(automation === null && fresh.words.length > 0 ? 'message' : 'keyword');
  /** On a phone; with room all of it is there. */
  const [moreOpen, setMoreOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const status = useRef<HTMLDivElement>(null);

  // The first objection takes the focus, on whatever step it stands.
  const objected = useRef(editor.submitCount);
  useEffect(() => {
    if (objected.current === editor.submitCount) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const at = field?.closest<HTMLElement>('[data-step]')?.dataset.step as Step | undefined;
    if (at !== undefined && at !== step) return setStep(at);
    if (field?.closest('[data-more]') && !moreOpen) return setMoreOpen(true);
    objected.current = editor.submitCount;
    field?.focus();
  }, [editor.submitCount, step, moreOpen]);

  // Switched on, refused, or changed by somebody else: said at the top, which on a phone is far away.
  const news = [saved?.switchedOnAt, editor.switchProblem, editor.theirs?.version, editor.problem].join();
  const newsBefore = useRef(news);
  useEffect(() => {
    if (newsBefore.current !== news) status.current?.scrollIntoView({ block: 'center' });
    newsBefore.current = news;
  }, [news]);
  useSaveKey(form, editor);

  const preview = { editor, people, post };
  const ofThisPost = scope === 'one' ? post : null;
  const valuesOf = ({ words }: AutomationInput) => ({ username: people.follower, word: words[0] ?? '' });
  const goTo = (next: Step) => {
    setStep(next);
    form.current?.scrollIntoView({ block: 'start' });
  };
  const next = STEPS[STEPS.findIndex(({ id }) => id === step) + 1];
  const on = (id: Step) => ({ 'data-step': id, className: cx('flex flex-col gap-6', step !== id && 'max-md:hidden') });
  return (
    <form
      ref={form}
      noValidate
      aria-label={saved ? `Automation ${saved.name}` : 'New automation'}
      className="flex min-h-full flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        void editor.save();
      }}
    >
      <div className="grid flex-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_20rem] lg:gap-8">
        <div className="flex min-w-0 flex-col gap-6 max-md:gap-4">
          {above}
          <div ref={status} className="flex flex-col gap-6 empty:hidden">
            <AutomationStatus editor={editor} post={post} onTest={onTest} />
          </div>
          <FormProblem problem={editor.problem} />
          {editor.restored && <BroughtBack editor={editor} />}
          <DraftNotice editor={editor} />
          {editor.theirs && <ChangedMeanwhile theirs={editor.theirs} editor={editor} />}
          <StepList step={step} onStep={goTo} />
          <div {...on('keyword')}>
            {saved === null && (
              <Part editor={editor} of={['trigger', 'words', 'buttons']}>
                {(fields) => <RecipeStart {...fields} caption={ofThisPost?.caption ?? null} />}
              </Part>
            )}
            {(triggers.length > 1 || post !== null) && (
              <Part editor={editor} of={PLACE}>
                {(fields) => (
                  <Folded
                    title="Where"
                    summary={placeInWords(trigger, scope, fields.input.captionWords)}
                    startsOpen={saved === null && post === null}
                    hasError={['scope', 'postId', 'captionWords'].some((field) => fields.errorOf(field) !== undefined)}
                  >
                    <WhereFields
                      {...fields}
                      read={editor.read}
                      triggers={triggers}
                      postId={post?.id ?? automation?.postId ?? null}
                    />
                  </Folded>
                )}
              </Part>
            )}
            {listensForWords(trigger) && (
              <Group title="Keywords">
                <Part editor={editor} of={['trigger', ...CALLS]}>
                  {(fields) => (
                    <WordsFields
                      {...fields}
                      caption={ofThisPost?.caption ?? null}
                      suggestedWords={ofThisPost?.suggestedWords ?? []}
                    />
                  )}
                </Part>
              </Group>
            )}
          </div>
          <div {...on('message')}>
            <Group title="Message">
              <Part editor={editor} of={MESSAGE}>
                {(fields) => <MessageFieldOf editor={editor} fields={fields} values={valuesOf(fields.input)} />}
              </Part>
              <Part editor={editor} of={['buttons']}>
                {(fields) => <ButtonFields {...fields} />}
              </Part>
            </Group>
          </div>
          <div {...on('finish')}>
            {canAnswerInPublic(trigger) && (
              <Group title="Public reply">
                <Part editor={editor} of={['publicReplies']}>
                  {(fields) => <PublicReplyFields {...fields} />}
                </Part>
                <Part editor={editor} of={['replyId']}>
                  {(fields) => <ReplyPicker {...fields} />}
                </Part>
              </Group>
            )}
            {listensForWords(trigger) && (
              <Group title="Test">
                <Part editor={editor} of={CALLS}>
                  {({ input, set }) => (
                    <Tester
                      input={input}
                      editor={editor}
                      set={set}
                      automationId={saved?.id ?? null}
                      postId={ofThisPost?.id ?? null}
                    />
                  )}
                </Part>
                <div className={cx(!moreOpen && 'max-md:hidden')}>
                  <ReplayPanel editor={editor} automationId={saved?.id ?? null} />
                </div>
              </Group>
            )}
            <Button
              variant="secondary"
              aria-expanded={moreOpen}
              className={cx('md:hidden', moreOpen && 'max-md:hidden')}
              onClick={() => setMoreOpen(true)}
            >
              More options
            </Button>
            <div data-more className={cx('flex flex-col gap-2', !moreOpen && 'max-md:hidden')}>
              <h3 className="font-semibold">More</h3>
              <Part editor={editor} of={['trigger', 'opening', 'followAsk', 'emailAsk', 'followUp', 'words']}>
                {(fields) => <StepFields {...fields} values={valuesOf(fields.input)} />}
              </Part>
              <Part editor={editor} of={['card']}>
                {(fields) => <CardFields {...fields} />}
              </Part>
              <Part editor={editor} of={['variants', 'buttons', 'card', 'words']}>
                {(fields) => <VariantFields {...fields} read={editor.read} values={valuesOf(fields.input)} />}
              </Part>
              {saved && <LinksOf editor={editor} automationId={saved.id} />}
              {saved && saved.variants.length > 0 && <WordingsCard automationId={saved.id} />}
              {listensForWords(trigger) && (
                <Part editor={editor} of={['translations', 'buttons', 'card', 'words']}>
                  {(fields) => <TranslationFields {...fields} values={valuesOf(fields.input)} />}
                </Part>
              )}
              <Part editor={editor} of={['excludedWords', 'name', 'priority', 'repeatAfterMinutes']}>
                {(fields) => (
                  <Folded
                    title="More settings"
                    summary={repeatLabel(fields.input.repeatAfterMinutes)}
                    hasError={['excludedWords', 'name', 'priority'].some((one) => fields.errorOf(one) !== undefined)}
                  >
                    <MoreFields {...fields} />
                    {saved && <DeleteAutomation automation={saved} onDeleted={onDeleted} />}
                  </Folded>
                )}
              </Part>
            </div>
            {saved && (
              <div className={cx(!moreOpen && 'max-md:hidden')}>
                <Folded title="Results" summary="Last 30 days">
                  <FiguresPanel of={{ automationId: saved.id }} />
                </Folded>
              </div>
            )}
          </div>
          {below}
        </div>
        <div className="sticky top-4 hidden md:block">
          <LivePreview {...preview} />
        </div>
      </div>
      <EditorFooter editor={editor} preview={preview} onNext={next ? () => goTo(next.id) : null} />
      <Leaving editor={editor} />
    </form>
  );
}

/** Going between the tabs of its post does not leave the automation. */
function Leaving({ editor }: { editor: AutomationEditorState }) {
  const dirty = useIsDirty(editor);
  return (
    <LeaveGuard
      dirty={dirty}
      leaves={(here, there) => {
        const [from, to] = [new URLSearchParams(here.search), new URLSearchParams(there.search)];
        return from.get('post') !== to.get('post') || from.get('edit') !== to.get('edit');
      }}
      keeping={editor.savingDraft}
      // A new automation's text stays in this tab, and is there when somebody comes back to it.
      onKeep={async () => editor.saved === null || (await editor.saveAsDraft()) !== null}
      onDiscard={editor.startOver}
    />
  );
}

type PartProps = {
  editor: AutomationEditorState;
  of: readonly (keyof AutomationInput)[];
  children: (fields: FieldsProps) => ReactNode;
};

/** A part of the editor, drawn again only when one of its own fields changes. */
function Part({ editor, of, children }: PartProps) {
  return children(useFields(editor, of));
}

function BroughtBack({ editor }: { editor: AutomationEditorState }) {
  if (!useIsDirty(editor)) return null;
  return (
    <Alert
      variant="infoSecondary"
      action={
        <Button variant="quiet" size="small" onClick={editor.startOver}>
          Start over
        </Button>
      }
    >
      We brought back what you typed before. It isn’t saved yet.
    </Alert>
  );
}

/** With a button a message may be as long as with three. */
function MessageFieldOf({
  editor,
  fields,
  values,
}: {
  editor: AutomationEditorState;
  fields: FieldsProps;
  values: { username: string; word: string };
}) {
  const hasButtons = useOfInput(editor, ({ buttons }) => buttons.some(({ title }) => title.trim() !== ''));
  return <MessageField {...fields} hasButtons={hasButtons} values={values} />;
}

function LinksOf({ editor, automationId }: { editor: AutomationEditorState; automationId: string }) {
  const hasLinks = useOfInput(editor, ({ buttons }) => buttons.length > 0);
  if (!hasLinks) return null;
  return (
    <Folded title="Links" summary="Link checks and what to do about a broken link">
      <LinkGuard automationId={automationId} />
    </Folded>
  );
}

function StepList({ step, onStep }: { step: Step; onStep: (step: Step) => void }) {
  return (
    <ol aria-label="Steps" className="grid grid-cols-3 gap-1.5 md:hidden">
      {STEPS.map(({ id, label }, at) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === step ? 'step' : undefined}
            className="min-h-11 w-full border-line border-b-4 text-muted text-sm aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink forced-colors:aria-[current]:forced-color-adjust-none forced-colors:aria-[current]:bg-[Highlight] forced-colors:aria-[current]:text-[HighlightText]"
            onClick={() => onStep(id)}
          >
            {at + 1}. {label}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Ctrl+S and Cmd+S save what is typed: the draft where there is one, and never the page. */
function useSaveKey(form: React.RefObject<HTMLFormElement | null>, editor: AutomationEditorState) {
  const save = () => {
    if (!editor.isDirty() || editor.saving || editor.savingDraft) return;
    void (editor.saved?.draft ? editor.saveAsDraft() : editor.save());
  };
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
      // Kept behind another tab of its post.
      if (!form.current?.checkVisibility()) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [form]);
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 max-md:border-0 max-md:p-0">
      <h3 className="font-semibold max-md:sr-only">{title}</h3>
      {children}
    </section>
  );
}
