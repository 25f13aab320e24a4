import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import {
  applyConversions,
  type Conversion,
  type Conversions,
  getConversions,
  listConversions,
  NOT_CONVERTED,
  POST_PROBLEMS,
  switchConversions,
} from '#contract/conversions.ts';
import { OLD_POSTS } from '#web/features/app-links/words.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Question } from '#web/ui/Question.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const WHILE_MAKING_MS = 2_000;
const WHILE_READING_MS = 10_000;
const refreshes = [getConversions, listConversions];

/** Links to Amazon in old blog posts: what there is, what it would become, and the way back. */
export function OldPostsSheet({ onClose }: { onClose: () => void }) {
  const { creatorId } = useCreator();
  const found = useEndpoint(
    getConversions,
    { params: { creatorId } },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.isMaking ? WHILE_MAKING_MS : data?.postsWaiting ? WHILE_READING_MS : false,
    },
  );
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={OLD_POSTS.title} description={OLD_POSTS.says}>
      <Loaded
        query={found}
        loading={OLD_POSTS.loading}
        failed={OLD_POSTS.failed}
        skeleton={<Skeleton className="h-64" />}
      >
        {(data) =>
          data.blog === null ? (
            <EmptyState
              icon={<BookOpen className="size-7" />}
              title={OLD_POSTS.noBlog}
              action={<ButtonLink to={settingsPath('api-key')}>{OLD_POSTS.connect}</ButtonLink>}
            >
              {OLD_POSTS.noBlogSays}
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-6">
              <Progress found={data} />
              {data.problems.length > 0 && <Problems problems={data.problems} />}
              {data.sample !== null && <Sample sample={data.sample} />}
              {data.found > 0 ? <Addresses /> : <p className="text-muted">{OLD_POSTS.nothing(data.postsKnown)}</p>}
            </div>
          )
        }
      </Loaded>
    </Sheet>
  );
}

function Progress({ found }: { found: Conversions }) {
  const { creatorId } = useCreator();
  const [asks, setAsks] = useState(false);
  const make = useEndpointMutation(applyConversions, { successToast: true, errorToast: true, refreshes });
  const show = useEndpointMutation(switchConversions, {
    successToast: true,
    errorToast: true,
    refreshes,
    onSuccess: () => setAsks(false),
  });
  const left = found.mappable - found.made;
  const switchAll = (on: boolean) => show.mutate({ params: { creatorId }, body: { id: null, on } });
  return (
    <section className="flex flex-col gap-3" aria-label={OLD_POSTS.progress}>
      <p role="status">
        {OLD_POSTS.read(found.postsKnown)}
        {found.postsWaiting !== null && found.postsWaiting > 0 && ` ${OLD_POSTS.waiting(found.postsWaiting)}`}{' '}
        {found.found > 0 && OLD_POSTS.found(found.found, found.on)}
      </p>
      {found.isMaking && (
        <progress
          className="h-2 w-full accent-accent"
          aria-label={OLD_POSTS.making}
          value={found.made}
          max={found.mappable}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {left > 0 && (
          <Button busy={make.isPending || found.isMaking} onClick={() => make.mutate({ params: { creatorId } })}>
            {found.isMaking ? OLD_POSTS.making : OLD_POSTS.make(left)}
          </Button>
        )}
        {found.on > 0 && (
          <Button variant="secondary" onClick={() => setAsks(true)}>
            {OLD_POSTS.undoAll}
          </Button>
        )}
        {found.made > found.on && (
          <Button variant="secondary" busy={show.isPending} onClick={() => switchAll(true)}>
            {OLD_POSTS.showAll}
          </Button>
        )}
      </div>
      <Question
        open={asks}
        onOpenChange={setAsks}
        title={OLD_POSTS.undoTitle}
        description={OLD_POSTS.undoSays}
        keep={OLD_POSTS.keep}
        act={OLD_POSTS.undoAll}
        busy={show.isPending}
        onAct={() => switchAll(false)}
      />
    </section>
  );
}

function Problems({ problems }: Pick<Conversions, 'problems'>) {
  return (
    <Alert variant="warning" title={OLD_POSTS.problems(problems.length)}>
      <ul className="flex flex-col gap-2">
        {problems.map(({ title, url, why }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noreferrer" className="underline">
              <bdi>{title}</bdi>
            </a>
            : {POST_PROBLEMS[why]}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Sample({ sample }: { sample: NonNullable<Conversions['sample']> }) {
  return (
    <section className="flex flex-col gap-2" aria-label={OLD_POSTS.sample}>
      <h3 className="font-medium">
        {OLD_POSTS.sample}:{' '}
        <a href={sample.url} target="_blank" rel="noreferrer" className="underline">
          <bdi>{sample.title}</bdi>
        </a>
      </h3>
      <ul className="flex flex-col gap-2 text-sm">
        {sample.swaps.map(({ address, shortUrl }) => (
          <li key={address} className="wrap-anywhere rounded-md bg-canvas p-2">
            <bdi className="block text-muted">{addressInShort(address)}</bdi>
            <bdi className="block">→ {shortUrl === null ? OLD_POSTS.newLink : addressInShort(shortUrl)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Addresses() {
  const { creatorId } = useCreator();
  const [search, setSearch] = useState('');
  const items = useEndpointPages(
    listConversions,
    { params: { creatorId }, query: search === '' ? {} : { search } },
    { keepPrevious: true },
  );
  return (
    <section className="flex flex-col gap-3" aria-label={OLD_POSTS.all}>
      <SearchField label={OLD_POSTS.search} search={search} onSearch={setSearch} maxLength={200} />
      <PagedList
        query={items}
        loading={OLD_POSTS.loading}
        failed={OLD_POSTS.failed}
        skeleton={<Skeleton className="h-40" />}
        empty={<p className="text-muted">{OLD_POSTS.notFound}</p>}
      >
        {(all) => (
          <ul className="flex flex-col">
            {all.map((item) => (
              <Row key={item.id} item={item} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function Row({ item }: { item: Conversion }) {
  const { creatorId } = useCreator();
  const show = useEndpointMutation(switchConversions, { errorToast: true, refreshes });
  const isOn = item.state === 'on';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b py-3 last:border-b-0">
      <span className="min-w-0 flex-1 basis-56">
        <bdi className="block truncate">{addressInShort(item.address)}</bdi>
        <span className="block truncate text-muted text-sm">
          {item.why !== null ? NOT_CONVERTED[item.why] : OLD_POSTS.inPosts(item.post.title, item.posts)}
        </span>
        {item.shortUrl !== null && (
          <TextLink
            to={`${paths.appLinks}?search=${encodeURIComponent(item.shortUrl)}`}
            className="block truncate text-sm"
          >
            <bdi>{addressInShort(item.shortUrl)}</bdi>
          </TextLink>
        )}
      </span>
      <Badge tone={isOn ? 'accent' : 'neutral'}>{OLD_POSTS.states[item.state]}</Badge>
      {(isOn || item.state === 'off') && (
        <Button
          variant="quiet"
          size="small"
          busy={show.isPending}
          onClick={() => show.mutate({ params: { creatorId }, body: { id: item.id, on: !isOn } })}
        >
          {isOn ? OLD_POSTS.undo : OLD_POSTS.show}
        </Button>
      )}
    </li>
  );
}
