import { ArrowLeft } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { type Broadcast, type BroadcastState, getBroadcast } from '#contract/newsletters.ts';
import { inWords } from '#web/features/email-templates/design-words.ts';
import { BroadcastBadge } from '#web/features/newsletters/BroadcastBadge.tsx';
import { BroadcastEditor } from '#web/features/newsletters/BroadcastEditor.tsx';
import { BroadcastReport } from '#web/features/newsletters/BroadcastReport.tsx';
import { SendStep } from '#web/features/newsletters/SendStep.tsx';
import { NEWSLETTERS } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** While something happens by itself. */
const REFRESH_MS = 3000;
const AT_WORK: readonly BroadcastState[] = ['scheduled', 'gathering', 'sending'];

/** One newsletter: written, then sent to somebody, then looked at. */
export function BroadcastPage({ broadcastId }: { broadcastId: string }) {
  const { creatorId } = useCreator();
  const broadcast = useEndpoint(
    getBroadcast,
    { params: { creatorId, broadcastId } },
    { refetchInterval: ({ state: { data } }) => (data && AT_WORK.includes(data.state) ? REFRESH_MS : false) },
  );
  return (
    <>
      <TextLink to={paths.newsletter} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {NEWSLETTERS.back}
      </TextLink>
      <Loaded
        query={broadcast}
        loading={NEWSLETTERS.loadingOne}
        failed={NEWSLETTERS.failedOne}
        skeleton={<Skeleton className="h-96" />}
      >
        {(data) => (
          <>
            <PageHeader
              compact
              title={inWords(data.subject) || NEWSLETTERS.noSubject}
              actions={<BroadcastBadge broadcast={data} />}
            />
            <One broadcast={data} refetch={broadcast.refetch} />
          </>
        )}
      </Loaded>
    </>
  );
}

function One({ broadcast, refetch }: { broadcast: Broadcast; refetch: () => unknown }) {
  const [params] = useSearchParams();
  if (broadcast.state !== 'draft') return <BroadcastReport broadcast={broadcast} />;
  return (
    <>
      {broadcast.because !== null && (
        <Alert variant="warning" className="mb-4">
          {broadcast.because}
        </Alert>
      )}
      {params.get('step') === 'send' ? (
        <SendStep broadcast={broadcast} />
      ) : (
        <BroadcastEditor broadcast={broadcast} refetch={refetch} />
      )}
    </>
  );
}
