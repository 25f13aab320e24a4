import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { NowProvider, RelativeTime } from '#web/ui/RelativeTime.tsx';

test('what happened since the clock of the page ticked is not to come', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(Date.parse('2027-03-01T12:00:00Z'));
  clock.mockReturnValue(Date.parse('2027-03-01T12:00:18Z'));
  const draw = (at: string) =>
    renderToStaticMarkup(
      <NowProvider>
        <RelativeTime at={at} />
      </NowProvider>,
    );
  expect(draw('2027-03-01T12:00:15Z')).toContain('just now');
  expect(draw('2027-03-01T12:00:40Z')).toContain('in a moment');
  clock.mockRestore();
});
