import { afterEach, describe, expect, it, vi } from 'vitest';
import { useSwitchCreator } from '#web/features/switching/switch-creator.ts';
import { act } from '#web/shell/testing/act.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { currentToast, dismissToast } from '#web/ui/toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  for (let toast = currentToast(); toast; toast = currentToast()) dismissToast(toast.id);
});

/** Every call is answered so; returns the addresses called. */
function answering(status: number, body: unknown): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(address);
    return new Response(JSON.stringify(body), { status });
  });
  return calls;
}

describe('switching creator', () => {
  async function choose(): Promise<string[]> {
    const reloaded: string[] = [];
    vi.stubGlobal('location', { pathname: '/creator-hq/contacts', replace: (to: string) => reloaded.push(to) });
    await act(() => useSwitchCreator(EXAMPLE_ME.account._id).mutateAsync, '0197a0aa-0000-7000-8000-0000000000b1');
    return reloaded;
  }

  it('says Failed to switch creator and stays when it failed', async () => {
    answering(500, {});
    expect(await choose()).toEqual([]);
    expect(currentToast()).toMatchObject({ tone: 'error', title: 'Failed to switch creator' });
  });

  it('says Switching Creator... and reloads the page', async () => {
    const calls = answering(200, { message: 'Switching Creator...' });
    expect(await choose()).toEqual(['/creator-hq/contacts']);
    expect(calls[0]).toMatch(/^\/api\/v1\/accounts\/[^/]+\/memberships\/[^/]+\/access$/);
    expect(currentToast()).toMatchObject({ tone: 'success', title: 'Switching Creator...' });
  });
});
