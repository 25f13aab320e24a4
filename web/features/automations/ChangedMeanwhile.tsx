import { useWatch } from 'react-hook-form';
import type { Automation } from '#contract/automations.ts';
import { differences, editedOf } from '#web/features/automations/automation-form.ts';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Differences } from '#web/ui/Differences.tsx';

type Props = { theirs: Automation; editor: AutomationEditorState };

/** Two people at one automation: both versions side by side, and the choice. */
export function ChangedMeanwhile({ theirs, editor }: Props) {
  useWatch({ control: editor.control });
  return (
    <Alert variant="warning" announce title="Someone else saved this automation while you were editing">
      <p>Your version is still here. What’s different:</p>
      <Differences differences={differences(editor.read(), editedOf(theirs))} labels={['Yours', 'Theirs']} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={editor.keepMine}>
          Keep mine
        </Button>
        <Button size="small" variant="secondary" onClick={editor.startOver}>
          Use theirs
        </Button>
      </div>
    </Alert>
  );
}
