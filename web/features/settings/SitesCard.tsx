import { mayDo } from '#contract/roles.ts';
import { keepSiteAsCopy, listSites, makeSiteLive, removeSite, type Site, type SiteState } from '#contract/sites.ts';
import { SITES } from '#web/features/settings/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge, type BadgeTone } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const TONES: Record<SiteState, BadgeTone> = { live: 'accent', away: 'warning', ended: 'warning', copy: 'neutral' };

/** Blogs that used the API key. One is live; another place with the same key is a copy until somebody says it moved. */
export function SitesCard() {
  const { creatorId } = useCreator();
  const sites = useEndpoint(listSites, { params: { creatorId } });
  if (sites.data?.items.every(({ kind }) => kind === 'script')) return null;
  return (
    <Card title={SITES.title} description={SITES.description}>
      <Loaded query={sites} loading={SITES.loading} failed={SITES.failed} skeleton={<Skeleton className="h-20" />}>
        {({ items }) => (
          <ul className="flex flex-col">
            {items.map((site) => site.kind === 'wordpress' && <Row key={site.id} site={site} />)}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

function Row({ site }: { site: Site }) {
  const { creatorId, role } = useCreator();
  const params = { creatorId, siteId: site.id };
  const makeLive = useEndpointMutation(makeSiteLive, { refreshes: [listSites], successToast: { title: SITES.moved } });
  const keep = useEndpointMutation(keepSiteAsCopy, {
    refreshes: [listSites],
    successToast: { title: SITES.keptAsCopy },
  });
  const remove = useEndpointMutation(removeSite, { refreshes: [listSites], successToast: { title: SITES.removed } });
  const { state, asks, name, url, outboxDepth } = site;
  const mayChange = role !== null && mayDo(role, 'api_key');
  return (
    <li className="flex flex-col gap-2 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="min-w-0 break-all font-medium">{name ?? url ?? SITES.unnamed}</bdi>
        <Badge tone={TONES[state]}>{SITES.states[state].label}</Badge>
      </p>
      <p className="text-sm">{SITES.states[state].says}</p>
      {asks && <p className="font-medium text-sm">{SITES.asks}</p>}
      {outboxDepth !== null && outboxDepth > 0 && <p className="text-sm">{SITES.waiting(outboxDepth)}</p>}
      {site.postsWaiting !== null && <p className="text-sm">{SITES.posts(site)}</p>}
      <p className="text-faint text-sm">
        {SITES.versions(site)} <RelativeTime at={site.lastHeardAt} />
      </p>
      {mayChange && state !== 'live' && (
        <div className="flex flex-wrap gap-2">
          {state === 'copy' && (
            <Button
              size="small"
              variant="secondary"
              busy={makeLive.isPending}
              onClick={() => makeLive.mutate({ params })}
            >
              {SITES.makeLive}
            </Button>
          )}
          {asks && (
            <Button size="small" variant="secondary" busy={keep.isPending} onClick={() => keep.mutate({ params })}>
              {SITES.isCopy}
            </Button>
          )}
          <Button size="small" variant="quiet" busy={remove.isPending} onClick={() => remove.mutate({ params })}>
            {SITES.remove}
          </Button>
        </div>
      )}
    </li>
  );
}
