import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { confirmSecondFactor, removeSecondFactor, startSecondFactor } from '#contract/session.ts';
import { QrCode } from '#web/features/settings/QrCode.tsx';
import { SECOND_FACTOR_CARD } from '#web/features/settings/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { reloadSession, useSession } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';

type Setup = ResponseOf<typeof startSecondFactor>;

/** Off → password → QR code and backup codes → first code → on. */
export function SecondFactorCard() {
  const { data: me } = useSession();
  const [setup, setSetup] = useState<Setup | null>(null);
  const on = me?.account.twoFactorEnabled ?? false;
  return (
    <Card
      title={SECOND_FACTOR_CARD.twoStepLogin}
      description={SECOND_FACTOR_CARD.logInWithYour}
      aside={<Badge tone={on ? 'accent' : 'neutral'}>{on ? SECOND_FACTOR_CARD.on : SECOND_FACTOR_CARD.off}</Badge>}
    >
      {on ? (
        <Remove />
      ) : setup ? (
        <Confirm setup={setup} onDone={() => setSetup(null)} />
      ) : (
        <Start onStarted={setSetup} />
      )}
    </Card>
  );
}

function Start({ onStarted }: { onStarted: (setup: Setup) => void }) {
  const form = useApiForm({
    endpoint: startSecondFactor,
    schema: startSecondFactor.body,
    defaultValues: { password: '' },
    request: (values) => ({ body: values }),
    onSuccess: onStarted,
  });
  return (
    <FormFrame form={form} submitLabel={SECOND_FACTOR_CARD.setUp}>
      <TextField
        form={form}
        name="password"
        label={SECOND_FACTOR_CARD.yourPassword}
        type="password"
        autoComplete="current-password"
      />
    </FormFrame>
  );
}

function Confirm({ setup, onDone }: { setup: Setup; onDone: () => void }) {
  const client = useQueryClient();
  const form = useApiForm({
    endpoint: confirmSecondFactor,
    schema: confirmSecondFactor.body,
    defaultValues: { code: '' },
    request: (values) => ({ body: values }),
    successToast: true,
    onSuccess: async () => {
      await reloadSession(client);
      onDone();
    },
  });
  const secret = new URL(setup.totpUri).searchParams.get('secret') ?? '';
  return (
    <ol className="flex list-decimal flex-col gap-6 pl-5 marker:font-semibold">
      <li>
        <p className="font-medium">{SECOND_FACTOR_CARD.scanThisWithYour}</p>
        <div className="mt-3 flex flex-wrap items-start gap-5">
          <QrCode text={setup.totpUri} label={SECOND_FACTOR_CARD.qrCodeForYour} />
          <div className="min-w-0 max-w-xs text-sm">
            <p className="text-muted">{SECOND_FACTOR_CARD.cantScanItEnter}</p>
            <p className="my-2 break-words rounded-md bg-sunken p-2 font-mono">{inGroups(secret)}</p>
            <CopyButton text={secret} label={SECOND_FACTOR_CARD.copyKey} />
          </div>
        </div>
      </li>
      <li>
        <p className="font-medium">{SECOND_FACTOR_CARD.saveTheseBackupCodes}</p>
        <p className="text-muted text-sm">{SECOND_FACTOR_CARD.eachOneWorksOnce}</p>
        <ul className="my-3 grid max-w-sm grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken p-3 font-mono text-sm">
          {setup.backupCodes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={setup.backupCodes.join('\n')} label={SECOND_FACTOR_CARD.copyCodes} />
      </li>
      <li>
        <p className="mb-3 font-medium">{SECOND_FACTOR_CARD.enterTheCodeFrom}</p>
        <FormFrame form={form} submitLabel={SECOND_FACTOR_CARD.turnOn}>
          <TextField form={form} name="code" label="6 digits" inputMode="numeric" autoComplete="one-time-code" />
        </FormFrame>
      </li>
    </ol>
  );
}

function Remove() {
  const client = useQueryClient();
  const form = useApiForm({
    endpoint: removeSecondFactor,
    schema: removeSecondFactor.body,
    defaultValues: { password: '', code: '' },
    request: (values) => ({ body: values }),
    successToast: true,
    onSuccess: () => reloadSession(client),
  });
  return (
    <FormFrame form={form} submitLabel={SECOND_FACTOR_CARD.turnOff}>
      <TextField
        form={form}
        name="password"
        label={SECOND_FACTOR_CARD.yourPassword}
        type="password"
        autoComplete="current-password"
      />
      <TextField
        form={form}
        name="code"
        label={SECOND_FACTOR_CARD.code}
        hint={SECOND_FACTOR_CARD.fromYourAuthenticatorApp}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormFrame>
  );
}

/** Four characters at a time: easier to read over. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
