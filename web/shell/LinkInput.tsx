import type { ComponentProps, FocusEvent } from 'react';
import { completeLink } from '#contract/links.ts';
import { Input } from '#web/ui/inputs.tsx';

/** Where a link is typed; one without https:// is completed when the field is left. */
export function LinkInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    const { target } = event;
    const link = completeLink(target.value);
    if (link !== target.value) {
      target.value = link;
      props.onChange?.(event);
    }
    props.onBlur?.(event);
  };
  return <Input placeholder="https://" {...props} type="url" inputMode="url" autoCapitalize="none" onBlur={leave} />;
}
