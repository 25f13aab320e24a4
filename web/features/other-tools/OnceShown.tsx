import { Alert } from '#web/ui/Alert.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';

export const NEW_KEY_TITLE = 'Copy your key now. It won’t be shown again.';

/** In place of a name, where something was made by a person who left the team. */
export const SOMEBODY_WHO_LEFT = 'Someone who left';

/** A secret that is shown this once. */
export function OnceShown({ title, label, text }: { title: string; label: string; text: string }) {
  return (
    <Alert variant="success" title={title} announce>
      <p className="my-2 break-all rounded-md bg-surface p-2 font-mono">{text}</p>
      <CopyButton text={text} label={label} />
    </Alert>
  );
}
