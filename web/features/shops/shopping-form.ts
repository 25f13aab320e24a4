import type { ShoppingChoices } from '#contract/shops.ts';
import type { ApiForm } from '#web/shell/form.tsx';

/** The form of everything but keys; its cards are parts of it. */
export type ShoppingForm = ApiForm<ShoppingChoices>;
