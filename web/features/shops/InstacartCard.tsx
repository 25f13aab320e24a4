import { useState } from 'react';
import * as z from 'zod/mini';
import { mayDo } from '#contract/roles.ts';
import { changeInstacart, getShopping, type ShoppingSettings } from '#contract/shops.ts';
import { INSTACART } from '#web/features/shops/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Instacart = ShoppingSettings['instacart'];

/** The key is typed in and never shown again. */
export function InstacartCard({ instacart }: { instacart: Instacart }) {
  const { role } = useCreator();
  const [typing, setTyping] = useState(false);
  const { key, keyEnd, partnerId, problem, pages, renewsAt } = instacart;
  const mayConnect = role !== null && mayDo(role, 'connect');
  return (
    <Card title={INSTACART.title} description={INSTACART.says}>
      <div className="flex flex-col gap-4">
        {problem !== null && (
          <Alert variant="warning" title={INSTACART.problem}>
            {problem}
          </Alert>
        )}
        <p>{key === 'own' ? INSTACART.own(keyEnd ?? '') : INSTACART[key]}</p>
        {pages > 0 && (
          <p className="text-muted text-sm">
            {INSTACART.pages(numerals(pages))}{' '}
            {renewsAt !== null && (
              <>
                {INSTACART.renews} <RelativeTime at={renewsAt} />.
              </>
            )}
          </p>
        )}
        {!mayConnect && <p className="text-muted text-sm">{INSTACART.ownersOnly}</p>}
        {mayConnect && typing && <KeyForm onDone={() => setTyping(false)} />}
        {mayConnect && !typing && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="small" onClick={() => setTyping(true)}>
              {key === 'own' ? INSTACART.newKey : INSTACART.ownKey}
            </Button>
            {key === 'own' && <RemoveKey />}
          </div>
        )}
        {mayConnect && <PartnerForm partnerId={partnerId} />}
      </div>
    </Card>
  );
}

const KeyInput = z.object({ apiKey: z.string().check(z.trim(), z.minLength(1, 'Paste the API key.')) });

function KeyForm({ onDone }: { onDone: () => void }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: changeInstacart,
    schema: KeyInput,
    defaultValues: { apiKey: '' },
    request: (body) => ({ params: { creatorId }, body }),
    refreshes: [getShopping],
    onSuccess: onDone,
    successToast: { title: INSTACART.saved },
  });
  return (
    <FormFrame
      form={form}
      aria-label={INSTACART.key}
      submitLabel={INSTACART.saveKey}
      actions={
        <Button variant="quiet" onClick={onDone}>
          {INSTACART.cancel}
        </Button>
      }
    >
      <TextField
        form={form}
        name="apiKey"
        type="password"
        autoComplete="off"
        label={INSTACART.key}
        hint={INSTACART.keyHint}
      />
    </FormFrame>
  );
}

function RemoveKey() {
  const { creatorId } = useCreator();
  const remove = useEndpointMutation(changeInstacart, { refreshes: [getShopping], successToast: false });
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        {INSTACART.removeKey}
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={INSTACART.removeQuestion}
        keep={INSTACART.keepKey}
        act={INSTACART.removeKey}
        busy={remove.isPending}
        danger
        onAct={() =>
          remove.mutate({ params: { creatorId }, body: { apiKey: null } }, { onSettled: () => setAsking(false) })
        }
      >
        {INSTACART.removeSays}
      </Question>
    </>
  );
}

const PartnerInput = z.object({ partnerId: z.string().check(z.trim()) });

function PartnerForm({ partnerId }: { partnerId: string | null }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: changeInstacart,
    schema: PartnerInput,
    defaultValues: { partnerId: partnerId ?? '' },
    request: (values) => ({ params: { creatorId }, body: { partnerId: values.partnerId || null } }),
    refreshes: [getShopping],
    onSuccess: (now): void => form.reset({ partnerId: now.instacart.partnerId ?? '' }),
    successToast: { title: INSTACART.saved },
  });
  return (
    <FormFrame
      form={form}
      aria-label={INSTACART.partner}
      submitLabel={form.formState.isDirty ? INSTACART.savePartner : undefined}
    >
      <TextField
        form={form}
        name="partnerId"
        inputMode="numeric"
        autoComplete="off"
        label={INSTACART.partner}
        hint={INSTACART.partnerHint}
        optional
        maxLength={20}
      />
    </FormFrame>
  );
}
