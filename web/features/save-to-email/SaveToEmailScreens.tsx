import { type ReactNode, Suspense } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { FormPage } from '#web/features/save-to-email/FormPage.tsx';
import { SaveToEmailPage } from '#web/features/save-to-email/SaveToEmailPage.tsx';
import { SaveToEmailTabs } from '#web/features/save-to-email/SaveToEmailTabs.tsx';
import { SendingPage } from '#web/features/save-to-email/SendingPage.tsx';
import { paths } from '#web/paths.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

/** Emails and newsletters are code of their own: what they share would be in the list of files that every visitor loads. */
const EmailsPage = lazyPart(async () => (await import('#web/features/email-templates/EmailsPage.tsx')).EmailsPage);
const EmailPage = lazyPart(async () => (await import('#web/features/email-templates/EmailPage.tsx')).EmailPage);
const NewsletterPage = lazyPart(
  async () => (await import('#web/features/newsletters/NewsletterPage.tsx')).NewsletterPage,
);
const WelcomeMailPage = lazyPart(
  async () => (await import('#web/features/newsletters/WelcomeMailPage.tsx')).WelcomeMailPage,
);
const BroadcastPage = lazyPart(async () => (await import('#web/features/newsletters/BroadcastPage.tsx')).BroadcastPage);

/** Save to Email, its forms and emails: one entry of the app's routes, which every visitor loads. */
export function Component() {
  const { '*': rest = '' } = useParams();
  const [params] = useSearchParams();
  if (rest === '' && params.get('tab') === 'newsletter') return <Navigate to={paths.newsletter} replace />;
  if (rest === '') return <SaveToEmailPage />;
  if (rest === 'sending') return <SendingPage />;
  const ofItsOwn = screenOf(rest);
  if (ofItsOwn !== null) return <Suspense fallback={<CenteredSpinner />}>{ofItsOwn}</Suspense>;
  return <FormPage formId={/^forms\/([^/]+)$/.exec(rest)?.[1] ?? ''} />;
}

function screenOf(rest: string): ReactNode {
  const [, mailId] = /^newsletter\/welcome\/([^/]+)$/.exec(rest) ?? [];
  if (mailId !== undefined) return <WelcomeMailPage key={mailId} mailId={mailId} />;
  const [, kind, id] = /^(emails|newsletter)(?:\/([^/]+))?$/.exec(rest) ?? [];
  if (kind === 'emails') return id === undefined ? <EmailsPage tabs={<SaveToEmailTabs />} /> : <EmailPage type={id} />;
  if (kind !== 'newsletter') return null;
  return id === undefined ? <NewsletterPage tabs={<SaveToEmailTabs />} /> : <BroadcastPage key={id} broadcastId={id} />;
}
