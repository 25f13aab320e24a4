import { useParams } from 'react-router';
import { FormPage } from '#web/features/save-to-email/FormPage.tsx';
import { SaveToEmailPage } from '#web/features/save-to-email/SaveToEmailPage.tsx';

/** Save to Email and its forms: one entry of the app's routes, which every visitor loads. */
export function Component() {
  const { '*': rest = '' } = useParams();
  if (rest === '') return <SaveToEmailPage />;
  return <FormPage formId={/^forms\/([^/]+)$/.exec(rest)?.[1] ?? ''} />;
}
