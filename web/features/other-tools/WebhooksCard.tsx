import { useState } from 'react';
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  listEndpoints,
  listEvents,
  type OutgoingEndpoint,
  type OutgoingType,
  PERSONAL_TYPES,
  removeEndpoint,
  sendTestEvent,
} from '#contract/outgoing-webhooks.ts';
import { mayDo } from '#contract/roles.ts';
import { EventLog } from '#web/features/other-tools/EventLog.tsx';
import { OnceShown, SOMEBODY_WHO_LEFT } from '#web/features/other-tools/OnceShown.tsx';
import { FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { FieldError } from '#web/ui/Field.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const TYPES: { type: OutgoingType; label: string }[] = [
  { type: 'interaction', label: 'Someone comments, writes or taps' },
  { type: 'member', label: 'A member joins, pays or leaves' },
  { type: 'delivery', label: 'A message is sent or fails' },
  { type: 'contact', label: 'A new contact or email address' },
  { type: 'click', label: 'Someone clicks a link' },
];

/** They may begin to fail while one looks. */
const REFRESH_MS = 10_000;

/** Webhooks. */
export function WebhooksCard() {
  const { creatorId, role } = useCreator();
  const [adding, setAdding] = useState(false);
  const [added, setAdded] = useState<{ id: string; secret: string } | null>(null);
  const endpoints = useEndpoint(listEndpoints, { params: { creatorId } }, { refetchInterval: REFRESH_MS });
  const isThere = endpoints.data?.items.some(({ id }) => id === added?.id);
  const mayAdd = role !== null && mayDo(role, 'api_key');
  return (
    <Card title="Webhooks" description="Send events to another tool as they happen. Each request is signed.">
      <div className="flex flex-col gap-4">
        {added !== null && isThere && (
          <OnceShown
            title="Copy the signing secret now. It won’t be shown again."
            label="Copy secret"
            text={added.secret}
          />
        )}
        <Loaded
          query={endpoints}
          loading="Loading your webhooks"
          failed="Couldn’t load your webhooks"
          skeleton={<Skeleton className="h-20" />}
        >
          {({ items }) =>
            items.length === 0 ? (
              <p className="text-muted">No webhooks yet.</p>
            ) : (
              <ul>
                {items.map((endpoint) => (
                  <EndpointRow key={endpoint.id} endpoint={endpoint} mayChange={mayAdd} onSecret={setAdded} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {adding ? (
          <EndpointForm
            onAdded={(made) => {
              setAdded(made);
              setAdding(false);
            }}
            onCancel={() => setAdding(false)}
          />
        ) : (
          mayAdd && (
            <div>
              <Button variant="secondary" onClick={() => setAdding(true)}>
                Add webhook
              </Button>
            </div>
          )
        )}
      </div>
    </Card>
  );
}

function EndpointRow({
  endpoint,
  mayChange,
  onSecret,
}: {
  endpoint: OutgoingEndpoint;
  mayChange: boolean;
  onSecret: (made: { id: string; secret: string }) => void;
}) {
  const { creatorId, role } = useCreator();
  const mayExport = role !== null && mayDo(role, 'export');
  const [open, setOpen] = useState(false);
  const params = { creatorId, endpointId: endpoint.id };
  const change = useEndpointMutation(changeEndpoint, { refreshes: [listEndpoints], successToast: false });
  const remove = useEndpointMutation(removeEndpoint, { refreshes: [listEndpoints] });
  const test = useEndpointMutation(sendTestEvent, { refreshes: [listEvents], onSuccess: () => setOpen(true) });
  const renew = useEndpointMutation(changeSecret, {
    refreshes: [listEndpoints],
    successToast: false,
    onSuccess: onSecret,
  });
  const { url, types, on } = endpoint;
  const maySwitch = mayExport || !types.some((type) => PERSONAL_TYPES.includes(type));
  return (
    <li className="flex flex-col gap-2 border-line border-b py-4 first:pt-0 last:border-b-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 break-all font-medium">{url}</span>
        <Badge tone={!on ? 'neutral' : endpoint.failingSince ? 'warning' : 'accent'}>
          {!on ? 'Off' : endpoint.failingSince ? 'Failing' : 'On'}
        </Badge>
      </p>
      <p className="text-muted text-sm">
        {types.map((type) => TYPES.find((one) => one.type === type)?.label ?? type).join(' · ')}.{' '}
        {endpoint.lastDeliveredAt ? (
          <>
            Last delivered <RelativeTime at={endpoint.lastDeliveredAt} />
          </>
        ) : (
          'Nothing delivered yet'
        )}
        . Added by <bdi>{endpoint.createdBy ?? SOMEBODY_WHO_LEFT}</bdi>.
      </p>
      {endpoint.offBecause && (
        <Alert variant="warning" title="Turned off">
          {endpoint.offBecause}
        </Alert>
      )}
      {endpoint.oldSecretUntil && (
        <Alert variant="info" title="Secret changed">
          Requests are signed with both the new and the old secret. The old one expires{' '}
          <RelativeTime at={endpoint.oldSecretUntil} />. Start using the new one before then.
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        {mayChange && (
          <>
            {on && (
              <Button variant="secondary" size="small" busy={test.isPending} onClick={() => test.mutate({ params })}>
                Send test
              </Button>
            )}
            {maySwitch && (
              <Button
                variant="secondary"
                size="small"
                busy={change.isPending}
                onClick={() => change.mutate({ params, body: { url, types, on: !on } })}
              >
                {on ? 'Turn off' : 'Turn on'}
              </Button>
            )}
            <Button variant="secondary" size="small" busy={renew.isPending} onClick={() => renew.mutate({ params })}>
              New secret
            </Button>
            <Button
              variant="secondary"
              size="small"
              busy={remove.isPending}
              onClick={() => {
                // It asks again every few seconds, also for one that is no more.
                setOpen(false);
                remove.mutate({ params });
              }}
            >
              Remove
            </Button>
          </>
        )}
        <Button variant="quiet" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          Log
        </Button>
      </div>
      {open && <EventLog endpointId={endpoint.id} mayResend={mayChange && on} />}
    </li>
  );
}

function EndpointForm({
  onAdded,
  onCancel,
}: {
  onAdded: (made: { id: string; secret: string }) => void;
  onCancel: () => void;
}) {
  const { creatorId, role } = useCreator();
  const mayExport = role !== null && mayDo(role, 'export');
  const allowed = TYPES.filter(({ type }) => mayExport || !PERSONAL_TYPES.includes(type));
  const form = useApiForm({
    endpoint: addEndpoint,
    schema: addEndpoint.body,
    defaultValues: { url: '', types: allowed.map(({ type }) => type) },
    request: (body) => ({ params: { creatorId }, body }),
    refreshes: [listEndpoints],
    onSuccess: onAdded,
  });
  const error = useFieldError(form.control, 'types');
  return (
    <FormFrame
      form={form}
      aria-label="New webhook"
      submitLabel="Add webhook"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <TextField form={form} name="url" as={LinkInput} label="Address" />
      <fieldset>
        <legend className="font-medium text-sm">Send events when</legend>
        {allowed.map(({ type, label }) => (
          <Checkbox key={type} label={label} value={type} {...form.register('types')} />
        ))}
        {!mayExport && (
          <p className="text-muted text-sm">Only an owner can send comments, messages and contacts to another tool.</p>
        )}
        {error && <FieldError>{error}</FieldError>}
      </fieldset>
    </FormFrame>
  );
}
