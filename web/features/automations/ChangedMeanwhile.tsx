import type { Automation, AutomationInput } from '#contract/automations.ts';
import { differences, inputOf } from '#web/features/automations/automation-form.ts';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';

type Props = { theirs: Automation; mine: AutomationInput; editor: AutomationEditorState };

/** Two people at one automation: both versions side by side, and the choice. */
export function ChangedMeanwhile({ theirs, mine, editor }: Props) {
  return (
    <Alert variant="warning" announce title="Somebody else saved this automation while you were editing">
      <p>Nothing of yours is lost. What differs:</p>
      <dl className="mt-2 flex flex-col gap-3">
        {differences(mine, inputOf(theirs)).map((difference) => (
          <div key={difference.field}>
            <dt className="font-medium">{difference.label}</dt>
            <dd className="mt-1 grid gap-2 sm:grid-cols-2">
              <Version by="Yours" text={difference.mine} />
              <Version by="Theirs" text={difference.theirs} />
            </dd>
          </div>
        ))}
      </dl>
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

function Version({ by, text }: { by: string; text: string }) {
  return (
    <div className="min-w-0 rounded-md border border-line bg-surface p-2">
      <p className="text-muted text-xs">{by}</p>
      <p className="whitespace-pre-line break-words">
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}
