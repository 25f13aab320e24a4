/** Toasts are asked for here from anywhere; `Toaster.tsx` draws them one after the other, five seconds each. */
import { SPEC_NUMBERS } from '#web/ui/spec-numbers.ts';

export type ToastRequest = { tone: 'success' | 'error' | 'info'; title: string; detail?: string | undefined };
export type Toast = ToastRequest & { id: number };

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let timed: Toast | undefined;

/** Shown when those before it are gone. The same words twice in a row are shown once. */
export function showToast(request: ToastRequest): void {
  const last = toasts.at(-1);
  if (last && last.title === request.title && last.detail === request.detail) return;
  lastId += 1;
  change([...toasts, { ...request, id: lastId }]);
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export function currentToast(): Toast | undefined {
  return toasts[0];
}

export function onToastChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the one that is shown for as long as somebody points at it or has the focus in it; then its time begins again. */
export function holdToast(held: boolean): void {
  clearTimeout(timer);
  const shown = toasts[0];
  if (shown && !held) timer = setTimeout(() => dismissToast(shown.id), SPEC_NUMBERS.toast.shownMs);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  if (toasts[0] !== timed) holdToast(false);
  timed = toasts[0];
  for (const listener of listeners) listener();
}

/** For dialogs, which close when somebody presses outside of them: a toast over them is not outside, also one that just went. */
export function keepOpenForToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[data-toast]')) event.preventDefault();
}
