import { expect, it } from 'vitest';
import { currentToast, dismissToast, onToastChange, showToast } from '#web/ui/toast.ts';

it('shows one at a time, in the order they came, and the same words only once', () => {
  let changes = 0;
  const stop = onToastChange(() => {
    changes += 1;
  });
  showToast({ tone: 'error', title: 'Error', detail: 'Operation failed' });
  showToast({ tone: 'error', title: 'Error', detail: 'Operation failed' });
  showToast({ tone: 'success', title: 'Saved' });
  const first = currentToast();
  expect(first).toMatchObject({ title: 'Error' });
  dismissToast(first?.id ?? 0);
  const second = currentToast();
  expect(second).toMatchObject({ title: 'Saved' });
  dismissToast(second?.id ?? 0);
  expect(currentToast()).toBeUndefined();
  expect(changes).toBe(4);
  stop();
});
