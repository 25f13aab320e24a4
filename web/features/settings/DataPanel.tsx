import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { mayDo } from '#contract/roles.ts';
import { getMe } from '#contract/session.ts';
import { cancelDeletion, EXPORT_PATH, getDeletion, requestDeletion } from '#contract/settings.ts';
import { DATA_PANEL } from '#web/features/settings/words.ts';
import { FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { refresh, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { RetentionCard } from './RetentionCard.tsx';

type Deletion = ResponseOf<typeof getDeletion>;

const MEMBER_WAYS = ['leave', 'close'] as const;
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** Take everything along; choose how long it is kept; or have everything deleted, with two weeks to change one's mind. */
export function DataPanel() {
  return (
    <div className="flex flex-col gap-5">
      <ExportCard />
      <RetentionCard />
      <DeletionCard />
    </div>
  );
}

function ExportCard() {
  const { creatorId, creatorAccount, role } = useCreator();
  return (
    <Card title={DATA_PANEL.downloadYourData}>
      {role && mayDo(role, 'export') ? (
        <>
          <p className="mb-4">
            One JSON file with everything Creator HQ has about @{creatorAccount.handle}: accounts, posts, automations,
            comments and messages, contacts, team and settings. Passwords, keys and Meta’s tokens aren’t included.
          </p>
          <LinkButton variant="secondary" href={EXPORT_PATH(creatorId)} download>
            <Download aria-hidden="true" className="size-4" />
            {DATA_PANEL.download}
          </LinkButton>
        </>
      ) : (
        <p className="text-muted">{DATA_PANEL.onlyAnOwnerCan}</p>
      )}
    </Card>
  );
}

function DeletionCard() {
  const { creatorId, creatorAccount, role } = useCreator();
  const deletion = useEndpoint(getDeletion, { params: { creatorId } });
  const mayDelete = role !== null && mayDo(role, 'deletion');
  return (
    <Card title={`Delete @${creatorAccount.handle}`}>
      <Loaded
        query={deletion}
        loading={DATA_PANEL.loadingWhetherTheAccount}
        failed={DATA_PANEL.couldntLoadWhetherThe}
        skeleton={<Skeleton className="h-32" />}
      >
        {(data) =>
          data.deleteAt !== null ? (
            <Planned deletion={data} deleteAt={data.deleteAt} mayUndo={mayDelete} />
          ) : mayDelete ? (
            <DeletionForm members={data.members} />
          ) : (
            <p className="text-muted">{DATA_PANEL.onlyAnOwnerCan2}</p>
          )
        }
      </Loaded>
    </Card>
  );
}

function Planned({ deletion, deleteAt, mayUndo }: { deletion: Deletion; deleteAt: string; mayUndo: boolean }) {
  const { creatorId } = useCreator();
  const keep = useEndpointMutation(cancelDeletion, { refreshes: [getDeletion, getMe] });
  return (
    <Alert
      variant="warning"
      title={`Everything is deleted on ${DATE.format(Date.parse(deleteAt))}`}
      action={
        mayUndo && (
          <Button busy={keep.isPending} onClick={() => keep.mutate({ params: { creatorId } })}>
            {DATA_PANEL.keepAccount}
          </Button>
        )
      }
    >
      {deletion.requestedBy && `Asked for by ${deletion.requestedBy}. `}
      Automations don’t reply until then. {mayUndo ? DATA_PANEL.youCanKeepIt : DATA_PANEL.anOwnerCanKeep}
    </Alert>
  );
}

function DeletionForm({ members }: { members: number }) {
  const client = useQueryClient();
  const { creatorId, creatorAccount } = useCreator();
  const form = useApiForm({
    endpoint: requestDeletion,
    schema: requestDeletion.body,
    defaultValues: { handle: '', members: undefined },
    request: (values) => ({ params: { creatorId }, body: values }),
    refreshes: [getMe],
    // Waited for: the form makes room for the date and the way back.
    onSuccess: () => refresh(client, getDeletion),
  });
  const chosen = form.watch('members');
  const problem = useFieldError(form.control, 'members');
  return (
    <>
      <ul className="mb-4 flex list-disc flex-col gap-1 pl-5">
        <li>{DATA_PANEL.sendingStopsRightAway}</li>
        <li>{DATA_PANEL.for14DaysYou}</li>
        <li>{DATA_PANEL.thenEverythingIsDeleted}</li>
        <li>{DATA_PANEL.youKeepYourLogin}</li>
      </ul>
      <FormFrame form={form}>
        {members > 0 && (
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1.5 font-medium">{DATA_PANEL.yourMembers(members)}</legend>
            {MEMBER_WAYS.map((way) => (
              <Radio
                key={way}
                name="members"
                label={DATA_PANEL.memberWays[way].label}
                hint={DATA_PANEL.memberWays[way].hint}
                checked={chosen === way}
                onChange={() => form.setValue('members', way)}
              />
            ))}
            {problem !== undefined && (
              <Alert variant="error" announce>
                {problem}
              </Alert>
            )}
          </fieldset>
        )}
        <TextField
          form={form}
          name="handle"
          label={`Type ${creatorAccount.handle} to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div>
          <Button type="submit" variant="danger" busy={form.busy}>
            {DATA_PANEL.deleteThisAccount}
          </Button>
        </div>
      </FormFrame>
    </>
  );
}
