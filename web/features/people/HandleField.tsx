import type { ComponentProps } from 'react';
import { SETUP } from '#web/features/people/words.ts';
import { TextField } from '#web/shell/form.tsx';

type Props = Pick<ComponentProps<typeof TextField<{ handle: string }>>, 'form' | 'hint'>;

export function HandleField({ form, hint = SETUP.handleHint }: Props) {
  return (
    <TextField
      form={form}
      name="handle"
      label="Handle"
      hint={hint}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
