import { Smartphone, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { canAnswerInPublic, listensForWords, scopeOf } from '#contract/automation-problems.ts';
import {
  type Automation,
  type AutomationInput,
  deleteAutomation,
  listAutomations,
  type Trigger,
} from '#contract/automations.ts';
import { listPosts } from '#contract/posts.ts';
import { AutomationStatus } from '#web/features/automations/AutomationStatus.tsx';
import { repeatLabel } from '#web/features/automations/automation-form.ts';
import { ChangedMeanwhile } from '#web/features/automations/ChangedMeanwhile.tsx';
import { DraftNotice } from '#web/features/automations/DraftNotice.tsx';
import type { EditedPlace } from '#web/features/automations/editor-fields.ts';
import { Folded } from '#web/features/automations/Folded.tsx';
import { ReplyPicker, useReplies } from '#web/features/automations/LibraryPickers.tsx';
import { MessageFields } from '#web/features/automations/MessageFields.tsx';
import { MoreFields } from '#web/features/automations/MoreFields.tsx';
import { PhonePreview, type PreviewPeople } from '#web/features/automations/PhonePreview.tsx';
import { PublicReplyFields } from '#web/features/automations/PublicReplyFields.tsx';
import { StepFields } from '#web/features/automations/StepFields.tsx';
import { Tester } from '#web/features/automations/Tester.tsx';
import { placeInWords } from '#web/features/automations/trigger-words.ts';
import { useAutomationEditor } from '#web/features/automations/use-automation-editor.ts';
import { WhereFields } from '#web/features/automations/WhereFields.tsx';
import { CardFields, TranslationFields, VariantFields } from '#web/features/automations/WordingFields.tsx';
import { WordsFields } from '#web/features/automations/WordsFields.tsx';
import { FiguresPanel } from '#web/features/figures/FiguresPanel.tsx';
import { WordingsCard } from '#web/features/figures/WordingsCard.tsx';
import { LinkGuard } from '#web/features/link-guard/LinkGuard.tsx';
import { RecipeStart } from '#web/features/prepared-posts/RecipeStart.tsx';
import { ReplayPanel } from '#web/features/prepared-posts/ReplayPanel.tsx';
import { FormProblem } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/Dialog.tsx';

const EVERY_TRIGGER: readonly Trigger[] = ['comment', 'story_reply', 'story_mention', 'direct_message', 'live_comment'];

type Props = {
  automation: Automation | null;
  /** What a new one begins as. */
  fresh: AutomationInput;
  post: EditedPlace | null;
  /** What can be chosen to be answered; everything where none is given. */
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
  const { automation, fresh, post, people, above, below, onTest, onCreated, onDeleted } = props;
  const { triggers = EVERY_TRIGGER } = props;
  const editor = useAutomationEditor({ automation, fresh, onCreated });
  const { input, set, errorOf, saved, dirty } = editor;
  const [testText, setTestText] = useState('');
  const [previewOpen, setPreviewOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const status = useRef<HTMLDivElement>(null);

  // The first objection takes the focus, wherever it stands.
  useEffect(() => {
    if (editor.submitCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [editor.submitCount]);

  // Switched on, refused, or changed by somebody else: said at the top, which on a phone is far away.
  const news = [saved?.switchedOnAt, editor.switchProblem, editor.theirs?.version, editor.problem].join();
  const newsBefore = useRef(news);
  useEffect(() => {
    if (newsBefore.current !== news) status.current?.scrollIntoView({ block: 'center' });
    newsBefore.current = news;
  }, [news]);

  const fields = { input, set, errorOf };
  const values = { username: people.follower, word: input.words[0] ?? '' };
  const replies = useReplies('public_reply');
  const preview = (
    <PhonePreview
      input={input}
      people={people}
      comment={testText}
      libraryReply={replies.find(({ id }) => id === input.replyId)?.texts[0] ?? null}
      post={post}
    />
  );
  const scope = scopeOf(input);
  const ofThisPost = scope === 'one' ? post : null;
  const whereIsWrong = ['scope', 'postId', 'captionWords'].some((field) => errorOf(field) !== undefined);
  const isOn = saved?.switchedOnAt != null;
  const hasDraft = saved?.draft != null;
  const savedAs = saved === null ? null : hasDraft ? 'Saved as a draft' : 'All changes saved';
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
        <div className="flex min-w-0 flex-col gap-6">
          {above}
          <div ref={status} className="flex flex-col gap-6 empty:hidden">
            <AutomationStatus editor={editor} post={post} onTest={onTest} />
          </div>
          <FormProblem problem={editor.problem} />
          {editor.restored && (
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
          )}
          <DraftNotice editor={editor} />
          {editor.theirs && <ChangedMeanwhile theirs={editor.theirs} mine={input} editor={editor} />}
          {saved === null && <RecipeStart input={input} set={set} caption={ofThisPost?.caption ?? null} />}
          {(triggers.length > 1 || post !== null) && (
            <Folded
              title="Where"
              summary={placeInWords(input.trigger, scope, input.captionWords)}
              startsOpen={saved === null && post === null}
              hasError={whereIsWrong}
            >
              <WhereFields {...fields} triggers={triggers} postId={post?.id ?? automation?.postId ?? null} />
            </Folded>
          )}
          {listensForWords(input.trigger) && (
            <Group title="Keywords">
              <WordsFields
                {...fields}
                caption={ofThisPost?.caption ?? null}
                suggestedWords={ofThisPost?.suggestedWords ?? []}
              />
            </Group>
          )}
          <Group title="Message">
            <MessageFields {...fields} values={values} />
          </Group>
          {canAnswerInPublic(input.trigger) && (
            <Group title="Public reply">
              <PublicReplyFields {...fields} />
              <ReplyPicker {...fields} />
            </Group>
          )}
          {listensForWords(input.trigger) && (
            <Group title="Test">
              <Tester
                input={input}
                automationId={saved?.id ?? null}
                postId={ofThisPost?.id ?? null}
                text={testText}
                onText={setTestText}
              />
              <ReplayPanel input={input} automationId={saved?.id ?? null} set={set} />
            </Group>
          )}
          <div className="flex flex-col gap-2">
            <h3 className="font-semibold">More</h3>
            <StepFields {...fields} values={values} />
            <CardFields {...fields} />
            <VariantFields {...fields} values={values} />
            {saved && input.buttons.length > 0 && (
              <Folded title="Links" summary="Link checks and what to do about a broken link">
                <LinkGuard automationId={saved.id} />
              </Folded>
            )}
            {saved && saved.variants.length > 0 && <WordingsCard automationId={saved.id} />}
            {listensForWords(input.trigger) && <TranslationFields {...fields} values={values} />}
            <Folded
              title="More settings"
              summary={repeatLabel(input.repeatAfterMinutes)}
              hasError={['excludedWords', 'name', 'priority'].some((field) => errorOf(field) !== undefined)}
            >
              <MoreFields {...fields} />
              {saved && <DeleteAutomation automation={saved} onDeleted={onDeleted} />}
            </Folded>
          </div>
          {saved && (
            <Folded title="Results" summary="Last 30 days">
              <FiguresPanel of={{ automationId: saved.id }} />
            </Folded>
          )}
          {below}
        </div>
        <div className="sticky top-4 hidden md:block">{preview}</div>
      </div>

      <div className="sticky bottom-0 z-10 -mx-4 mt-6 border-line border-t bg-surface sm:-mx-6">
        {previewOpen && (
          <div className="max-h-[50dvh] overflow-y-auto border-line border-b bg-canvas p-4 md:hidden">{preview}</div>
        )}
        <div className="flex items-center px-4 pt-1.5 sm:px-6 md:hidden">
          <SavedState dirty={dirty} saved={savedAs} />
          <Button
            variant="quiet"
            className="ml-auto px-2 aria-expanded:bg-sunken"
            aria-expanded={previewOpen}
            onClick={() => setPreviewOpen(!previewOpen)}
          >
            <Smartphone aria-hidden="true" className="size-5" />
            Preview
          </Button>
        </div>
        {dirty && (isOn || hasDraft) && (
          <div className="flex items-center justify-end gap-2 px-2 pt-1 sm:px-4">
            <span className="text-muted text-sm max-sm:sr-only">
              {hasDraft ? 'Publishing makes it live.' : 'Saving makes it live right away.'}
            </span>
            <Button variant="quiet" size="small" busy={editor.savingDraft} onClick={editor.saveAsDraft}>
              {hasDraft ? 'Save draft' : 'Save as draft'}
            </Button>
          </div>
        )}
        <div className="flex items-center justify-end gap-2 px-4 py-2.5 md:py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
          <SavedState className="mr-auto hidden md:block" dirty={dirty} saved={savedAs} />
          <Button
            type="submit"
            variant={isOn || hasDraft ? 'primary' : 'secondary'}
            className="whitespace-nowrap"
            busy={editor.saving}
          >
            {hasDraft ? (
              <>
                Publish<span className="max-sm:sr-only"> changes</span>
              </>
            ) : (
              'Save'
            )}
          </Button>
          {isOn ? (
            <Button
              variant="secondary"
              className="whitespace-nowrap"
              busy={editor.switching}
              onClick={() => void editor.switchOff()}
            >
              Turn off
            </Button>
          ) : (
            <Button className="whitespace-nowrap" busy={editor.switching} onClick={() => void editor.switchOn()}>
              Turn on
            </Button>
          )}
        </div>
      </div>
      <LeaveGuard
        dirty={dirty}
        keeping={editor.savingDraft}
        // A new automation's text stays in this tab, and is there when somebody comes back to it.
        onKeep={async () => editor.saved === null || (await editor.saveAsDraft()) !== null}
        onDiscard={editor.startOver}
      />
    </form>
  );
}

function SavedState({ dirty, saved, className }: { dirty: boolean; saved: string | null; className?: string }) {
  return (
    <span role="status" className={cx('block text-muted text-sm', className)}>
      {dirty ? 'Not saved yet' : (saved ?? 'New, not saved yet')}
    </span>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** Leaving the automation with unsaved text asks first; going between the tabs of its post does not. */
type LeaveGuardProps = {
  dirty: boolean;
  keeping: boolean;
  /** False: it could not be kept, the editor says why. */
  onKeep: () => Promise<boolean>;
  onDiscard: () => void;
};

function LeaveGuard({ dirty, keeping, onKeep, onDiscard }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation: here, nextLocation: there }) => {
    if (!dirty) return false;
    if (here.pathname !== there.pathname) return true;
    const [from, to] = [new URLSearchParams(here.search), new URLSearchParams(there.search)];
    return from.get('post') !== to.get('post') || from.get('edit') !== to.get('edit');
  });
  const stay = () => blocker.state === 'blocked' && blocker.reset();
  const leave = () => blocker.state === 'blocked' && blocker.proceed();
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && stay()}
      title="Leave without saving?"
      description="You have unsaved changes."
      footer={
        <>
          <Button
            variant="danger"
            onClick={() => {
              onDiscard();
              leave();
            }}
          >
            Discard changes
          </Button>
          <Button variant="secondary" busy={keeping} onClick={async () => ((await onKeep()) ? leave() : stay())}>
            Keep as draft
          </Button>
          <Button onClick={stay}>Keep editing</Button>
        </>
      }
    />
  );
}

function DeleteAutomation({ automation, onDeleted }: { automation: Automation; onDeleted: () => void }) {
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const deleting = useEndpointMutation(deleteAutomation, {
    successToast: { title: 'Automation deleted' },
    refreshes: [listAutomations, listPosts],
    onSuccess: onDeleted,
  });
  return (
    <div className="mt-6 border-line border-t pt-4">
      <Button variant="quiet" size="small" className="text-error-ink" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        Delete automation
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${automation.name}”?`}
        description="It stops right away. Your activity stays, and links in sent messages keep working. This can’t be undone."
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button
              variant="danger"
              busy={deleting.isPending}
              onClick={() => deleting.mutate({ params: { creatorId, automationId: automation.id } })}
            >
              Delete
            </Button>
          </>
        }
      />
    </div>
  );
}
