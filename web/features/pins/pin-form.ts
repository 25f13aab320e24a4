import type { SponsorPinInput } from '#contract/sponsor-pins.ts';
import type { ApiForm } from '#web/shell/form.tsx';

/** The form of one pin; its groups of fields are parts of it. */
export type PinForm = ApiForm<SponsorPinInput>;
