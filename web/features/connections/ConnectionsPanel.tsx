import { RotateCw, TriangleAlert, Unplug } from 'lucide-react';
import { useState } from 'react';
import { CONNECT_PATHS, type Connection, checkConnection, disconnect, listConnections } from '#contract/connections.ts';
import { mayDo } from '#contract/roles.ts';
import { getMe } from '#contract/session.ts';
import { ConnectButtons } from '#web/features/connections/ConnectButtons.tsx';
import { ConnectProblemNotice } from '#web/features/connections/ConnectProblemNotice.tsx';
import { FacebookAddonCard } from '#web/features/connections/FacebookAddonCard.tsx';
import { PlatformMark } from '#web/features/connections/PlatformMark.tsx';
import { CONNECTIONS_PANEL, type CommentWords, commentWords, HEALTH, nameOf } from '#web/features/connections/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Where something else has to be mended first, how comments arrive is no news. */
const COMMENTS_MATTER = ['working', 'missing_permissions', 'missing_webhooks'];
/** Where logging in again changes nothing. */
const NOT_MENDED_BY_RECONNECTING = ['working', 'barred', 'blocked'];

/** The accounts that Creator HQ answers for, how each is doing, and what to do about it. */
export function ConnectionsPanel() {
  const { creatorId } = useCreator();
  const mayConnect = useMayConnect();
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  return (
    <div className="flex flex-col gap-5">
      <ConnectProblemNotice />
      <Loaded
        query={connections}
        loading={CONNECTIONS_PANEL.loadingYourAccounts}
        failed={CONNECTIONS_PANEL.couldntLoadYourAccounts}
        skeleton={<Skeleton className="h-36 w-full" />}
      >
        {({ items }) =>
          items.map((connection) => (
            <ConnectionCard key={connection.id} creatorId={creatorId} connection={connection} />
          ))
        }
      </Loaded>
      {connections.data?.items.some(({ login }) => login === 'facebook') && <FacebookAddonCard creatorId={creatorId} />}
      <section className="flex flex-col gap-3">
        <h2 className="font-semibold">
          {connections.data?.items.length
            ? CONNECTIONS_PANEL.connectAnotherAccount
            : CONNECTIONS_PANEL.connectAnAccount}
        </h2>
        {mayConnect ? (
          <ConnectButtons creatorId={creatorId} />
        ) : (
          <p className="text-muted">{CONNECTIONS_PANEL.onlyYourTeamCan}</p>
        )}
      </section>
    </div>
  );
}

function ConnectionCard({ creatorId, connection }: { creatorId: string; connection: Connection }) {
  const { role } = useCreator();
  const mayConnect = useMayConnect();
  const mayDisconnect = role !== null && mayDo(role, 'remove_connection');
  const [asking, setAsking] = useState(false);
  const params = { creatorId, connectionId: connection.id };
  const comments = COMMENTS_MATTER.includes(connection.health) ? commentWords(connection) : null;
  const silent = connection.health === 'working' && comments?.wrong;
  const health = HEALTH[silent ? 'missing_webhooks' : connection.health];
  const check = useEndpointMutation(checkConnection, {
    refreshes: [listConnections, getMe],
    successToast: { title: CONNECTIONS_PANEL.checked, detail: `We just checked ${nameOf(connection)}.` },
  });
  const connected = connection.health !== 'disconnected';
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <Avatar sources={[connection.avatarUrl]} name={connection.username} />
        <div className="min-w-32 flex-1">
          <h2 className="wrap-anywhere font-semibold">{nameOf(connection)}</h2>
          <p className="flex items-start gap-2 text-muted text-sm">
            <PlatformMark platform={connection.platform} className="mt-0.5 size-4" />
            <span>
              {connection.platform === 'instagram' ? CONNECTIONS_PANEL.instagram : CONNECTIONS_PANEL.facebookPage}
              {connection.followersCount !== null && `, ${numerals(connection.followersCount)} followers`}
            </span>
          </p>
        </div>
        <Badge tone={health.tone}>{health.label}</Badge>
      </div>
      {connection.healthDetail && <p className="mt-3">{connection.healthDetail}</p>}
      <Missing title={CONNECTIONS_PANEL.missingPermissions} items={connection.missingPermissions} />
      <Missing title={CONNECTIONS_PANEL.missingWebhooks} items={connection.missingWebhooks} />
      {comments && <CommentsSeen words={comments} lastAt={connection.comments.lastByWebhookAt} />}
      <p className="mt-3 text-muted text-sm">
        Connected <RelativeTime at={connection.connectedAt} />
        {connection.tokenExpiresAt && <>; permission until {dayOf(connection.tokenExpiresAt)}, renewed automatically</>}
        .
      </p>
      <div className="mt-4 flex flex-wrap gap-2 max-sm:*:grow">
        {mayConnect && (
          <LinkButton
            variant={NOT_MENDED_BY_RECONNECTING.includes(connection.health) ? 'secondary' : 'primary'}
            href={CONNECT_PATHS[connection.login](creatorId)}
          >
            {CONNECTIONS_PANEL.reconnect}
          </LinkButton>
        )}
        {connected && (
          <>
            <Button variant="secondary" busy={check.isPending} onClick={() => check.mutate({ params })}>
              {!check.isPending && <RotateCw aria-hidden="true" className="size-4" />}
              {CONNECTIONS_PANEL.testConnection}
            </Button>
            {mayDisconnect && (
              <Button variant="quiet" onClick={() => setAsking(true)}>
                <Unplug aria-hidden="true" className="size-4" />
                {CONNECTIONS_PANEL.disconnect}
              </Button>
            )}
          </>
        )}
      </div>
      {connected && !mayDisconnect && <p className="mt-3 text-muted text-sm">{CONNECTIONS_PANEL.onlyAnOwnerCan}</p>}
      <ConfirmDisconnect connection={connection} params={params} open={asking} onOpenChange={setAsking} />
    </Card>
  );
}

function CommentsSeen({ words, lastAt }: { words: CommentWords; lastAt: string | null }) {
  const { says, steps, wrong } = words;
  return (
    <div className="mt-3 text-sm">
      <h3 className="flex items-center gap-1.5 font-medium">
        {wrong && <TriangleAlert aria-hidden="true" className="size-4 text-warning-ink" />}
        {CONNECTIONS_PANEL.comments}
      </h3>
      <p className="mt-1">
        {says}
        {lastAt !== null && (
          <>
            {' '}
            Last one <RelativeTime at={lastAt} />.
          </>
        )}
      </p>
      {steps.length > 0 && (
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-5 text-muted">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function useMayConnect(): boolean {
  const { role } = useCreator();
  return role !== null && mayDo(role, 'connect');
}

function Missing({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <div className="mt-3 text-sm">
      <h3 className="font-medium">{title}</h3>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {items.map((item) => (
          <li key={item} className="rounded-sm bg-sunken px-2 py-0.5 font-mono text-muted text-xs">
            {item}
          </li>
        ))}
      </ul>
    </div>
  );
}

type ConfirmProps = {
  connection: Connection;
  params: { creatorId: string; connectionId: string };
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

function ConfirmDisconnect({ connection, params, open, onOpenChange }: ConfirmProps) {
  const cut = useEndpointMutation(disconnect, {
    refreshes: [listConnections, getMe],
    onSuccess: () => onOpenChange(false),
  });
  return (
    <Question
      open={open}
      onOpenChange={onOpenChange}
      title={`Disconnect ${nameOf(connection)}?`}
      description={CONNECTIONS_PANEL.itsAutomationsStopRight}
      keep={CONNECTIONS_PANEL.keepConnected}
      act={CONNECTIONS_PANEL.disconnect}
      danger
      busy={cut.isPending}
      onAct={() => cut.mutate({ params })}
    />
  );
}
