import type { ShoppingChoices } from '#contract/shops.ts';
import type { ApiForm } from '#web/shell/form.tsx';

/** The form of everything but keys; its cards are parts of it. */
export type ShoppingForm = ApiForm<ShoppingChoices>;

/**
 * Rows of the form are added, moved and taken away as a whole: react-hook-form's own array of fields objects to a new row before
 * anybody typed into it.
 */
export function wholeArrayOf<Name extends 'shops' | 'amazonTags'>(form: ShoppingForm, name: Name) {
  return (rows: ShoppingChoices[Name]): void => {
    form.setValue(name, rows as never, { shouldDirty: true });
    // What was said of a row stood at its place.
    form.clearErrors(name);
  };
}
