import { UserRound } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { listInteractions } from '#contract/interactions.ts';
import { ActivityList } from '#web/features/activity/ActivityList.tsx';
import { handleOf } from '#web/features/activity/outcome-words.ts';
import { peopleOf } from '#web/features/contacts/people.ts';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Card } from '#web/ui/Card.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

/** Enough lines to find several people whose handles begin alike. */
const LINES_SEARCHED = 50;

/** "I never got the link": type a handle, see what happened, send it again or read what she must do. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const handle = params.get('handle') ?? '';
  const setHandle = (next: string) => setParams(next === '' ? {} : { handle: next }, { replace: true });
  return (
    <>
      <PageHeader
        title="Contacts"
        description="Find a follower by her handle: what she wrote, what she got, and what you can do now."
      />
      <div className="flex flex-col gap-5">
        <SearchField label="Her handle" placeholder="@anna.cooks" maxLength={64} search={handle} onSearch={setHandle} />
        {handle.replace(/^@/, '') === '' ? <Start /> : <Found handle={handle} onPick={setHandle} />}
      </div>
    </>
  );
}

function Found({ handle, onPick }: { handle: string; onPick: (handle: string) => void }) {
  const { creatorId } = useCreator();
  const found = useEndpoint(listInteractions, { params: { creatorId }, query: { handle, limit: LINES_SEARCHED } });
  if (found.isPending) {
    return (
      <Loading label="Looking for her">
        <Skeleton className="h-64" />
      </Loading>
    );
  }
  if (found.isError) {
    return (
      <ErrorState title="The search did not work" onRetry={() => found.refetch()} retrying={found.isFetching}>
        {found.error.detail}
      </ErrorState>
    );
  }
  const people = peopleOf(found.data.items, handle);
  if (people.length === 0) {
    return (
      <EmptyState icon={<UserRound className="size-7" />} title={`Nobody called ${handle} has written to you here`}>
        Check the spelling of the handle. Comments from before you connected your account are not known to us: ask her
        to comment your word now.
      </EmptyState>
    );
  }
  const [only] = people;
  if (people.length === 1 && only) return <Timeline personId={only.personId} username={only.username} />;
  return (
    <Card title="Who do you mean?">
      <ul>
        {people.map((person) => (
          <li key={person.personId} className="border-line border-b last:border-b-0">
            <button
              type="button"
              className="flex min-h-14 w-full items-center gap-3 rounded-md px-1 py-2 text-left hover:bg-sunken/60"
              onClick={() => onPick(person.username)}
            >
              <Avatar sources={[]} name={person.username} />
              <span className="min-w-0 flex-1">
                <bdi className="block truncate font-medium">{handleOf(person.username)}</bdi>
                <span className="block text-muted text-sm">
                  Last wrote <RelativeTime at={person.lastAt} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Timeline({ personId, username }: { personId: string; username: string }) {
  return (
    <Card
      title={
        <span className="flex items-center gap-3">
          <Avatar size="small" sources={[]} name={username} />
          <bdi>{handleOf(username)}</bdi>
        </span>
      }
    >
      <ActivityList key={personId} filter={{ personId }} withPerson={false} openFirst empty={null} />
    </Card>
  );
}

function Start() {
  return (
    <>
      <EmptyState icon={<UserRound className="size-7" />} title="“I never got the link”">
        Type the handle of the follower who says so. You see her comment and your message, and can send it again where
        Instagram allows it.
      </EmptyState>
      <Alert variant="infoSecondary" title="More of Contacts is being built">
        Lists, email addresses, exports and erasing are not here yet.
      </Alert>
    </>
  );
}
