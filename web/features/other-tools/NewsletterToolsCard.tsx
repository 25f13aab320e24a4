import { useState } from 'react';
import { useSearchParams } from 'react-router';
import {
  backFill,
  changeIntegration,
  connectKit,
  connectMailchimp,
  type DataIntegration,
  disconnectTool,
  KitProblem,
  kitAuthorizePath,
  leaveFailed,
  listFailures,
  listIntegrations,
  listTargets,
  retryFailed,
  TOOL_NAMES,
  type ToolName,
} from '#contract/newsletter-tools.ts';
import { mayDo } from '#contract/roles.ts';
import { getMe } from '#contract/session.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const TOOLS: { tool: ToolName; connect: typeof connectKit | typeof connectMailchimp; whereKeyIs: string }[] = [
  { tool: 'kit', connect: connectKit, whereKeyIs: 'In Kit: Settings > Developer > API keys (V4).' },
  { tool: 'mailchimp', connect: connectMailchimp, whereKeyIs: 'In Mailchimp: Profile > Extras > API keys.' },
];
const TARGETS: Record<ToolName, { label: string; none: string }> = {
  kit: { label: 'Tag in Kit', none: 'No tag' },
  mailchimp: { label: 'Audience in Mailchimp', none: 'Choose an audience' },
};
/** Sending goes on while one looks. */
const REFRESH_MS = 5_000;

/** Tools that get the contacts who confirmed the newsletter. */
export function NewsletterToolsCard() {
  const { creatorId, role } = useCreator();
  const [connecting, setConnecting] = useState<ToolName | null>(null);
  const integrations = useEndpoint(listIntegrations, { params: { creatorId } }, { refetchInterval: REFRESH_MS });
  const mayConnect = role !== null && mayDo(role, 'export');
  return (
    <Card
      title="Newsletter tools"
      description="Send contacts who confirmed your newsletter to the tool you write with. Who unsubscribes in one is unsubscribed in both."
    >
      <KitProblemNotice />
      <Loaded
        query={integrations}
        loading="Loading your newsletter tools"
        failed="Couldn’t load your newsletter tools"
        skeleton={<Skeleton className="h-20" />}
      >
        {({ items, kitLogin }) => (
          <ul>
            {TOOLS.map(({ tool }) => {
              const integration = items.find((one) => one.tool === tool);
              const isByLogin = tool === 'kit' && kitLogin;
              return (
                <li key={tool} className="flex flex-col gap-3 border-line border-b py-4 first:pt-0 last:border-b-0">
                  {integration !== undefined ? (
                    <ConnectedTool
                      integration={integration}
                      mayChange={mayConnect}
                      onNewKey={isByLogin ? null : () => setConnecting(tool)}
                    />
                  ) : (
                    <div className="flex flex-wrap items-center justify-between gap-2">
                      <span className="font-medium">{TOOL_NAMES[tool]}</span>
                      {mayConnect && isByLogin && (
                        <LinkButton variant="secondary" size="small" href={kitAuthorizePath(creatorId)}>
                          Connect<span className="sr-only"> {TOOL_NAMES[tool]}</span>
                        </LinkButton>
                      )}
                      {mayConnect && !isByLogin && connecting !== tool && (
                        <Button variant="secondary" size="small" onClick={() => setConnecting(tool)}>
                          Connect<span className="sr-only"> {TOOL_NAMES[tool]}</span>
                        </Button>
                      )}
                    </div>
                  )}
                  {connecting === tool && <KeyForm tool={tool} onDone={() => setConnecting(null)} />}
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
      {!mayConnect && <p className="text-muted text-sm">Only owners can connect newsletter tools.</p>}
    </Card>
  );
}

const KIT_PROBLEMS: Record<KitProblem, { title: string; says: string }> = {
  refused: { title: 'Connection canceled', says: 'Nothing was changed. Tap Connect when you’re ready.' },
  state_mismatch: {
    title: 'Kit wasn’t connected',
    says: 'This didn’t come from the browser and the login that started it. Tap Connect again.',
  },
  expired: { title: 'Kit wasn’t connected', says: 'It took longer than 10 minutes. Tap Connect again.' },
  kit_error: { title: 'Kit wasn’t connected', says: 'Kit didn’t accept the connection. Try again in a minute.' },
};

/** Back from Kit without a connection. */
function KitProblemNotice() {
  const [search, setSearch] = useSearchParams();
  const code = search.get('kitProblem');
  if (code === null) return null;
  const known = KitProblem.safeParse(code);
  const { title, says } = KIT_PROBLEMS[known.success ? known.data : 'kit_error'];
  const dismiss = () => {
    search.delete('kitProblem');
    setSearch(search, { replace: true });
  };
  return (
    <Alert className="mb-4" variant="warning" title={title} onDismiss={dismiss} announce>
      {says}
    </Alert>
  );
}

function KeyForm({ tool, onDone }: { tool: ToolName; onDone: () => void }) {
  const { creatorId } = useCreator();
  const { connect, whereKeyIs } = TOOLS.find((one) => one.tool === tool)!;
  const form = useApiForm({
    endpoint: connect,
    schema: connect.body,
    defaultValues: { apiKey: '' },
    request: (body) => ({ params: { creatorId }, body }),
    refreshes: [listIntegrations],
    onSuccess: onDone,
  });
  return (
    <FormFrame
      form={form}
      aria-label={`Connect ${TOOL_NAMES[tool]}`}
      submitLabel="Connect"
      actions={
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      }
    >
      <TextField
        form={form}
        name="apiKey"
        type="password"
        autoComplete="off"
        label={`${TOOL_NAMES[tool]} API key`}
        hint={whereKeyIs}
      />
    </FormFrame>
  );
}

const BADGES = {
  on: { tone: 'accent', label: 'On' },
  off: { tone: 'neutral', label: 'Off' },
  reconnect: { tone: 'warning', label: 'Reconnect' },
} as const;

function ConnectedTool({
  integration,
  mayChange,
  onNewKey,
}: {
  integration: DataIntegration;
  mayChange: boolean;
  /** Null: it is connected again by going there. */
  onNewKey: (() => void) | null;
}) {
  const { creatorId } = useCreator();
  const [showsFailures, setShowsFailures] = useState(false);
  const params = { creatorId, integrationId: integration.id };
  const refreshes = [listIntegrations];
  const change = useEndpointMutation(changeIntegration, { refreshes, successToast: false });
  const fill = useEndpointMutation(backFill, { refreshes, successToast: false });
  const disconnect = useEndpointMutation(disconnectTool, { refreshes: [listIntegrations, getMe] });
  const { tool, state, because, failed, unsent } = integration;
  const name = TOOL_NAMES[tool];
  const badge = BADGES[state];
  const isOn = state === 'on';
  return (
    <>
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <Badge tone={badge.tone}>{badge.label}</Badge>
          <bdi className="text-muted text-sm">{integration.accountName}</bdi>
        </p>
        <p className="text-muted text-sm">
          {progressOf(integration)}
          {integration.lastSentAt !== null && (
            <>
              {' '}
              Last sent <RelativeTime at={integration.lastSentAt} />.
            </>
          )}
        </p>
      </div>
      {because !== null && (
        <Alert variant="warning" title={state === 'reconnect' ? `Reconnect ${name}` : 'Waiting'}>
          {because} Nothing is lost: contacts wait here.
        </Alert>
      )}
      {mayChange && (
        <TargetField integration={integration} onChoose={(targetId) => change.mutate({ params, body: { targetId } })} />
      )}
      <div className="flex flex-wrap gap-2">
        {mayChange && state === 'reconnect' && onNewKey !== null && (
          <Button size="small" onClick={onNewKey}>
            Paste a new key
          </Button>
        )}
        {mayChange && state === 'reconnect' && onNewKey === null && (
          <LinkButton size="small" href={kitAuthorizePath(creatorId)}>
            Reconnect {name}
          </LinkButton>
        )}
        {mayChange && isOn && unsent > 0 && (
          <Button variant="secondary" size="small" busy={fill.isPending} onClick={() => fill.mutate({ params })}>
            Send {numerals(unsent)} earlier {unsent === 1 ? 'contact' : 'contacts'}
          </Button>
        )}
        {failed > 0 && (
          <Button
            variant="secondary"
            size="small"
            aria-expanded={showsFailures}
            onClick={() => setShowsFailures(!showsFailures)}
          >
            {numerals(failed)} not accepted
          </Button>
        )}
        {mayChange && state !== 'reconnect' && (
          <Button
            variant="secondary"
            size="small"
            busy={change.isPending}
            onClick={() => change.mutate({ params, body: { on: !isOn } })}
          >
            {isOn ? 'Turn off' : 'Turn on'}
            <span className="sr-only"> {name}</span>
          </Button>
        )}
        {mayChange && (
          <Button
            variant="secondary"
            size="small"
            busy={disconnect.isPending}
            onClick={() => disconnect.mutate({ params })}
          >
            Disconnect<span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
      {showsFailures && failed > 0 && <Failures integrationId={integration.id} mayRetry={mayChange} />}
    </>
  );
}

function progressOf({ sent, waiting, minutesLeft }: DataIntegration): string {
  const people = (count: number) => `${numerals(count)} ${count === 1 ? 'contact' : 'contacts'}`;
  if (waiting === 0) return sent === 0 ? 'No contacts sent yet.' : `${people(sent)} sent.`;
  return `${people(sent)} sent, ${numerals(waiting)} waiting: about ${minutesLeft} min.`;
}

function TargetField({
  integration: { id, tool, target },
  onChoose,
}: {
  integration: DataIntegration;
  onChoose: (targetId: string | null) => void;
}) {
  const { creatorId } = useCreator();
  const targets = useEndpoint(listTargets, { params: { creatorId, integrationId: id } });
  const items = targets.data?.items ?? (target === null ? [] : [target]);
  const { label, none } = TARGETS[tool];
  return (
    <Field label={label} {...(targets.isError && { error: 'Couldn’t load the list. Try again in a minute.' })}>
      {(field) => (
        <Select {...field} value={target?.id ?? ''} onChange={(event) => onChoose(event.target.value || null)}>
          <option value="">{none}</option>
          {items.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Failures({ integrationId, mayRetry }: { integrationId: string; mayRetry: boolean }) {
  const { creatorId } = useCreator();
  const params = { creatorId, integrationId };
  const failures = useWholeList(listFailures, { params });
  const retry = useEndpointMutation(retryFailed, {
    refreshes: [listIntegrations, listFailures],
    successToast: { title: 'Trying again' },
  });
  const leave = useEndpointMutation(leaveFailed, { refreshes: [listIntegrations, listFailures], successToast: false });
  return (
    <Loaded
      query={failures}
      loading="Loading what wasn’t accepted"
      failed="Couldn’t load what wasn’t accepted"
      skeleton={<Skeleton className="h-20" />}
    >
      {({ items }) => (
        <div className="flex flex-col gap-2">
          <ul>
            {items.map(({ contactId, email, reason }) => (
              <li
                key={contactId}
                className="flex flex-wrap items-start justify-between gap-2 border-line border-b py-2"
              >
                <div className="min-w-0">
                  <p className="break-all font-medium text-sm">{email}</p>
                  <p className="text-muted text-sm">{reason}</p>
                </div>
                {mayRetry && (
                  <div className="flex gap-2">
                    <Button variant="quiet" size="small" onClick={() => retry.mutate({ params, body: { contactId } })}>
                      Retry<span className="sr-only"> {email}</span>
                    </Button>
                    <Button variant="quiet" size="small" onClick={() => leave.mutate({ params, body: { contactId } })}>
                      Leave<span className="sr-only"> {email}</span>
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
          {mayRetry && items.length > 1 && (
            <div>
              <Button
                variant="secondary"
                size="small"
                busy={retry.isPending}
                onClick={() => retry.mutate({ params, body: {} })}
              >
                Retry all
              </Button>
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}
