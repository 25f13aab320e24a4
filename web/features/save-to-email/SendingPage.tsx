import { useState } from 'react';
import { mayDo } from '#contract/roles.ts';
import {
  addSendingDomain,
  changeSender,
  checkSendingDomain,
  type DnsRecord,
  type DomainState,
  getSending,
  removeSendingDomain,
  Sender,
  type Sending,
  type SendingDomain,
} from '#contract/sending.ts';
import { MailServerCard } from '#web/features/save-to-email/MailServerCard.tsx';
import { SaveToEmailTabs } from '#web/features/save-to-email/SaveToEmailTabs.tsx';
import { SuppressionsCard } from '#web/features/save-to-email/SuppressionsCard.tsx';
import { SENDING } from '#web/features/save-to-email/words.ts';
import { FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge, type BadgeTone } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Textarea } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const TONES: Record<DomainState, BadgeTone> = { waiting: 'neutral', verified: 'accent', shaky: 'warning' };

/** Whom emails to readers are from, and what the domain's DNS must say for that. */
export function SendingPage() {
  const { creatorId, role } = useCreator();
  const sending = useEndpoint(getSending, { params: { creatorId } });
  const mayChange = role !== null && mayDo(role, 'sending');
  return (
    <>
      <PageHeader title={SENDING.title} description={SENDING.description} />
      <SaveToEmailTabs />
      <Loaded
        query={sending}
        loading={SENDING.loading}
        failed={SENDING.failed}
        skeleton={
          <div className="flex flex-col gap-6">
            <Skeleton className="h-96" />
            <Skeleton className="h-56" />
          </div>
        }
      >
        {(data) => (
          <div className="flex max-w-3xl flex-col gap-6">
            {!mayChange && <Alert variant="infoSecondary">{SENDING.ownersOnly}</Alert>}
            <SenderCard sending={data} mayChange={mayChange} />
            <DomainsCard sending={data} mayChange={mayChange} />
            <MailServerCard mailServer={data.mailServer} mayChange={mayChange} />
            <SuppressionsCard mayChange={mayChange} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function SenderCard({ sending: { sender, from }, mayChange }: { sending: Sending; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: changeSender,
    schema: Sender,
    defaultValues: sender,
    request: (body: Sender) => ({ params: { creatorId }, body }),
    onSuccess: ({ sender: saved }): void => form.reset(saved),
    draftKey: 'sender',
    refreshes: [getSending],
    successToast: { title: SENDING.saved },
  });
  const readOnly = { disabled: !mayChange };
  const postalError = useFieldError(form.control, 'postalAddress');
  return (
    <Card title={SENDING.sender} description={SENDING.senderSays}>
      <p className="mb-4 rounded-md bg-sunken px-3 py-2 text-sm">
        {SENDING.readersSee}{' '}
        <strong className="wrap-anywhere font-medium">
          <bdi>{from.name}</bdi> &lt;{from.address}&gt;
        </strong>
        {!from.isOwn && sender.address !== '' && ` ${SENDING.answersGoTo(sender.replyTo || sender.address)}`}
      </p>
      <FormFrame form={form} submitLabel={mayChange ? SENDING.save : undefined}>
        <TextField form={form} name="name" label={SENDING.name} hint={SENDING.nameHint} optional {...readOnly} />
        <TextField
          {...readOnly}
          form={form}
          name="address"
          type="email"
          autoComplete="email"
          label={SENDING.address}
          hint={SENDING.addressHint}
          optional
        />
        <TextField
          {...readOnly}
          form={form}
          name="replyTo"
          type="email"
          label={SENDING.replyTo}
          hint={SENDING.replyToHint}
          optional
        />
        <Field label={SENDING.postalAddress} hint={SENDING.postalAddressHint} optional error={postalError}>
          {(wiring) => <Textarea {...wiring} {...readOnly} rows={3} {...form.register('postalAddress')} />}
        </Field>
      </FormFrame>
    </Card>
  );
}

function DomainsCard({ sending: { sender, domains }, mayChange }: { sending: Sending; mayChange: boolean }) {
  return (
    <Card title={SENDING.domains} description={SENDING.domainsSay}>
      <div className="flex flex-col gap-6">
        {domains.map((domain) => (
          <Domain key={domain.id} domain={domain} mayChange={mayChange} />
        ))}
        {domains.length === 0 && <p className="text-muted">{SENDING.noDomains}</p>}
        {mayChange && <AddDomain suggested={domainToAdd(sender.address, domains)} />}
      </div>
    </Card>
  );
}

/** Of the sender's address, unless it is there already. */
function domainToAdd(address: string, domains: readonly SendingDomain[]): string {
  const domain = address.slice(address.indexOf('@') + 1).toLowerCase();
  return address === '' || domains.some((one) => one.domain === domain) ? '' : domain;
}

function AddDomain({ suggested }: { suggested: string }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: addSendingDomain,
    schema: addSendingDomain.body,
    defaultValues: { domain: '' },
    request: (body) => ({ params: { creatorId }, body }),
    onSuccess: (): void => form.reset({ domain: '' }),
    refreshes: [getSending],
    successToast: { title: SENDING.added },
  });
  return (
    <FormFrame form={form} submitLabel={SENDING.add}>
      <TextField
        form={form}
        name="domain"
        label={SENDING.newDomain}
        hint={SENDING.newDomainHint}
        placeholder={suggested || 'annaskitchen.com'}
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormFrame>
  );
}

function Domain({ domain, mayChange }: { domain: SendingDomain; mayChange: boolean }) {
  const { creatorId } = useCreator();
  const [removing, setRemoving] = useState(false);
  const request = { params: { creatorId, domainId: domain.id } };
  const check = useEndpointMutation(checkSendingDomain, { refreshes: [getSending], successToast: false });
  const remove = useEndpointMutation(removeSendingDomain, {
    refreshes: [getSending],
    successToast: { title: SENDING.removed },
  });
  return (
    <section className="flex flex-col gap-4 border-line border-b pb-6">
      <div className="flex flex-col gap-1">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="min-w-0 break-all">{domain.domain}</bdi>
          <Badge tone={TONES[domain.state]}>{SENDING.states[domain.state].label}</Badge>
        </h3>
        <p className="text-sm">{SENDING.states[domain.state].says}</p>
      </div>
      <Record title={SENDING.dkim} record={domain.dkim} />
      <Record title={SENDING.dmarc} record={domain.dmarc} />
      <div className="flex flex-wrap items-center gap-2">
        {mayChange && (
          <>
            <Button size="small" variant="secondary" busy={check.isPending} onClick={() => check.mutate(request)}>
              {SENDING.check}
            </Button>
            <Button size="small" variant="quiet" className="text-error-ink" onClick={() => setRemoving(true)}>
              {SENDING.remove}
            </Button>
          </>
        )}
        {domain.checkedAt !== null && (
          <span className="text-faint text-sm">
            {SENDING.checked} <RelativeTime at={domain.checkedAt} />
          </span>
        )}
      </div>
      <Question
        open={removing}
        onOpenChange={setRemoving}
        title={SENDING.removeTitle(domain.domain)}
        description={SENDING.removeSays}
        keep={SENDING.keep}
        act={SENDING.remove}
        danger
        busy={remove.isPending}
        onAct={() => remove.mutate(request)}
      />
    </section>
  );
}

function Record({ title, record: { host, name, value, state, says } }: { title: string; record: DnsRecord }) {
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-sm">{title}</span>
        <Badge tone="neutral">TXT</Badge>
      </p>
      <p className={state === 'found' ? 'text-accent-ink text-sm' : 'text-sm'}>{says}</p>
      {state !== 'found' && (
        <dl className="flex flex-col gap-3">
          <Part label={SENDING.host} hint={SENDING.wholeName(name)} text={host} />
          <Part label={SENDING.value} text={value} />
        </dl>
      )}
    </div>
  );
}

function Part({ label, hint, text }: { label: string; hint?: string; text: string }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="flex flex-wrap items-start justify-between gap-2">
        <code className="min-w-0 flex-1 basis-60 break-all rounded-sm bg-sunken px-2 py-1 text-sm">{text}</code>
        <CopyButton text={text} label={`${SENDING.copy} ${label.toLowerCase()}`} />
      </dd>
      {hint && <dd className="break-all text-faint text-sm">{hint}</dd>}
    </div>
  );
}
