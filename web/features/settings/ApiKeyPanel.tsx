import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { mayDo } from '#contract/roles.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { NEW_KEY_TITLE, OnceShown, SOMEBODY_WHO_LEFT } from '#web/features/other-tools/OnceShown.tsx';
import { pluginState } from '#web/features/settings/plugin-state.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator, useEnv } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type ApiKey = ResponseOf<typeof getApiKey>;

/** The key that the WordPress plugin signs in with. It is shown once, when it is made. */
export function ApiKeyPanel() {
  const { creatorId } = useCreator();
  const key = useEndpoint(getApiKey, { params: { creatorId } });
  return (
    <Card title="API key" description="The WordPress plugin uses it to sign in. Treat it like a password.">
      <Loaded
        query={key}
        loading="Loading the API key"
        failed="Couldn’t load the API key"
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
      {make.data && <OnceShown title={NEW_KEY_TITLE} label="Copy key" text={make.data.key} />}
      {exists ? (
        <KeyFacts apiKey={apiKey} />
      ) : (
        <p>You don’t have a key yet. Create one, then paste it into the plugin.</p>
      )}
      <PluginLine apiKey={apiKey} />
      {mayMake ? (
        <div>
          {exists ? (
            <Button variant="secondary" onClick={() => setAsking(true)}>
              Replace key
            </Button>
          ) : (
            <Button busy={make.isPending} onClick={create}>
              Create key
            </Button>
          )}
        </div>
      ) : (
        <p className="text-muted text-sm">Support cannot see or replace the key; the team can.</p>
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Replace the API key?"
        description="The current key stops working right away, and so does the WordPress plugin until you paste in the new one."
        footer={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep key
            </Button>
            <Button variant="danger" busy={make.isPending} onClick={create}>
              Replace key
            </Button>
          </>
        }
      />
    </div>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
      <div>
        <dt className="text-muted">Starts with</dt>
        <dd className="break-all font-mono">{apiKey.prefix}…</dd>
      </div>
      <div>
        <dt className="text-muted">Created</dt>
        <dd>{apiKey.createdAt ? <RelativeTime at={apiKey.createdAt} /> : '–'}</dd>
      </div>
      <div>
        <dt className="text-muted">Created by</dt>
        <dd className="break-words">
          <bdi>{apiKey.createdBy ?? SOMEBODY_WHO_LEFT}</bdi>
        </dd>
      </div>
      <div>
        <dt className="text-muted">Last used</dt>
        <dd>{apiKey.lastUsedAt ? <RelativeTime at={apiKey.lastUsedAt} /> : 'Never'}</dd>
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
          Get plugin
        </LinkButton>
      )}
    </div>
  );
}
