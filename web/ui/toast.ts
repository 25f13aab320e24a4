/**
 * Toasts are asked for here from anywhere. The part that draws them (`Toaster.tsx`) is not needed for a first paint, so it
 * is fetched later; what was asked for before waits here.
 */
export type ToastRequest = { tone: 'success' | 'error' | 'info'; title: string; detail?: string | undefined };

let draw: ((toast: ToastRequest) => void) | undefined;
const waiting: ToastRequest[] = [];

export function showToast(toast: ToastRequest): void {
  if (draw) draw(toast);
  else waiting.push(toast);
}

/** Called by the Toaster once it can draw; hands over what waited. */
export function drawToastsWith(drawToast: (toast: ToastRequest) => void): void {
  draw = drawToast;
  for (const toast of waiting.splice(0)) drawToast(toast);
}
