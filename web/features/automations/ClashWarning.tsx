import { type Automation, getAutomation, listAutomations } from '#contract/automations.ts';
import { type ClashAnswer, resolveClash } from '#contract/clashes.ts';
import { type AutomationEditorState, useIsDirty } from '#web/features/automations/use-automation-editor.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';

type Props = { clash: Automation['clashes'][number]; editor: AutomationEditorState };

const NAMED_AT_MOST = 5;

/** Two automations for the same word: says who answers now, and decides otherwise with one tap. */
export function ClashWarning({ clash, editor }: Props) {
  const { creatorId } = useCreator();
  const resolving = useEndpointMutation(resolveClash, {
    successToast: { title: 'Saved' },
    refreshes: [listAutomations, getAutomation],
  });
  const isDirty = useIsDirty(editor);
  const { automationId: otherId, name, words, winner } = clash;
  const automationId = editor.saved!.id;
  const decide = (how: ClashAnswer) =>
    resolving.mutate({ params: { creatorId, automationId }, body: { otherId, how, words } });
  const named = words.slice(0, NAMED_AT_MOST).join(', ');
  return (
    <Alert variant="warning" title={`“${name}” has the same keyword`}>
      {words.length > 0 && <>When someone writes {named}, </>}
      {winner === 'this' ? 'this automation replies and the other doesn’t.' : `“${name}” replies and this one doesn’t.`}
      {isDirty ? (
        <p className="mt-1">Save your changes first to change this.</p>
      ) : (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            size="small"
            variant="secondary"
            busy={resolving.isPending}
            onClick={() => decide(winner === 'this' ? 'answer_there' : 'answer_here')}
          >
            {winner === 'this' ? `Let “${name}” reply` : 'Let this one reply'}
          </Button>
          {words.length > 0 && words.length <= NAMED_AT_MOST && (
            <>
              <Button size="small" variant="secondary" onClick={() => decide('remove_here')}>
                Remove {named} here
              </Button>
              <Button size="small" variant="secondary" onClick={() => decide('remove_there')}>
                Remove {named} from “{name}”
              </Button>
            </>
          )}
        </div>
      )}
    </Alert>
  );
}
