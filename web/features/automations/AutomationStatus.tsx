import { ClashWarning } from '#web/features/automations/ClashWarning.tsx';
import type { EditedPlace } from '#web/features/automations/editor-fields.ts';
import { TRIGGER_WORDS } from '#web/features/automations/trigger-words.ts';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';
import { BrokenLinkAlert } from '#web/features/link-guard/BrokenLink.tsx';
import { settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';

/** Says whether it answers, since when, what it does with comments already there, and what stands in its way. */
export function AutomationStatus({
  editor,
  post,
  onTest,
}: {
  editor: AutomationEditorState;
  post: EditedPlace | null;
  onTest?: (() => void) | undefined;
}) {
  const now = useNow();
  const { saved, switchProblem } = editor;
  const reconnect = (
    <ButtonLink size="small" variant="secondary" to={settingsPath('connections')}>
      Open Settings
    </ButtonLink>
  );
  return (
    <>
      {switchProblem && (
        <Alert
          variant="error"
          announce
          title="Couldn’t turn it on"
          {...((switchProblem.code === 'not_connected' || switchProblem.code === 'needs_reconnect') && {
            action: reconnect,
          })}
        >
          {switchProblem.detail}
        </Alert>
      )}
      {saved?.switchedOnAt &&
        (saved.blockedBecause ? (
          <Alert variant="warning" announce title="It’s on, but can’t reply right now" action={reconnect}>
            {saved.blockedBecause}
          </Alert>
        ) : (
          <Alert
            variant="success"
            announce
            title={`On since ${momentOf(saved.switchedOnAt, now)}`}
            {...(onTest && {
              action: (
                <Button size="small" variant="secondary" onClick={onTest}>
                  Test it live
                </Button>
              ),
            })}
          >
            Replies to new {TRIGGER_WORDS[saved.trigger].label.toLowerCase()}.{' '}
            {saved.trigger === 'comment' && olderComments(commentsBefore(post, saved.switchedOnAt))}
          </Alert>
        ))}
      {saved?.switchedOnAt && <BrokenLinkAlert automationId={saved.id} />}
      {saved?.clashes.map((clash) => (
        <ClashWarning key={`${clash.automationId} ${clash.winner}`} clash={clash} editor={editor} />
      ))}
    </>
  );
}

/** Known only while Instagram's count is older than the switch. */
function commentsBefore(post: EditedPlace | null, switchedOnAt: string): number | null {
  const { instagramCounts, countedAt } = post?.reconciliation ?? { instagramCounts: null, countedAt: null };
  return countedAt !== null && countedAt <= switchedOnAt ? instagramCounts : null;
}

function olderComments(count: number | null): string {
  if (count === 0) return '';
  if (count === 1) return 'The earlier comment won’t get a reply unless you catch up.';
  const those = count === null ? 'Earlier comments' : `The ${numerals(count)} earlier comments`;
  return `${those} won’t get a reply unless you catch up.`;
}
