import * as Radix from 'radix-ui/tabs';
import type { ReactNode } from 'react';

type Props = {
  value: string;
  onValueChange: (value: string) => void;
  /** The tabs' subject, for screen readers. */
  label: string;
  tabs: { value: string; label: ReactNode }[];
  /** One `TabPanel` per tab. */
  children: ReactNode;
};

/** Controlled, so that the page can keep the choice in its address. */
export function Tabs({ value, onValueChange, label, tabs, children }: Props) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange}>
      <Radix.List aria-label={label} className="flex overflow-x-auto border-line border-b sm:gap-1">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 shrink-0 grow border-transparent border-b-2 px-1.5 font-medium text-muted max-sm:text-sm sm:grow-0 sm:px-3 hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink forced-colors:data-[state=active]:forced-color-adjust-none forced-colors:data-[state=active]:bg-[Highlight] forced-colors:data-[state=active]:text-[HighlightText]"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

/** `keep`: stays as it is while another tab is shown, for what is being filled in. */
export function TabPanel({ value, keep, children }: { value: string; keep?: boolean; children: ReactNode }) {
  return (
    <Radix.Content
      value={value}
      {...(keep && { forceMount: true })}
      className="flex-1 pt-4 data-[state=inactive]:hidden"
    >
      {children}
    </Radix.Content>
  );
}
