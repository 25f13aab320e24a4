import { CircleCheck, CircleX } from 'lucide-react';
import { useContext, useEffect, useMemo, useState } from 'react';
import { type AutomationInput, testComment } from '#contract/automations.ts';
import { MarkedText } from '#web/features/activity/MarkedText.tsx';
import { piecesOf } from '#web/features/activity/marked-text.ts';
import { AutomationForm, trimRows } from '#web/features/automations/automation-form.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { useKeywords } from '#web/features/automations/LibraryPickers.tsx';
import { TriedComment } from '#web/features/automations/LivePreview.tsx';
import { asKeyword, tryDraft } from '#web/features/automations/tester.ts';
import { type AutomationEditorState, useOfInput } from '#web/features/automations/use-automation-editor.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';
import { addTags } from '#web/ui/tags.ts';

type Props = {
  /** How it is called, up to date. */
  input: AutomationInput;
  editor: AutomationEditorState;
  set: FieldsProps['set'];
  automationId: string | null;
  postId: string | null;
};

const TYPING_PAUSE_MS = 350;

/** Type a comment: the editor's automation answers or says why not at once; the server says what the others do. */
export function Tester({ input, editor, set, automationId, postId }: Props) {
  const { text, onText } = useContext(TriedComment);
  const [added, setAdded] = useState<string | null>(null);
  const { words, mode, excludedWords, typoTolerance } = input;
  const { keywordIds, translations } = input;
  const calls = JSON.stringify([words, mode, excludedWords, typoTolerance, keywordIds, translations]);
  const sets = useKeywords();
  const verdict = useMemo(() => {
    const further = { keywords: sets.filter(({ id }) => keywordIds.includes(id)), translations };
    return text.trim() === '' ? null : tryDraft({ words, mode, excludedWords, typoTolerance }, text, further);
  }, [words, mode, excludedWords, typoTolerance, text, sets, keywordIds, translations]);
  const keyword = asKeyword(text, words);
  const isAdded = added === keyword && words.includes(keyword);
  const change = (next: string[], then: string | null) => {
    set('words', next);
    setAdded(then);
  };
  const Icon = verdict?.answers ? CircleCheck : CircleX;
  return (
    <div className="flex flex-col gap-3">
      <Field label="What a follower might write" hint="Nothing is sent. Try spellings, emoji and other languages.">
        {(wiring) => (
          <Input
            {...wiring}
            dir="auto"
            autoComplete="off"
            placeholder="recipe please!!"
            value={text}
            onChange={(event) => onText(event.target.value)}
            // Trying a comment must not save the automation around it.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
      </Field>
      <div role="status" className="flex flex-col gap-3">
        {verdict && (
          <div
            className={cx(
              'flex items-start gap-2.5 rounded-md border p-3',
              verdict.answers ? 'border-accent-line bg-accent-soft' : 'border-line bg-sunken',
            )}
          >
            <Icon
              aria-hidden="true"
              className={cx('mt-0.5 size-5 shrink-0', verdict.answers ? 'text-accent-ink' : 'text-muted')}
            />
            <div className="min-w-0">
              <p className="font-medium">{verdict.answers ? 'This gets a reply.' : 'This doesn’t get a reply.'}</p>
              <p className="text-sm">{verdict.says}</p>
              <p className="mt-1.5 text-sm">
                <MarkedText pieces={piecesOf(text, verdict.found)} />
              </p>
              {(verdict.canAdd || isAdded) && (
                <div className="mt-2 flex flex-wrap items-center gap-x-3 text-sm">
                  {isAdded && (
                    <span>
                      Added <bdi className="font-medium">{keyword}</bdi>.
                    </span>
                  )}
                  {/* One button for both: who pressed it by keyboard stays on it. */}
                  <Button
                    size="small"
                    variant="secondary"
                    onClick={() =>
                      isAdded
                        ? change(
                            words.filter((word) => word !== keyword),
                            null,
                          )
                        : change(addTags(words, [keyword]), keyword)
                    }
                  >
                    {isAdded ? (
                      'Undo'
                    ) : (
                      <>
                        Add <bdi>{keyword}</bdi>
                      </>
                    )}
                  </Button>
                </div>
              )}
            </div>
          </div>
        )}
        {verdict && <Others editor={editor} calls={calls} automationId={automationId} postId={postId} text={text} />}
      </div>
    </div>
  );
}

/** All automations together, as the server would choose among them. Silent while the draft cannot be sent yet. */
function Others({
  editor,
  calls,
  automationId,
  postId,
  text,
}: Omit<Props, 'input' | 'set'> & { calls: string; text: string }) {
  const { read } = editor;
  const { creatorId } = useCreator();
  const { mutate, data } = useEndpointMutation(testComment, { successToast: false, errorToast: false });
  // Asked again when it is called differently, or can be sent now; not with every letter of its message.
  const asks = useOfInput(editor, (input) => `${calls} ${AutomationForm.safeParse(trimRows(input)).success}`);
  useEffect(() => {
    if (asks.length === 0) return;
    const timer = setTimeout(() => {
      const input = read();
      const parsed = AutomationForm.safeParse(trimRows(input));
      mutate({
        params: { creatorId },
        body: {
          connectionId: input.connectionId,
          postId,
          text,
          ...(parsed.success && { draft: { ...parsed.data, id: automationId } }),
        },
      });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [mutate, creatorId, asks, read, postId, text, automationId]);

  if (!data) return null;
  const isThis = (id: string | null) => id === automationId;
  const others = data.others.filter((other) => !isThis(other.automationId));
  const winner = data.answer && !isThis(data.answer.automationId) ? data.answer : null;
  if (!winner && others.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="font-medium">Your other automations</p>
      <ul className="mt-1 flex flex-col gap-1">
        {winner && (
          <li>
            <b className="font-medium">{winner.name}</b> replies to this one: {winner.how}
          </li>
        )}
        {others.slice(0, 10).map((other) => (
          <li key={other.automationId} className="text-muted">
            <b className="font-medium text-ink">{other.name}</b>: {other.why}
          </li>
        ))}
        {others.length > 10 && <li className="text-muted">and {others.length - 10} more that don’t reply</li>}
      </ul>
    </div>
  );
}
