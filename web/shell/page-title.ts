import { useEffect } from 'react';

/** The words of the browser's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Creator HQ`;
  }, [title]);
}
