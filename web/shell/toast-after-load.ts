/** A toast about something that ends in a reload: it is shown by the page that comes. */
import { showToast, type ToastRequest } from '#web/ui/toast.ts';

const KEY = 'toast after load';

export function showToastAfterLoad(request: ToastRequest): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(request));
  } catch {
    showToast(request); // storage may be forbidden: better short than never
  }
}

/** Once, when the app starts. */
export function showKeptToast(): void {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    if (kept) showToast(JSON.parse(kept) as ToastRequest);
  } catch {
    // Nothing was kept.
  }
}
