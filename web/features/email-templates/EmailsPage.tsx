import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type EmailTemplate, listEmailTemplates } from '#contract/email-templates.ts';
import { EmailFrame, EVERYDAY, useEmailPreview } from '#web/features/email-templates/EmailPreview.tsx';
import { EMAILS, SENT_WHEN } from '#web/features/email-templates/words.ts';
import { paths } from '#web/paths.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Every kind of email, with its picture and state. */
export function EmailsPage({ tabs }: { tabs: ReactNode }) {
  const { creatorId } = useCreator();
  const templates = useEndpoint(listEmailTemplates, { params: { creatorId } });
  return (
    <>
      <PageHeader title={EMAILS.title} description={EMAILS.description} />
      {tabs}
      <Loaded
        query={templates}
        loading={EMAILS.loading}
        failed={EMAILS.failed}
        skeleton={
          <div className="grid gap-4 sm:grid-cols-2 md:grid-cols-3">
            <Skeleton className="h-72" />
            <Skeleton className="h-72" />
            <Skeleton className="h-72" />
          </div>
        }
      >
        {({ items }) => (
          <ul className="grid gap-4 sm:grid-cols-2 md:grid-cols-3">
            {items.map((template) => (
              <EmailCard key={template.type} template={template} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function EmailCard({ template }: { template: EmailTemplate }) {
  const { type, name, published, draft } = template;
  const { shown } = useEmailPreview(type, template.live, EVERYDAY);
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div inert aria-hidden="true">
        {shown === null ? (
          <Skeleton className="h-48" />
        ) : (
          <EmailFrame html={shown.html} width={700} className="pointer-events-none h-48" />
        )}
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <h2 className="font-medium">
          <Link to={`${paths.emails}/${type}`} className="hover:underline">
            {name}
          </Link>
        </h2>
        <EmailState template={template} />
      </div>
      <p className="text-muted text-sm">{SENT_WHEN[type]}</p>
      <p className="mt-auto text-faint text-sm">
        {draft !== null ? (
          <>
            Draft saved <RelativeTime at={draft.savedAt} />
          </>
        ) : published !== null ? (
          <>
            Published <RelativeTime at={published.at} />
          </>
        ) : (
          EMAILS.asMade
        )}
      </p>
    </li>
  );
}

export function EmailState({ template: { isSent, draft } }: { template: EmailTemplate }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {isSent ? <Badge tone="accent">{EMAILS.live}</Badge> : <Badge>{EMAILS.notSent}</Badge>}
      {draft !== null && <Badge tone="info">{EMAILS.draft}</Badge>}
    </span>
  );
}
