import type { Automation, AutomationInput } from '#contract/automations.ts';
import { editedOf } from '#web/features/automations/automation-form.ts';
import { Differences } from '#web/features/automations/Differences.tsx';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';

type Props = { theirs: Automation; mine: AutomationInput; editor: AutomationEditorState };

/** Two people at one automation: both versions side by side, and the choice. */
export function ChangedMeanwhile({ theirs, mine, editor }: Props) {
  return (
    <Alert variant="warning" announce title="Somebody else saved this automation while you were editing">
      <p>Nothing of yours is lost. What differs:</p>
      <Differences mine={mine} theirs={editedOf(theirs)} labels={['Yours', 'Theirs']} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={editor.keepMine}>
          Keep mine
        </Button>
        <Button size="small" variant="secondary" onClick={editor.startOver}>
          Take theirs
        </Button>
      </div>
    </Alert>
  );
}
