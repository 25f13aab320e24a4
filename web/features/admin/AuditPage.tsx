import { ScrollText } from 'lucide-react';
import { adminListAudit } from '#contract/admin.ts';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { useFilters } from '#web/features/admin/filters.ts';
import { AUDIT_PAGE } from '#web/features/admin/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Acts of admins. `?creatorId=` and `?adminId=` narrow it to one of each. */
export function Component() {
  const filters = useFilters();
  const creatorId = filters.get('creatorId');
  const adminId = filters.get('adminId');
  const log = useEndpointPages(
    adminListAudit,
    { query: { ...(creatorId && { creatorId }), ...(adminId && { adminId }) } },
    { keepPrevious: true },
  );
  const [first] = log.data?.pages[0]?.items ?? [];
  const whose = [creatorId && first?.handle && `about @${first.handle}`, adminId && first && `by ${first.adminName}`];
  return (
    <>
      <PageHeader
        title={AUDIT_PAGE.auditLog}
        description={[AUDIT_PAGE.whatAdminsDid, ...whose.filter(Boolean)].join(' ')}
        actions={
          (creatorId || adminId) && (
            <ButtonLink variant="secondary" to={paths.adminAudit}>
              {AUDIT_PAGE.showEverything}
            </ButtonLink>
          )
        }
      />
      <AdminList
        query={log}
        what="audit log"
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<ScrollText className="size-7" />} title={AUDIT_PAGE.noEntries}>
            {AUDIT_PAGE.everythingAnAdminDoes}
          </EmptyState>
        }
      >
        {(entry) => (
          <div className="flex flex-col gap-0.5 rounded-md border border-line bg-surface px-4 py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="min-w-0 break-words font-medium">{entry.what}</span>
              <RelativeTime at={entry.at} className="text-muted text-sm" />
            </p>
            {entry.detail && <p className="break-words text-sm">{entry.detail}</p>}
            <p className="text-muted text-sm">
              {entry.adminId ? (
                <TextLink to={auditPath({ adminId: entry.adminId })}>{entry.adminName}</TextLink>
              ) : (
                entry.adminName
              )}
              {entry.creatorId && (
                <>
                  {' '}
                  about{' '}
                  <TextLink to={auditPath({ creatorId: entry.creatorId })}>
                    {entry.handle ? `@${entry.handle}` : 'a deleted creator'}
                  </TextLink>
                </>
              )}
            </p>
          </div>
        )}
      </AdminList>
    </>
  );
}

function auditPath(filter: Record<string, string>): string {
  return `${paths.adminAudit}?${new URLSearchParams(filter)}`;
}
