import { RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  addLinkDomain,
  checkLinkDomain,
  DOMAIN_PROBLEMS,
  type LinkDomain,
  listLinkDomains,
  removeLinkDomain,
} from '#contract/link-domains.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { LINK_DOMAINS } from '#web/features/shops/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const STATES = {
  waiting: { tone: 'warning', label: LINK_DOMAINS.waiting },
  works: { tone: 'accent', label: LINK_DOMAINS.works },
  lost: { tone: 'error', label: LINK_DOMAINS.lost },
} as const;

/** The creator's own hosts for short links: what to enter at their DNS provider, and whether it leads here. */
export function LinkDomainsCard() {
  const { creatorId } = useCreator();
  const domains = useEndpoint(listLinkDomains, { params: { creatorId } });
  return (
    <Card title={LINK_DOMAINS.title} description={LINK_DOMAINS.says}>
      <Loaded
        query={domains}
        loading={LINK_DOMAINS.loading}
        failed={LINK_DOMAINS.failed}
        skeleton={<Skeleton className="h-20" />}
      >
        {({ target, items }) => (
          <div className="flex flex-col gap-4">
            {items.length > 0 && (
              <ul className="flex flex-col">
                {items.map((domain) => (
                  <Row key={domain.id} domain={domain} target={target} />
                ))}
              </ul>
            )}
            {items.length < QUOTAS.link_domains.most && <Add />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Add() {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: addLinkDomain,
    schema: addLinkDomain.body,
    defaultValues: { host: '' },
    request: (body) => ({ params: { creatorId }, body }),
    refreshes: [listLinkDomains],
    onSuccess: (): void => form.reset({ host: '' }),
  });
  return (
    <FormFrame form={form} aria-label={LINK_DOMAINS.add} submitLabel={LINK_DOMAINS.add}>
      <TextField
        form={form}
        name="host"
        label={LINK_DOMAINS.host}
        hint={LINK_DOMAINS.hostHint}
        placeholder="go.yourblog.com"
        inputMode="url"
        maxLength={253}
      />
    </FormFrame>
  );
}

function Row({ domain, target }: { domain: LinkDomain; target: string }) {
  const { creatorId } = useCreator();
  const params = { creatorId, linkDomainId: domain.id };
  const [asks, setAsks] = useState(false);
  const check = useEndpointMutation(checkLinkDomain, {
    successToast: false,
    errorToast: true,
    refreshes: [listLinkDomains],
  });
  const remove = useEndpointMutation(removeLinkDomain, {
    successToast: { title: LINK_DOMAINS.removed },
    errorToast: true,
    refreshes: [listLinkDomains],
  });
  const { tone, label } = STATES[domain.state];
  return (
    <li className="flex flex-col gap-2 border-line border-b py-3 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <bdi className="wrap-anywhere min-w-0 flex-1 basis-40 font-medium">{domain.host}</bdi>
        <Badge tone={tone}>{label}</Badge>
        <Button variant="quiet" size="small" busy={check.isPending} onClick={() => check.mutate({ params })}>
          {!check.isPending && <RotateCw aria-hidden="true" className="size-4" />}
          {LINK_DOMAINS.check}
        </Button>
        <IconButton label={LINK_DOMAINS.removeLabel(domain.host)} onClick={() => setAsks(true)}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
        <Question
          open={asks}
          onOpenChange={setAsks}
          title={LINK_DOMAINS.removeTitle(domain.host)}
          description={LINK_DOMAINS.removeSays}
          keep={LINK_DOMAINS.keep}
          act={LINK_DOMAINS.remove}
          danger
          busy={remove.isPending}
          onAct={() => remove.mutate({ params })}
        />
      </div>
      {domain.problem !== null && (
        <p className="text-muted text-sm">
          {DOMAIN_PROBLEMS[domain.problem]}
          {domain.checkedAt !== null && (
            <>
              {' '}
              {LINK_DOMAINS.looked} <RelativeTime at={domain.checkedAt} />.
            </>
          )}
        </p>
      )}
      {domain.state !== 'works' && (
        <div className="flex flex-wrap items-center gap-3 rounded-md bg-canvas p-2 text-sm">
          <span className="wrap-anywhere min-w-48 flex-1">
            {LINK_DOMAINS.entry} <code>{domain.host}</code> {LINK_DOMAINS.target} <code>{target}</code>
          </span>
          <CopyButton text={target} label={LINK_DOMAINS.copyTarget} />
        </div>
      )}
    </li>
  );
}
