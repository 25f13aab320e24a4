import { Mail, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { createForm, type Form, listForms } from '#contract/forms.ts';
import { listSites } from '#contract/sites.ts';
import { FormPreview } from '#web/features/save-to-email/FormPreview.tsx';
import { SaveFigures } from '#web/features/save-to-email/SaveFigures.tsx';
import { SaveToEmailTabs } from '#web/features/save-to-email/SaveToEmailTabs.tsx';
import { GATE_TEXTS, SAVE_TO_EMAIL, SECOND_SITE, STEPS } from '#web/features/save-to-email/words.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator, useEnv } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/DropdownMenu.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { StepList } from '#web/ui/StepList.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Save to Email: the way to the first save, then the forms. */
export function SaveToEmailPage() {
  const { creatorId } = useCreator();
  const forms = useEndpoint(listForms, { params: { creatorId } });
  return (
    <>
      <PageHeader
        title={SAVE_TO_EMAIL.title}
        description={SAVE_TO_EMAIL.description}
        actions={<NewForm like={forms.data?.items[0]} />}
      />
      <SaveToEmailTabs />
      <Loaded
        query={forms}
        loading={SAVE_TO_EMAIL.loading}
        failed={SAVE_TO_EMAIL.failed}
        skeleton={
          <div className="flex flex-col gap-4">
            <Skeleton className="h-56" />
            <Skeleton className="h-72" />
          </div>
        }
      >
        {({ items }) => (
          <div className="flex flex-col gap-6">
            <SecondSite />
            <SetUp forms={items} />
            <SaveFigures />
            {items.length === 0 ? (
              <EmptyState icon={<Mail className="size-7" />} title={SAVE_TO_EMAIL.noForms}>
                {SAVE_TO_EMAIL.noFormsSay}
              </EmptyState>
            ) : (
              <section aria-labelledby="forms" className="flex flex-col gap-3">
                <h2 id="forms" className="font-semibold text-lg">
                  {SAVE_TO_EMAIL.forms}
                </h2>
                <ul className="grid items-start gap-4 lg:grid-cols-2">
                  {items.map((form) => (
                    <FormCard key={form.id} form={form} />
                  ))}
                </ul>
              </section>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

function NewForm({ like }: { like: Form | undefined }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const create = useEndpointMutation(createForm, {
    successToast: false,
    refreshes: [listForms],
    onSuccess: ({ id }) => navigate(paths.form(id)),
  });
  if (like === undefined) return null;
  const designs = {
    save: like.design,
    gate: { ...like.design, texts: like.design.texts.map((texts) => ({ ...texts, ...GATE_TEXTS })) },
  };
  const make = (kind: keyof typeof designs) =>
    create.mutate({
      params: { creatorId },
      body: { kind, name: SAVE_TO_EMAIL.newFormNames[kind], design: designs[kind] },
    });
  return (
    <DropdownMenu
      trigger={
        <Button variant="secondary" busy={create.isPending}>
          <Plus aria-hidden="true" className="size-4" />
          {SAVE_TO_EMAIL.newForm}
        </Button>
      }
    >
      <MenuItem onSelect={() => make('save')}>{SAVE_TO_EMAIL.save}</MenuItem>
      <MenuItem onSelect={() => make('gate')}>{SAVE_TO_EMAIL.gate}</MenuItem>
    </DropdownMenu>
  );
}

/** Another place uses the API key: has the blog moved, or is it a copy? */
function SecondSite() {
  const { creatorId } = useCreator();
  const sites = useEndpoint(listSites, { params: { creatorId } });
  const asking = sites.data?.items.find(({ asks }) => asks);
  if (asking === undefined) return null;
  return (
    <Alert
      variant="warning"
      title={SECOND_SITE.title(asking.name ?? SECOND_SITE.unnamed)}
      action={<ButtonLink to={settingsPath('api-key')}>{SECOND_SITE.action}</ButtonLink>}
    >
      {SECOND_SITE.says}
    </Alert>
  );
}

/** Until the first reader has saved something. */
function SetUp({ forms }: { forms: readonly Form[] }) {
  const { creatorId } = useCreator();
  const env = useEnv();
  const sites = useEndpoint(listSites, { params: { creatorId } });
  const site = sites.data?.items.find(({ state }) => state === 'live' || state === 'away');
  const isUsed = forms.some(({ submissions }) => submissions > 0);
  const first = forms.find(({ kind }) => kind === 'save');
  if (sites.data === undefined || (isUsed && site !== undefined)) return null;
  const openBlog = (label: string): ReactNode =>
    site?.url && (
      <LinkButton href={site.url} target="_blank" rel="noopener">
        {label}
      </LinkButton>
    );
  const isDesigned = isUsed || forms.some(({ version }) => version > 1);
  const steps = [
    {
      id: 'connect',
      done: site !== undefined,
      action: (
        <div className="flex flex-wrap gap-2">
          {env.data && (
            <LinkButton variant="secondary" href={env.data.pluginDownloadUrl} target="_blank" rel="noopener">
              {STEPS.connect.download}
            </LinkButton>
          )}
          <ButtonLink to={settingsPath('api-key')}>{STEPS.connect.action}</ButtonLink>
        </div>
      ),
    },
    {
      id: 'design',
      done: isDesigned,
      action: first && <ButtonLink to={paths.form(first.id)}>{STEPS.design.action}</ButtonLink>,
    },
    { id: 'try', done: isUsed, action: openBlog(STEPS.try.action) },
  ] as const;
  return (
    <Card
      title={SAVE_TO_EMAIL.setUp}
      aside={
        <span className="text-muted text-sm">
          {SAVE_TO_EMAIL.doneOf(steps.filter(({ done }) => done).length, steps.length)}
        </span>
      }
    >
      <StepList steps={steps.map((step) => ({ ...step, ...STEPS[step.id], action: step.action }))} />
    </Card>
  );
}

function FormCard({ form: { id, name, kind, design, submissions } }: { form: Form }) {
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Link to={paths.form(id)} className="font-medium hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <span className="text-muted text-sm">{SAVE_TO_EMAIL[kind]}</span>
      </div>
      <FormPreview kind={kind} design={design} />
      <p className="text-faint text-sm">{SAVE_TO_EMAIL.submissions(submissions)}</p>
    </li>
  );
}
