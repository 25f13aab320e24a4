import { useState } from 'react';
import { differences, inputOf, sameInput } from '#web/features/automations/automation-form.ts';
import { type AutomationEditorState, useOfInput } from '#web/features/automations/use-automation-editor.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Differences } from '#web/ui/Differences.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** Says that a draft is being edited and what it would change. Silent where there is none. */
export function DraftNotice({ editor }: { editor: AutomationEditorState }) {
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const { saved } = editor;
  const input = editor.read();
  useOfInput(editor, (typed) => (shown ? JSON.stringify(typed) : saved !== null && sameInput(typed, inputOf(saved))));
  if (!saved?.draft) return null;
  const live = inputOf(saved);
  const isSame = sameInput(input, live);
  return (
    <Alert
      variant="infoSecondary"
      title="This is a draft"
      action={
        <Button variant="secondary" size="small" onClick={() => setAsking(true)}>
          Discard draft
        </Button>
      }
    >
      <p>
        Saved <RelativeTime at={saved.draft.savedAt} /> by <bdi>{saved.draft.savedBy}</bdi>.{' '}
        {saved.switchedOnAt === null ? 'The saved version stays' : 'The live version keeps replying'} until you publish.
      </p>
      {saved.draft.base !== saved.version && (
        <p className="mt-1 font-medium">
          The live version changed after you started this draft. Publishing replaces it, so check the changes first.
        </p>
      )}
      {isSame ? (
        <p className="mt-1">It’s the same as the live version.</p>
      ) : (
        <>
          <Button
            variant="quiet"
            size="small"
            className="-ml-2 mt-1"
            aria-expanded={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide changes' : 'Show changes'}
          </Button>
          {shown && <Differences differences={differences(input, live)} labels={['Draft', 'Live']} />}
        </>
      )}
      <Question
        open={asking}
        onOpenChange={setAsking}
        title="Discard the draft?"
        description="Your draft changes will be gone. The live version stays as it is."
        keep="Keep it"
        act="Discard"
        danger
        busy={editor.discarding}
        onAct={() => void editor.discard().then(() => setAsking(false))}
      />
    </Alert>
  );
}
