import { Alert } from '#web/ui/Alert.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';

/** A secret that is shown this once. */
export function OnceShown({ title, label, text }: { title: string; label: string; text: string }) {
  return (
    <Alert variant="success" title={title} announce>
      <p className="my-2 break-all rounded-md bg-surface p-2 font-mono">{text}</p>
      <CopyButton text={text} label={label} />
    </Alert>
  );
}
