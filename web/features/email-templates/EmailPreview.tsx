import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useState } from 'react';
import {
  EMAIL_SAMPLES,
  EMAIL_TYPES,
  type EmailDesign,
  type EmailProblem,
  type EmailSample,
  type EmailType,
  listEmailSamples,
  previewEmail,
} from '#contract/email-templates.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { problemsOfAnswer } from '#web/features/email-templates/design-words.ts';
import { PREVIEW } from '#web/features/email-templates/words.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Preview = ResponseOf<typeof previewEmail>;

/** Whose data is in the email: a sample, or what was really saved and by whom. */
export type FilledWith = { sample: EmailSample; savedRecipeId: string | null; contactId: string | null };
export const EVERYDAY: FilledWith = { sample: 'everyday', savedRecipeId: null, contactId: null };

/** The email as the server makes it. While a design is refused, the last one that was good stays. */
export function useEmailPreview(type: EmailType, design: EmailDesign, filled: FilledWith) {
  const { creatorId } = useCreator();
  const shown = useDeferredValue(design);
  const query = useQuery<Preview, ApiError>({
    queryKey: [previewEmail.path, creatorId, type, shown, filled],
    queryFn: ({ signal }) =>
      callApi(previewEmail, { params: { creatorId, type }, body: { design: shown, ...filled } }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Every letter typed asks for another one.
    gcTime: 0,
  });
  const [last, setLast] = useState<Preview>();
  if (query.data && query.data !== last) setLast(query.data);
  const problems: readonly EmailProblem[] =
    query.error === null ? (query.data?.problems ?? []) : problemsOfAnswer(query.error.fields, shown);
  // Of another design they would stand at the wrong blocks.
  const isCurrent = shown === design && !query.isPlaceholderData;
  return { query, shown: query.data ?? last ?? null, problems: isCurrent ? problems : [] };
}

type Props = {
  type: EmailType;
  preview: ReturnType<typeof useEmailPreview>;
  filled: FilledWith;
  onFilled: (filled: FilledWith) => void;
};

const WIDTHS = { phone: 375, wide: 700 } as const;

export function EmailPreview({ type, preview, filled, onFilled }: Props) {
  const [width, setWidth] = useState<keyof typeof WIDTHS>('phone');
  const [colors, setColors] = useState<'light' | 'dark'>('light');
  const [form, setForm] = useState<'designed' | 'text'>('designed');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Filled type={type} filled={filled} onFilled={onFilled} />
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <Choice
          label={PREVIEW.form}
          value={form}
          onChange={setForm}
          choices={{ designed: PREVIEW.designed, text: PREVIEW.text }}
        />
        {form === 'designed' && (
          <>
            <Choice
              label={PREVIEW.width}
              value={width}
              onChange={setWidth}
              choices={{ phone: PREVIEW.phone, wide: PREVIEW.wide }}
            />
            <Choice
              label={PREVIEW.colors}
              value={colors}
              onChange={setColors}
              choices={{ light: PREVIEW.light, dark: PREVIEW.dark }}
            />
          </>
        )}
      </div>
      <Loaded
        query={preview.query}
        shown={preview.shown}
        failed={PREVIEW.failed}
        skeleton={<Skeleton className="h-96" />}
      >
        {({ subject, preheader, html, text, warning }) => (
          <>
            {warning !== null && <Alert variant="warning">{warning}</Alert>}
            <p className="min-w-0 rounded-md border border-line bg-surface px-3 py-2 text-sm">
              <bdi className="block break-words font-semibold">{subject || PREVIEW.noSubject}</bdi>
              <bdi className="block break-words text-muted">{preheader}</bdi>
            </p>
            {form === 'text' ? (
              <pre
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
                tabIndex={0}
                dir="auto"
                className="email-frame overflow-y-auto whitespace-pre-wrap break-words rounded-md border border-line bg-surface p-3 text-sm"
              >
                {text}
              </pre>
            ) : (
              <EmailFrame html={html} width={WIDTHS[width]} isDark={colors === 'dark'} />
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: Record<T, string>;
};

function Choice<T extends string>({ label, value, onChange, choices }: ChoiceProps<T>) {
  return (
    <fieldset className="flex rounded-md border border-edge bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {(Object.entries(choices) as [T, string][]).map(([choice, name]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === value}
          className={cx(
            'min-h-11 rounded-sm px-3 text-sm md:min-h-8',
            choice === value ? 'bg-accent-soft font-medium text-accent-ink' : 'text-muted hover:text-ink',
          )}
          onClick={() => onChange(choice)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const DARK_QUERY = /@media\s*\(\s*prefers-color-scheme\s*:\s*dark\s*\)/g;

type FrameProps = { html: string; width: number; isDark?: boolean; className?: string };

/**
 * The email as it is, made smaller where there is less room than it wants. Nothing in it runs, and no link of it leads anywhere.
 * Whether it is dark is decided here: not every browser tells a frame.
 */
export function EmailFrame({ html, width, isDark = false, className = 'email-frame' }: FrameProps) {
  const [room, setRoom] = useState(width);
  const measure = useCallback((place: HTMLDivElement | null) => {
    if (place === null) return;
    const observer = new ResizeObserver(() => setRoom(place.clientWidth));
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, room / width);
  return (
    <div ref={measure} className={cx('overflow-hidden rounded-md border border-line bg-sunken', className)}>
      <iframe
        title={PREVIEW.frame}
        sandbox=""
        srcDoc={html.replace(DARK_QUERY, isDark ? '@media all' : '@media not all')}
        className="mx-auto block bg-white"
        style={{
          width,
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
          transformOrigin: 'top left',
          colorScheme: isDark ? 'dark' : 'light',
        }}
      />
    </div>
  );
}

function Filled({ type, filled, onFilled }: Pick<Props, 'type' | 'filled' | 'onFilled'>) {
  const { creatorId } = useCreator();
  const real = useEndpoint(listEmailSamples, { params: { creatorId } });
  const { savedRecipes = [], contacts = [] } = real.data ?? {};
  const isOfRecipe = EMAIL_TYPES[type].about === 'recipe';
  const pick = (value: string) =>
    onFilled(
      Object.hasOwn(EMAIL_SAMPLES, value)
        ? { ...filled, sample: value as EmailSample, savedRecipeId: null }
        : { ...filled, sample: 'everyday', savedRecipeId: value },
    );
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label={isOfRecipe ? PREVIEW.recipe : PREVIEW.samples}>
        {(wiring) => (
          <Select
            {...wiring}
            value={filled.savedRecipeId ?? filled.sample}
            onChange={({ target }) => pick(target.value)}
          >
            <optgroup label={PREVIEW.samples}>
              {Object.entries(EMAIL_SAMPLES).map(([sample, name]) => (
                <option key={sample} value={sample}>
                  {name}
                </option>
              ))}
            </optgroup>
            {isOfRecipe && savedRecipes.length > 0 && (
              <optgroup label={PREVIEW.saved}>
                {savedRecipes.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </optgroup>
            )}
          </Select>
        )}
      </Field>
      {contacts.length > 0 && (
        <Field label={PREVIEW.reader}>
          {(wiring) => (
            <Select
              {...wiring}
              value={filled.contactId ?? ''}
              onChange={({ target }) => onFilled({ ...filled, contactId: target.value || null })}
            >
              <option value="">{PREVIEW.anyReader}</option>
              {contacts.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}
