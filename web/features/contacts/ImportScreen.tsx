import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Download, FileUp } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import {
  type ColumnUse,
  cancelImport,
  changeImportColumns,
  getImport,
  IMPORT_PROBLEMS_PATH,
  type Import,
  listImportRows,
  listImports,
  MOST_IMPORT_BYTES,
  runImport,
  undoImport,
  uploadImport,
} from '#contract/imports.ts';
import { mayDo } from '#contract/roles.ts';
import { countWords, IMPORT, leftOut, noteWords, STATES, TOOLS, USES } from '#web/features/contacts/import-words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { refresh, setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { ChooseTableFile, ColumnUses } from '#web/shell/TableFile.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Radio, Textarea } from '#web/ui/inputs.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const ASKED_EVERY_MS = 1000;
const PROBLEMS_SHOWN = 5;
const importPath = (importId: string) => `${paths.contacts}?${new URLSearchParams({ import: importId })}`;

/** A file of contacts: chosen, checked, agreed to, imported, undone. @param importId `new`: none yet */
export function ImportScreen({ importId }: { importId: string }) {
  const { role } = useCreator();
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div>
        <TextLink to={paths.contacts} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
          <ArrowLeft aria-hidden="true" className="size-4" />
          {IMPORT.back}
        </TextLink>
        <PageHeader title={IMPORT.title} description={IMPORT.description} />
      </div>
      {role === null || !mayDo(role, 'import') ? (
        <EmptyState icon={<FileUp className="size-7" />} title={IMPORT.noRight}>
          {IMPORT.noRightSays}
        </EmptyState>
      ) : importId === 'new' ? (
        <>
          <ChooseFile />
          <Earlier />
        </>
      ) : (
        <OneImport importId={importId} />
      )}
    </div>
  );
}

function ChooseFile() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Card title={IMPORT.choose} description={IMPORT.chooseSays}>
      <ChooseTableFile<Import>
        endpoint={uploadImport}
        maxBytes={MOST_IMPORT_BYTES}
        onSent={({ id }) => {
          void refresh(client, listImports);
          return navigate(importPath(id));
        }}
      />
    </Card>
  );
}

function Earlier() {
  const { creatorId } = useCreator();
  const imports = useEndpoint(listImports, { params: { creatorId }, query: {} });
  if (!imports.data || imports.data.items.length === 0) return null;
  return (
    <Card title={IMPORT.earlier}>
      <ul className="flex flex-col divide-y divide-line">
        {imports.data.items.map(({ id, fileName, state, madeAt }) => (
          <li key={id}>
            <Link to={importPath(id)} className="flex min-h-11 items-center justify-between gap-3 py-2 hover:underline">
              <bdi className="truncate font-medium">{fileName}</bdi>
              <span className="flex shrink-0 items-center gap-3">
                <Badge tone={state === 'ready' ? 'info' : 'neutral'}>{STATES[state]}</Badge>
                <RelativeTime at={madeAt} className="text-faint text-sm" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OneImport({ importId }: { importId: string }) {
  const { creatorId } = useCreator();
  const query = useEndpoint(
    getImport,
    { params: { creatorId, importId } },
    { retry: false, refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? ASKED_EVERY_MS : false) },
  );
  if (query.error?.code === 'not_found' || query.error?.code === 'invalid_input') {
    return (
      <EmptyState
        icon={<FileUp className="size-7" />}
        title={IMPORT.notFound}
        action={<ButtonLink to={importPath('new')}>{IMPORT.another}</ButtonLink>}
      >
        {IMPORT.notFoundSays}
      </EmptyState>
    );
  }
  return (
    <Loaded query={query} loading={IMPORT.loading} failed={IMPORT.failed} skeleton={<Skeleton className="h-64" />}>
      {(one) => (
        <>
          <p className="flex flex-wrap items-center gap-2 text-muted">
            <bdi className="break-all font-medium text-ink">{one.fileName}</bdi>
            {one.tool !== null && <Badge>{TOOLS[one.tool]}</Badge>}
          </p>
          <Stage one={one} />
        </>
      )}
    </Loaded>
  );
}

function isAtWork({ state, undo, result, doneRows }: Import): boolean {
  return (
    state === 'reading' ||
    state === 'running' ||
    (undo !== null && !undo.isDone) ||
    isCounting({ state, result, doneRows })
  );
}

/** Canceled in the middle: what was imported is being counted. */
function isCounting({ state, result, doneRows }: Pick<Import, 'state' | 'result' | 'doneRows'>) {
  return state === 'cancelled' && result === null && doneRows > 0;
}

function Stage({ one }: { one: Import }) {
  if (one.state === 'reading') {
    return (
      <Card title={IMPORT.reading}>
        <p role="status" className="text-muted">
          {IMPORT.readingSays(one.rows)}
        </p>
        <Progress label={IMPORT.reading} />
      </Card>
    );
  }
  if (one.state === 'ready') return <Ready one={one} />;
  if (one.state === 'running') return <Running one={one} />;
  return <Finished one={one} />;
}

function Progress({ label, value, max }: { label: string; value?: number; max?: number }) {
  return <progress aria-label={label} className="mt-3 w-full accent-accent" value={value} max={max} />;
}

function Ready({ one }: { one: Import }) {
  return (
    <>
      <Columns one={one} />
      {one.counts === null ? (
        <Alert variant="warning">{IMPORT.noEmail}</Alert>
      ) : (
        <>
          <Card title={IMPORT.preview}>
            <Counts one={one} counts={one.counts} />
          </Card>
          <Consent one={one} people={one.counts.new + one.counts.merged} />
        </>
      )}
    </>
  );
}

function Columns({ one }: { one: Import }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const params = { creatorId, importId: one.id };
  const change = useEndpointMutation(changeImportColumns, {
    successToast: false,
    onSuccess: (answer) => setAnswer(client, getImport, { params }, answer),
  });
  return (
    <Card title={IMPORT.columns} description={IMPORT.columnsSay}>
      <ColumnUses<ColumnUse>
        columns={one.columns}
        uses={USES}
        busy={change.isPending}
        onChoose={(uses) => change.mutate({ params, body: { uses } })}
      />
    </Card>
  );
}

function Counts({ one, counts }: { one: Import; counts: NonNullable<Import['counts']> }) {
  const { creatorId } = useCreator();
  const params = { creatorId, importId: one.id };
  const invalid = useEndpoint(
    listImportRows,
    { params, query: { only: 'invalid', limit: PROBLEMS_SHOWN } },
    { enabled: counts.invalid > 0 },
  );
  const notes = one.state === 'ready' && one.notes !== null ? noteWords(one.notes) : [];
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-1.5">
        {countWords(counts).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="text-muted text-sm">
          {note}
        </p>
      ))}
      {invalid.data && invalid.data.items.length > 0 && (
        <ul className="flex flex-col gap-1 rounded-md bg-sunken p-3 text-sm">
          {invalid.data.items.map(({ line, email, why }) => (
            <li key={line} className="break-words">
              <bdi className="font-medium">{IMPORT.problemLine(line, email)}</bdi>{' '}
              <span className="text-muted">{why}</span>
            </li>
          ))}
        </ul>
      )}
      {leftOut(counts) > 0 && (
        <LinkButton
          variant="secondary"
          size="small"
          className="self-start"
          href={IMPORT_PROBLEMS_PATH(creatorId, one.id)}
          download
        >
          <Download aria-hidden="true" className="size-4" />
          {IMPORT.download}
        </LinkButton>
      )}
    </div>
  );
}

function Consent({ one, people }: { one: Import; people: number }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const params = { creatorId, importId: one.id };
  const keep = (answer: Import) => setAnswer(client, getImport, { params }, answer);
  const form = useApiForm({
    endpoint: runImport,
    schema: runImport.body,
    defaultValues: { agreed: '', newsletter: true, attested: false },
    request: (body) => ({ params, body }),
    onSuccess: keep,
    refreshes: [listImports],
  });
  const cancel = useEndpointMutation(cancelImport, { successToast: false, refreshes: [listImports], onSuccess: keep });
  const newsletter = form.watch('newsletter');
  const choose = (value: boolean) => form.setValue('newsletter', value);
  return (
    <Card title={IMPORT.consent}>
      <form onSubmit={form.submit} className="flex flex-col gap-4" noValidate>
        <Field label={IMPORT.agreed} hint={IMPORT.agreedHint} error={form.formState.errors.agreed?.message}>
          {(wiring) => <Textarea {...wiring} rows={2} maxLength={300} {...form.register('agreed')} />}
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">{IMPORT.newsletter}</legend>
          <Radio
            name="newsletter"
            label={IMPORT.yes}
            hint={IMPORT.yesSays}
            checked={newsletter}
            onChange={() => choose(true)}
          />
          <Radio
            name="newsletter"
            label={IMPORT.no}
            hint={IMPORT.noSays}
            checked={!newsletter}
            onChange={() => choose(false)}
          />
        </fieldset>
        {newsletter && one.notes !== null && (
          <Checkbox
            label={IMPORT.attested}
            hint={IMPORT.attestedSays(one.notes, people)}
            {...form.register('attested')}
          />
        )}
        {form.problem && (
          <Alert variant="error" announce>
            {form.problem.detail}
          </Alert>
        )}
        <div className="flex flex-col gap-2 sm:flex-row">
          <Button type="submit" variant="primary" busy={form.busy} disabled={people === 0}>
            {IMPORT.run(people)}
          </Button>
          <Button variant="secondary" busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
            {IMPORT.cancel}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Running({ one }: { one: Import }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const params = { creatorId, importId: one.id };
  const cancel = useEndpointMutation(cancelImport, {
    successToast: false,
    onSuccess: (answer) => setAnswer(client, getImport, { params }, answer),
  });
  return (
    <Card title={IMPORT.running}>
      <p role="status" className="text-muted">
        {IMPORT.progress(one.doneRows, one.rows)}
      </p>
      <Progress label={IMPORT.running} value={one.doneRows} max={one.rows} />
      <Button variant="secondary" className="mt-4" busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
        {IMPORT.cancel}
      </Button>
    </Card>
  );
}

const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

function Finished({ one }: { one: Import }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const params = { creatorId, importId: one.id };
  const undo = useEndpointMutation(undoImport, {
    successToast: false,
    onSuccess: (answer) => setAnswer(client, getImport, { params }, answer),
  });
  const mayUndo = one.undo === null && one.undoUntil !== null && Date.parse(one.undoUntil) > Date.now();
  const title =
    one.undo !== null
      ? one.undo.isDone
        ? IMPORT.undone
        : IMPORT.undoing
      : one.state === 'done'
        ? IMPORT.done
        : IMPORT.cancelled;
  return (
    <Card title={title}>
      <div className="flex flex-col gap-4">
        {one.undo !== null ? (
          <p role="status">{one.undo.isDone ? IMPORT.undoneSays(one.undo) : ''}</p>
        ) : one.result !== null ? (
          <Counts one={one} counts={one.result} />
        ) : (
          <p>{one.failure ?? IMPORT.cancelledSays}</p>
        )}
        {mayUndo && <p className="text-muted text-sm">{IMPORT.undoSays(DAY.format(Date.parse(one.undoUntil!)))}</p>}
        <div className="flex flex-col gap-2 sm:flex-row">
          <ButtonLink variant="primary" to={paths.contacts}>
            {IMPORT.see}
          </ButtonLink>
          <ButtonLink variant="secondary" to={importPath('new')}>
            {IMPORT.another}
          </ButtonLink>
          {mayUndo && (
            <Button variant="secondary" busy={undo.isPending} onClick={() => undo.mutate({ params })}>
              {IMPORT.undo}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
