import { type FormEvent, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ApiError, errorFromAnswer, networkError } from '#web/shell/api-error.ts';
import { addressOf } from '#web/shell/client.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';

export const TABLE_FILE = {
  file: 'CSV file',
  upload: 'Upload file',
  uploading: 'Uploading…',
  noFile: 'Choose a file first.',
  tooLarge: (maxBytes: number) => `A file can have ${maxBytes / 1024 / 1024} MB at most. Split yours in two.`,
  forExample: (samples: readonly string[]) => (samples.length === 0 ? 'Empty' : samples.join(' · ')),
};

/** A file with a table is chosen and sent as it is. @param endpoint that takes it for a creator, with `fileName` in its query */
export function ChooseTableFile<Answer>({
  endpoint,
  maxBytes,
  onSent,
}: {
  endpoint: Endpoint;
  maxBytes: number;
  onSent: (answer: Answer) => unknown;
}) {
  const { creatorId } = useCreator();
  const [file, setFile] = useState<File | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (file === null) return setProblem(TABLE_FILE.noFile);
    if (file.size > maxBytes) return setProblem(TABLE_FILE.tooLarge(maxBytes));
    setBusy(true);
    setProblem(null);
    try {
      await onSent((await upload(endpoint, creatorId, file)) as Answer);
    } catch (error) {
      setProblem((error as ApiError).detail);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={send} className="flex flex-col gap-4" noValidate>
      <Field label={TABLE_FILE.file} error={problem ?? undefined}>
        {(wiring) => (
          <Input
            {...wiring}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            className="py-2"
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null);
              setProblem(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={busy} className="self-start">
        {busy ? TABLE_FILE.uploading : TABLE_FILE.upload}
      </Button>
    </form>
  );
}

/** @throws ApiError */
async function upload(endpoint: Endpoint, creatorId: string, file: File): Promise<unknown> {
  const address = addressOf(endpoint, { params: { creatorId }, query: { fileName: file.name.slice(0, 200) } } as never);
  const response = await fetch(address, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'content-type': 'text/csv' },
    body: file,
  }).catch(() => {
    throw networkError();
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorFromAnswer(response.status, answer);
  return answer;
}

/** What each column of a table is used for. Each use is there once: what had it before is ignored. */
export function ColumnUses<Use extends string>({
  columns,
  uses,
  busy,
  onChoose,
}: {
  columns: { name: string; samples: string[]; use: Use | 'ignore' }[];
  /** In words. */
  uses: Record<Use | 'ignore', string>;
  busy: boolean;
  onChoose: (uses: (Use | 'ignore')[]) => void;
}) {
  const choose = (at: number, use: Use | 'ignore') =>
    onChoose(
      columns.map((column, index) =>
        index === at ? use : use !== 'ignore' && column.use === use ? 'ignore' : column.use,
      ),
    );
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name of their own
        <li key={at} className="min-w-0">
          <Field
            label={<bdi>{column.name}</bdi>}
            hint={<bdi className="break-words">{TABLE_FILE.forExample(column.samples)}</bdi>}
          >
            {(wiring) => (
              <Select
                {...wiring}
                value={column.use}
                disabled={busy}
                onChange={(event) => choose(at, event.target.value as Use)}
              >
                {(Object.keys(uses) as (Use | 'ignore')[]).map((use) => (
                  <option key={use} value={use}>
                    {uses[use]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </li>
      ))}
    </ul>
  );
}
