import { useRef } from 'react';

/**
 * For dialogs that no trigger of their own opens: when they close, the focus goes back to where it was, unless it
 * has moved on to somewhere outside meanwhile (a link led to another screen).
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const { activeElement, body } = document;
      const dialog = event.currentTarget as Element | null;
      const movedOn = activeElement && activeElement !== body && !dialog?.contains(activeElement);
      if (!movedOn && before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
