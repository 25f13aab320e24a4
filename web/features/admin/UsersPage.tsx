import { UserRound } from 'lucide-react';
import { adminListUsers } from '#contract/admin.ts';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { useFilters } from '#web/features/admin/filters.ts';
import { USERS_PAGE } from '#web/features/admin/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Card } from '#web/ui/Card.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** `?search=` says which people are listed. */
export function Component() {
  const filters = useFilters();
  const search = filters.get('search');
  const users = useEndpointPages(adminListUsers, { query: search ? { search } : {} }, { keepPrevious: true });
  return (
    <>
      <PageHeader title={USERS_PAGE.users} />
      <div className="flex flex-col gap-5">
        <SearchField label={USERS_PAGE.nameOrEmail} search={search} onSearch={(next) => filters.set('search', next)} />
        <AdminList
          query={users}
          what="users"
          keyOf={({ userId }) => userId}
          empty={
            <EmptyState icon={<UserRound className="size-7" />} title={USERS_PAGE.noUsersFound}>
              {USERS_PAGE.checkTheSpellingOr}
            </EmptyState>
          }
        >
          {(user) => (
            <Card
              title={<bdi className="break-words">{user.name}</bdi>}
              description={<span className="break-words">{user.email}</span>}
              aside={
                <span className="flex flex-wrap gap-1.5">
                  {user.isAdmin && <Badge tone="info">{USERS_PAGE.admin}</Badge>}
                  {!user.emailVerified && <Badge tone="warning">{USERS_PAGE.emailNotConfirmed}</Badge>}
                </span>
              }
            >
              <p className="text-muted text-sm">
                Joined <RelativeTime at={user.createdAt} />
                {user.creators.length === 0 ? ', in no creator account' : ', works for '}
                {user.creators.map((handle, index) => (
                  <span key={handle}>
                    {index > 0 && ', '}
                    <TextLink to={`${paths.admin}?${new URLSearchParams({ search: handle })}`}>@{handle}</TextLink>
                  </span>
                ))}
                .
              </p>
            </Card>
          )}
        </AdminList>
      </div>
    </>
  );
}
