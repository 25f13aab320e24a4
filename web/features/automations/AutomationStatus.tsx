import type { EditedPost } from '#web/features/automations/AutomationEditor.tsx';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';
import { settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { momentOf } from '#web/ui/moment.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';

const number = new Intl.NumberFormat('en');

/** Says whether it answers, since when, what it does with comments already there, and what stands in its way. */
export function AutomationStatus({
  editor,
  post,
  onTest,
}: {
  editor: AutomationEditorState;
  post: EditedPost | null;
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
          title="It could not be switched on"
          {...((switchProblem.code === 'not_connected' || switchProblem.code === 'needs_reconnect') && {
            action: reconnect,
          })}
        >
          {switchProblem.detail}
        </Alert>
      )}
      {saved?.switchedOnAt &&
        (saved.blockedBecause ? (
          <Alert variant="warning" announce title="It is on, but cannot answer right now" action={reconnect}>
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
            It answers comments that come from then on. {olderComments(commentsBefore(post, saved.switchedOnAt))}
          </Alert>
        ))}
      {saved?.clashes.map((clash) => (
        <Alert key={clash.automationId} variant="warning" title={`“${clash.name}” listens for the same`}>
          {clash.words.length > 0 && <>When somebody writes {clash.words.slice(0, 5).join(', ')}, </>}
          {clash.winner === 'this'
            ? 'this automation answers and the other does not.'
            : `“${clash.name}” answers and this one does not.`}{' '}
          To decide otherwise, change a word or set a priority under More settings.
        </Alert>
      ))}
    </>
  );
}

/** Known only while Instagram's count is older than the switch. */
function commentsBefore(post: EditedPost | null, switchedOnAt: string): number | null {
  const { instagramCounts, countedAt } = post?.reconciliation ?? { instagramCounts: null, countedAt: null };
  return countedAt !== null && countedAt <= switchedOnAt ? instagramCounts : null;
}

function olderComments(count: number | null): string {
  if (count === 0) return '';
  if (count === 1) return 'The comment that is there already is not answered by itself.';
  const those = count === null ? 'Comments' : `The ${number.format(count)} comments`;
  return `${those} from before are not answered by themselves.`;
}
