import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { mayDo } from '#contract/roles.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { NEW_KEY_TITLE, OnceShown, SOMEBODY_WHO_LEFT } from '#web/features/other-tools/OnceShown.tsx';
import { ConnectSite } from '#web/features/settings/ConnectSite.tsx';
import { pluginState } from '#web/features/settings/plugin-state.ts';
import { SitesCard } from '#web/features/settings/SitesCard.tsx';
import { API_KEY_PANEL } from '#web/features/settings/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator, useEnv } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type ApiKey = ResponseOf<typeof getApiKey>;

/** The key that the WordPress plugin signs in with. It is shown once, when it is made. */
export function ApiKeyPanel() {
  const { creatorId } = useCreator();
  const key = useEndpoint(getApiKey, { params: { creatorId } });
  return (
    <div className="flex flex-col gap-4">
      <Card title={API_KEY_PANEL.apiKey} description={API_KEY_PANEL.theWordpressPluginUses}>
        <Loaded
          query={key}
          loading={API_KEY_PANEL.loadingTheApiKey}
          failed={API_KEY_PANEL.couldntLoadTheApi}
          skeleton={
            <div className="flex flex-col gap-4">
              <Skeleton className="h-12" />
              <Skeleton className="h-12" />
              <Skeleton className="h-10 w-36" />
            </div>
          }
        >
          {(data) => <KeyDetails apiKey={data} creatorId={creatorId} />}
        </Loaded>
      </Card>
      <SitesCard />
      {key.data && <ConnectSite replaces={key.data.prefix !== null} />}
    </div>
  );
}

function KeyDetails({ apiKey, creatorId }: { apiKey: ApiKey; creatorId: string }) {
  const { role } = useCreator();
  const [asking, setAsking] = useState(false);
  const make = useEndpointMutation(makeApiKey, {
    refreshes: [getApiKey],
    successToast: false,
    onSuccess: () => setAsking(false),
  });
  const mayMake = role !== null && mayDo(role, 'api_key');
  const exists = apiKey.prefix !== null;
  const create = () => make.mutate({ params: { creatorId } });
  return (
    <div className="flex flex-col gap-5">
      {make.data && <OnceShown title={NEW_KEY_TITLE} label={API_KEY_PANEL.copyKey} text={make.data.key} />}
      {exists ? <KeyFacts apiKey={apiKey} /> : <p>{API_KEY_PANEL.youDontHaveA}</p>}
      <PluginLine apiKey={apiKey} />
      {mayMake ? (
        <div>
          {exists ? (
            <Button variant="secondary" onClick={() => setAsking(true)}>
              {API_KEY_PANEL.replaceKey}
            </Button>
          ) : (
            <Button busy={make.isPending} onClick={create}>
              {API_KEY_PANEL.createKey}
            </Button>
          )}
        </div>
      ) : (
        <p className="text-muted text-sm">{API_KEY_PANEL.supportCannotSeeOr}</p>
      )}
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={API_KEY_PANEL.replaceTheApiKey}
        description={API_KEY_PANEL.theCurrentKeyStops}
        keep={API_KEY_PANEL.keepKey}
        act={API_KEY_PANEL.replaceKey}
        danger
        busy={make.isPending}
        onAct={create}
      />
    </div>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
      <div>
        <dt className="text-muted">{API_KEY_PANEL.startsWith}</dt>
        <dd className="break-all font-mono">{apiKey.prefix}…</dd>
      </div>
      <div>
        <dt className="text-muted">{API_KEY_PANEL.created}</dt>
        <dd>{apiKey.createdAt ? <RelativeTime at={apiKey.createdAt} /> : '–'}</dd>
      </div>
      <div>
        <dt className="text-muted">{API_KEY_PANEL.createdBy}</dt>
        <dd className="break-words">
          <bdi>{apiKey.createdBy ?? SOMEBODY_WHO_LEFT}</bdi>
        </dd>
      </div>
      <div>
        <dt className="text-muted">{API_KEY_PANEL.lastUsed}</dt>
        <dd>{apiKey.lastUsedAt ? <RelativeTime at={apiKey.lastUsedAt} /> : API_KEY_PANEL.never}</dd>
      </div>
    </dl>
  );
}

function PluginLine({ apiKey }: { apiKey: ApiKey }) {
  const env = useEnv();
  const { label, tone, words } = pluginState(apiKey);
  const download = env.data?.pluginDownloadUrl;
  return (
    <div className="flex flex-col items-start gap-2 rounded-md border border-line p-3 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        WordPress plugin <Badge tone={tone}>{label}</Badge>
      </p>
      <p>{words}</p>
      {download && tone !== 'accent' && (
        <LinkButton variant="secondary" size="small" href={download} target="_blank" rel="noopener">
          {API_KEY_PANEL.getPlugin}
        </LinkButton>
      )}
    </div>
  );
}
