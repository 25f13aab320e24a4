import { ArrowLeft, Mail } from 'lucide-react';
import { EMAIL_TYPES, type EmailType, getEmailTemplate } from '#contract/email-templates.ts';
import { EmailEditor } from '#web/features/email-templates/EmailEditor.tsx';
import { EmailState } from '#web/features/email-templates/EmailsPage.tsx';
import { EMAILS, SENT_WHEN } from '#web/features/email-templates/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** One kind of email, by its type in the address. */
export function EmailPage({ type }: { type: string }) {
  return (
    <>
      <TextLink to={paths.emails} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {EMAILS.back}
      </TextLink>
      {Object.hasOwn(EMAIL_TYPES, type) ? (
        <Email key={type} type={type as EmailType} />
      ) : (
        <EmptyState
          icon={<Mail className="size-7" />}
          title={EMAILS.notFound}
          titleAs="h1"
          action={<ButtonLink to={paths.emails}>{EMAILS.seeAll}</ButtonLink>}
        >
          {EMAILS.notFoundSays}
        </EmptyState>
      )}
    </>
  );
}

function Email({ type }: { type: EmailType }) {
  const { creatorId } = useCreator();
  const template = useEndpoint(getEmailTemplate, { params: { creatorId, type } });
  return (
    <>
      <PageHeader
        compact
        title={EMAIL_TYPES[type].name}
        description={SENT_WHEN[type]}
        actions={template.data && <EmailState template={template.data} />}
      />
      <Loaded
        query={template}
        loading={EMAILS.loadingOne}
        failed={EMAILS.failedOne}
        skeleton={
          <div className="email-columns">
            <Skeleton className="h-96" />
            <Skeleton className="h-96 max-lg:hidden" />
            <Skeleton className="h-96 max-lg:hidden" />
          </div>
        }
      >
        {(data) => <EmailEditor saved={data} refetch={template.refetch} />}
      </Loaded>
    </>
  );
}
