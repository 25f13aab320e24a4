/**
 * The form behind an entry of a library: unsaved text survives a reload, and what somebody else saved meanwhile stands
 * beside it until the creator chooses.
 */
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { listAutomations } from '#contract/automations.ts';
import type { Endpoint, RequestOf, ResponseOf } from '#contract/endpoint.ts';
import { type ApiForm, useApiForm } from '#web/shell/form.tsx';

type Versioned = { id: string; version: number };

type Options<In extends FieldValues, Saved extends Versioned, E extends Endpoint> = {
  /** Null: a new one, which begins as `fresh`. */
  saved: Saved | null;
  /** As the server has it now; newer than `saved` when somebody else saved. */
  latest: Saved | null;
  inputOf: (saved: Saved) => In;
  fresh: In;
  /** `updateKeyword` or `createKeyword`: their answers are the same. */
  endpoint: E;
  schema: z.ZodMiniType<In, In>;
  request: (values: In, version: number) => RequestOf<E>;
  draftKey: string;
  refreshes: readonly Endpoint[];
  refetch: () => unknown;
  onSaved: (saved: ResponseOf<E>) => void;
};

export type LibraryForm<In extends FieldValues, Saved> = {
  form: ApiForm<In>;
  /** Somebody else's version, while it is not decided about. */
  theirs: Saved | null;
  keepMine: () => void;
  takeTheirs: () => void;
};

export function useLibraryForm<In extends FieldValues, Saved extends Versioned, E extends Endpoint>(
  options: Options<In, Saved, E>,
): LibraryForm<In, Saved> {
  const { saved, latest, inputOf, fresh, refetch } = options;
  const [version, setVersion] = useState(saved?.version ?? 0);
  const [refused, setRefused] = useState(false);
  const form = useApiForm<E, In, In>({
    endpoint: options.endpoint,
    schema: options.schema,
    defaultValues: saved === null ? fresh : inputOf(saved),
    request: (values) => options.request(values, version),
    draftKey: options.draftKey,
    successToast: { title: 'Saved' },
    refreshes: [...options.refreshes, listAutomations],
    onSuccess: options.onSaved,
    onProblem: (error) => {
      if (error.code !== 'changed_meanwhile') return false;
      setRefused(true);
      void refetch();
      return true;
    },
  });
  const theirs = refused && latest !== null && latest.version !== version ? latest : null;
  return {
    form,
    theirs,
    keepMine: () => {
      if (theirs === null) return;
      setVersion(theirs.version);
      setRefused(false);
    },
    takeTheirs: () => {
      if (theirs === null) return;
      setVersion(theirs.version);
      setRefused(false);
      form.startOver();
      form.reset(inputOf(theirs) as never);
    },
  };
}
