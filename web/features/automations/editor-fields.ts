import type { AutomationInput } from '#contract/automations.ts';

/** What each part of the editor gets: the automation as it stands, and a way to change a field of it. */
export type FieldsProps = {
  input: AutomationInput;
  set: <F extends keyof AutomationInput>(field: F, value: AutomationInput[F]) => void;
  /** The objection beside a field (`buttons.0.url`); undefined while there is none. */
  errorOf: (path: string) => string | undefined;
};
