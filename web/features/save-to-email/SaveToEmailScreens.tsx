import { Suspense } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { EmailsPage } from '#web/features/email-templates/EmailsPage.tsx';
import { FormPage } from '#web/features/save-to-email/FormPage.tsx';
import { NEWSLETTER_PATH } from '#web/features/save-to-email/newsletter-path.ts';
import { SaveToEmailPage } from '#web/features/save-to-email/SaveToEmailPage.tsx';
import { SendingPage } from '#web/features/save-to-email/SendingPage.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

/** Editing text is code of its own. */
const EmailPage = lazyPart(async () => (await import('#web/features/email-templates/EmailPage.tsx')).EmailPage);
const NewsletterPage = lazyPart(
  async () => (await import('#web/features/newsletters/NewsletterPage.tsx')).NewsletterPage,
);
const BroadcastPage = lazyPart(async () => (await import('#web/features/newsletters/BroadcastPage.tsx')).BroadcastPage);

/** Save to Email, its forms and emails: one entry of the app's routes, which every visitor loads. */
export function Component() {
  const { '*': rest = '' } = useParams();
  const [params] = useSearchParams();
  if (rest === '' && params.get('tab') === 'newsletter') return <Navigate to={NEWSLETTER_PATH} replace />;
  if (rest === '') return <SaveToEmailPage />;
  if (rest === 'sending') return <SendingPage />;
  if (rest === 'emails') return <EmailsPage />;
  if (rest === 'newsletter') {
    return (
      <Suspense fallback={<CenteredSpinner />}>
        <NewsletterPage />
      </Suspense>
    );
  }
  const broadcastId = /^newsletter\/([^/]+)$/.exec(rest)?.[1];
  if (broadcastId !== undefined) {
    return (
      <Suspense fallback={<CenteredSpinner />}>
        <BroadcastPage key={broadcastId} broadcastId={broadcastId} />
      </Suspense>
    );
  }
  const emailType = /^emails\/([^/]+)$/.exec(rest)?.[1];
  if (emailType !== undefined) {
    return (
      <Suspense fallback={<CenteredSpinner />}>
        <EmailPage type={emailType} />
      </Suspense>
    );
  }
  return <FormPage formId={/^forms\/([^/]+)$/.exec(rest)?.[1] ?? ''} />;
}
