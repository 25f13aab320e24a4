import { useState } from 'react';
import { type ApiToken, listTokens, makeToken, revokeToken, SCOPES } from '#contract/api-tokens.ts';
import { mayDo } from '#contract/roles.ts';
import { OnceShown, SOMEBODY_WHO_LEFT } from '#web/features/other-tools/OnceShown.tsx';
import { FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpointMutation, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { FieldError } from '#web/ui/Field.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** A person's tokens, for owners those of the team: another program acts for them, within what they ticked. */
export function TokensCard() {
  const { creatorId, role } = useCreator();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ id: string; token: string } | null>(null);
  const tokens = useWholeList(listTokens, { params: { creatorId } });
  const isThere = tokens.data?.items.some(({ id }) => id === made?.id);
  const mayMake = role !== null && mayDo(role, 'api_key');
  return (
    <Card
      title="API tokens"
      description="A token lets another app act for you in this account, only with the permissions you check. Tokens can’t reach connected accounts, the team or billing."
    >
      <div className="flex flex-col gap-4">
        {made !== null && isThere && (
          <OnceShown title="Copy your token now. It won’t be shown again." label="Copy token" text={made.token} />
        )}
        <Loaded
          query={tokens}
          loading="Loading your tokens"
          failed="Couldn’t load your tokens"
          skeleton={<Skeleton className="h-20" />}
        >
          {({ items }) =>
            items.length === 0 ? (
              <p className="text-muted">No tokens yet.</p>
            ) : (
              <ul>
                {items.map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {making ? (
          <TokenForm
            onMade={(token) => {
              setMade(token);
              setMaking(false);
            }}
            onCancel={() => setMaking(false)}
          />
        ) : (
          mayMake && (
            <div>
              <Button variant="secondary" onClick={() => setMaking(true)}>
                Create token
              </Button>
            </div>
          )
        )}
      </div>
    </Card>
  );
}

function TokenRow({ token }: { token: ApiToken }) {
  const { creatorId } = useCreator();
  const revoke = useEndpointMutation(revokeToken, {
    refreshes: [listTokens],
    successToast: { title: 'Token revoked' },
  });
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 border-line border-b py-3 first:pt-0 last:border-b-0">
      <div className="min-w-0">
        <p className="break-words font-medium">
          <bdi>{token.name}</bdi> <span className="font-mono font-normal text-muted text-sm">{token.prefix}…</span>
        </p>
        <p className="text-muted text-sm">
          {token.scopes.map((scope) => SCOPES.find((one) => one.scope === scope)?.says ?? scope).join(' · ')}
        </p>
        <p className="text-faint text-sm">
          {!token.yours && (
            <>
              Created by <bdi>{token.createdBy ?? SOMEBODY_WHO_LEFT}</bdi>.{' '}
            </>
          )}
          {token.lastUsedAt ? (
            <>
              Used <RelativeTime at={token.lastUsedAt} />
            </>
          ) : (
            'Never used'
          )}
          {token.expiresAt && (
            <>
              , expires <RelativeTime at={token.expiresAt} />
            </>
          )}
        </p>
      </div>
      <Button
        variant="secondary"
        size="small"
        busy={revoke.isPending}
        onClick={() => revoke.mutate({ params: { creatorId, tokenId: token.id } })}
      >
        Revoke<span className="sr-only">: {token.name}</span>
      </Button>
    </li>
  );
}

function TokenForm({
  onMade,
  onCancel,
}: {
  onMade: (made: { id: string; token: string }) => void;
  onCancel: () => void;
}) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: makeToken,
    schema: makeToken.body,
    // A token that nobody needs any more ends by itself.
    defaultValues: { name: '', scopes: [], days: 90 },
    request: (body) => ({ params: { creatorId }, body }),
    refreshes: [listTokens],
    onSuccess: onMade,
  });
  const error = useFieldError(form.control, 'scopes');
  return (
    <FormFrame
      form={form}
      aria-label="New token"
      submitLabel="Create token"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <TextField form={form} name="name" label="What is it for?" hint="It expires after 90 days." />
      <fieldset>
        <legend className="font-medium text-sm">What can it do?</legend>
        {SCOPES.map(({ scope, says }) => (
          <Checkbox key={scope} label={says} hint={scope} value={scope} {...form.register('scopes')} />
        ))}
        {error && <FieldError>{error}</FieldError>}
      </fieldset>
    </FormFrame>
  );
}
