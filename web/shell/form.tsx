/** The one form frame: contract schema in, request out, the server's objections beside the fields they are about. */
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import {
  type Control,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type UseFormReturn,
  useForm,
  useFormState,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Endpoint, RequestOf, ResponseOf } from '#contract/endpoint.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, PasswordInput } from '#web/ui/inputs.tsx';

type Options<E extends Endpoint, In extends FieldValues, Out> = {
  endpoint: E;
  /** Usually the endpoint's `body`. Checked when a field is left and when the form is sent. */
  schema: z.ZodMiniType<Out, In>;
  defaultValues: In;
  /** From what was filled in (already checked and trimmed) to the call. */
  request: (values: Out) => RequestOf<E>;
  onSuccess?: (response: ResponseOf<E>, values: Out) => unknown;
  /** Handles a failure itself: return true and the frame shows nothing. */
  onProblem?: (error: ApiError) => boolean;
  /** Keeps unsaved text across a reload under this name, e.g. `automation:ID`. */
  draftKey?: string;
  successToast?: boolean | { title?: string; detail?: string };
  refreshes?: readonly Endpoint[];
};

export type ApiForm<In extends FieldValues, Out = In> = UseFormReturn<In, unknown, Out> & {
  /** For `<form onSubmit>`. */
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  busy: boolean;
  /** The error of the form as a whole; null without one. */
  problem: ApiError | null;
  /** Unsaved text from before a reload is in the form. */
  restored: boolean;
  /** Back to the saved values; forgets unsaved text. */
  startOver: () => void;
};

export function useApiForm<E extends Endpoint, In extends FieldValues, Out>(
  options: Options<E, In, Out>,
): ApiForm<In, Out> {
  const { endpoint, schema, defaultValues, draftKey } = options;
  const [draft, setDraft] = useState(() => (draftKey ? readDraft<In>(draftKey) : null));
  const form = useForm<In, unknown, Out>({
    resolver: standardSchemaResolver(schema),
    defaultValues: { ...defaultValues, ...draft } as DefaultValues<In>,
    mode: 'onTouched',
  });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const mutation = useEndpointMutation(endpoint, {
    errorToast: false,
    successToast: options.successToast ?? false,
    ...(options.refreshes && { refreshes: options.refreshes }),
  });

  useEffect(() => {
    if (!draftKey) return;
    const subscription = form.watch((values) => keepDraft(draftKey, values));
    return () => subscription.unsubscribe();
  }, [form, draftKey]);

  const send = async (values: Out) => {
    setProblem(null);
    try {
      const response = await mutation.mutateAsync(options.request(values));
      if (draftKey) dropDraft(draftKey);
      setDraft(null);
      await options.onSuccess?.(response, values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (options.onProblem?.(error)) return;
      const shown = error.fields.filter((field) => get(form.getValues(), field.path) !== undefined);
      for (const [index, field] of shown.entries()) {
        form.setError(field.path as FieldPath<In>, { message: field.message }, { shouldFocus: index === 0 });
      }
      // When every objection stands beside its field, a summary would only repeat them.
      if (shown.length === 0 || shown.length < error.fields.length) setProblem(error);
    }
  };

  return {
    ...form,
    submit: (event?: React.BaseSyntheticEvent) => {
      // A second press while the first is under way.
      if (mutation.isPending) {
        event?.preventDefault();
        return Promise.resolve();
      }
      return form.handleSubmit(send)(event);
    },
    busy: mutation.isPending || form.formState.isSubmitting,
    problem,
    restored: draft !== null,
    startOver: () => {
      if (draftKey) dropDraft(draftKey);
      setDraft(null);
      setProblem(null);
      form.reset(defaultValues as DefaultValues<In>);
    },
  };
}

type FrameProps<In extends FieldValues, Out> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: ApiForm<In, Out>;
  /** Text of the button that sends it. Leave out when the buttons are elsewhere (`form={id}`). */
  submitLabel?: ReactNode;
  /** Beside the button. */
  actions?: ReactNode;
  wideSubmit?: boolean;
};

export function FormFrame<In extends FieldValues, Out>(props: FrameProps<In, Out>) {
  const { form, submitLabel, actions, wideSubmit, children, className, ...rest } = props;
  return (
    <form noValidate onSubmit={form.submit} className={className ?? 'flex flex-col gap-4'} {...rest}>
      <FormProblem problem={form.problem} />
      {form.restored && (
        <Alert
          variant="infoSecondary"
          action={
            <Button variant="quiet" size="small" onClick={form.startOver}>
              Start over
            </Button>
          }
        >
          We brought back what you typed before.
        </Alert>
      )}
      {children}
      {(submitLabel || actions) && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1">
          {submitLabel && (
            <Button type="submit" busy={form.busy} className={wideSubmit ? 'w-full' : undefined}>
              {submitLabel}
            </Button>
          )}
          {actions}
        </div>
      )}
    </form>
  );
}

/** The error of the whole form; takes the focus so that nobody overlooks it. */
export function FormProblem({ problem }: { problem: ApiError | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) box.current?.focus();
  }, [problem]);
  if (!problem) return null;
  return (
    <div ref={box} tabIndex={-1}>
      <Alert variant="error" title={problem.title} announce>
        {problem.detail}
        {problem.fields.length > 0 && (
          <ul className="mt-1 list-disc pl-5">
            {problem.fields.map((field) => (
              <li key={field.path}>{field.message}</li>
            ))}
          </ul>
        )}
      </Alert>
    </div>
  );
}

type FieldProps<In extends FieldValues> = {
  form: { control: Control<In, unknown, unknown>; register: UseFormReturn<In>['register'] };
  name: FieldPath<In>;
  label: ReactNode;
  hint?: ReactNode;
  optional?: boolean;
  aside?: ReactNode;
};

/** The message beside a field; empty while there is nothing to say. */
export function useFieldError<In extends FieldValues>(
  control: Control<In, unknown, unknown>,
  name: FieldPath<In>,
): string | undefined {
  const { errors } = useFormState({ control: control as unknown as Control<In>, name });
  return (get(errors, name) as { message?: string } | undefined)?.message;
}

type InputProps = Omit<ComponentProps<'input'>, 'form' | 'name' | 'ref'>;

/** The generic form input: required unless it says otherwise; its value goes up under its name. */
export function TextField<In extends FieldValues>({
  form,
  name,
  label,
  hint,
  optional,
  aside,
  as,
  ...rest
}: FieldProps<In> & InputProps & { as?: ComponentType<ComponentProps<'input'>> }) {
  const error = useFieldError(form.control, name);
  const Typed = as ?? (rest.type === 'password' ? PasswordInput : Input);
  return (
    <Field label={label} hint={hint} error={error} {...(optional && { optional })} aside={aside}>
      {(wiring) => {
        // Not `required`: the browser's own bubbles would come before our words beside the field.
        const input = { ...rest, ...wiring, 'aria-required': !optional, ...form.register(name) };
        return <Typed {...input} />;
      }}
    </Field>
  );
}
