/** Toasts are asked for here from anywhere; `Toaster.tsx` draws them one after the other. */
export type ToastRequest = { tone: 'success' | 'error' | 'info'; title: string; detail?: string | undefined };
export type Toast = ToastRequest & { id: number };

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

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

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
