import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { replayAutomation } from '#contract/prepared-posts.ts';
import { AutomationForm, trimRows } from '#web/features/automations/automation-form.ts';
import { type AutomationEditorState, useOfInput } from '#web/features/automations/use-automation-editor.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { addTags } from '#web/ui/tags.ts';

type Props = { editor: AutomationEditorState; automationId: string | null };
type Replay = ResponseOf<typeof replayAutomation>;

const DAYS = 7;
const WORDS_OFFERED = 6;

/** Results the automation in the editor would have had with last week's real comments. Sends nothing. */
export function ReplayPanel({ editor, automationId }: Props) {
  const { read, set } = editor;
  const { creatorId } = useCreator();
  const replay = useEndpointMutation(replayAutomation, { successToast: false, errorToast: false });
  const parsed = () => AutomationForm.safeParse(trimRows(read()));
  const ready = useOfInput(editor, (input) => AutomationForm.safeParse(trimRows(input)).success);
  const start = () => {
    const draft = parsed();
    if (draft.success) {
      replay.mutate({ params: { creatorId }, body: { draft: { ...draft.data, id: automationId }, days: DAYS } });
    }
  };
  return (
    <div className="flex flex-col items-start gap-3 border-line border-t pt-4">
      <Button variant="secondary" busy={replay.isPending} disabled={!ready} onClick={start}>
        {!replay.isPending && <History aria-hidden="true" className="size-4" />}
        Try it on last week’s comments
      </Button>
      {!ready && <p className="text-muted text-sm">Add a keyword, message and link first.</p>}
      {replay.isError && (
        <Alert variant="error" announce title={replay.error.title}>
          {replay.error.detail}
        </Alert>
      )}
      <div role="status" className="w-full empty:hidden">
        {replay.data && (
          <Result
            replay={replay.data}
            known={read().words}
            onWord={(word) => set('words', addTags(read().words, [word]))}
          />
        )}
      </div>
    </div>
  );
}

function Result({ replay, known, onWord }: { replay: Replay; known: string[]; onWord: (word: string) => void }) {
  const { wouldMatch, wouldMiss, falseAlarms, clashes } = replay;
  if (replay.comments === 0) return <p className="text-muted text-sm">No comments here in the last 7 days.</p>;
  const words = wouldMiss.words
    .filter(({ word }) => !known.some((one) => one.toLocaleLowerCase('en') === word))
    .slice(0, WORDS_OFFERED);
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted text-sm">
        {replay.capped && 'The newest '}
        {replay.comments === 1 ? '1 comment' : `${numerals(replay.comments)} comments`} from the last 7 days, tested
        with your current settings.
      </p>
      <Finding count={wouldMatch.count} says="would get your message" examples={wouldMatch.examples}>
        {({ how }) => how}
      </Finding>
      <Finding
        count={wouldMiss.count}
        says="seem to ask for it and would get nothing"
        guess
        examples={wouldMiss.examples}
        above={
          words.length > 0 && (
            <p className="flex flex-wrap items-center gap-2 pb-2 text-muted text-sm">
              They wrote:
              {words.map(({ word, count }) => (
                <Button key={word} size="small" variant="secondary" onClick={() => onWord(word)}>
                  Add {word} ({numerals(count)})
                </Button>
              ))}
            </p>
          )
        }
      >
        {({ why }) => why}
      </Finding>
      <Finding count={falseAlarms.count} says="would get it without asking" guess examples={falseAlarms.examples}>
        {({ why }) => why}
      </Finding>
      {clashes.map(({ automationId, name, winner, count, examples }) => (
        <p key={`${automationId} ${winner}`} className="py-1.5 text-sm">
          <b className="font-medium">{numerals(count)}</b> also match “{name}”, and{' '}
          {winner === 'this' ? 'this one replies' : `“${name}” replies instead`}: <bdi>“{examples[0]}”</bdi>
        </p>
      ))}
    </div>
  );
}

type Example = { id: string; text: string; username: string | null };

function Finding<E extends Example>({
  count,
  says,
  guess,
  examples,
  above,
  children,
}: {
  count: number;
  says: string;
  /** Heuristics decided: named as such. */
  guess?: boolean;
  examples: E[];
  above?: ReactNode;
  children: (example: E) => string;
}) {
  const line = (
    <>
      <b className="font-medium tabular-nums">{numerals(count)}</b> {says}
      {guess && <span className="text-muted"> (a guess)</span>}
    </>
  );
  if (count === 0) return <p className="py-1.5 text-muted text-sm">{line}</p>;
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 md:min-h-0 md:py-1.5">{line}</summary>
      {above}
      <ul className="flex flex-col gap-2 pb-3">
        {examples.map((example) => (
          <li key={example.id} className="rounded-md bg-sunken p-2">
            <p className="break-words" dir="auto">
              {example.text}
            </p>
            <p className="text-muted text-xs">
              {example.username && <bdi>@{example.username}: </bdi>}
              {children(example)}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
