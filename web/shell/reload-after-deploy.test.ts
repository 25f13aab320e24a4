import { expect, it } from 'vitest';
import { reloadAfterDeploy } from '#web/shell/reload-after-deploy.ts';

const page = (script: string) => `<!doctype html><script type="module" src="${script}"></script>`;

function browser(server: () => Promise<string>, kept = new Map<string, string>()) {
  let reloads = 0;
  return {
    fetchPage: server,
    ownScripts: ['/assets/boot-old.js'],
    storage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    reload: () => {
      reloads += 1;
    },
    reloads: () => reloads,
  };
}

it('does not reload without a connection: the page would be lost', async () => {
  const tab = browser(() => Promise.reject(new Error('offline')));
  expect(await reloadAfterDeploy(tab)).toBe(false);
  expect(tab.reloads()).toBe(0);
});

it('does not reload while the server has the same version', async () => {
  const tab = browser(async () => page('/assets/boot-old.js'));
  expect(await reloadAfterDeploy(tab)).toBe(false);
  expect(tab.reloads()).toBe(0);
});

it('reloads once after a deploy, then the fallback screen has its turn', async () => {
  const kept = new Map<string, string>();
  const tab = browser(async () => page('/assets/boot-new.js'), kept);
  expect(await reloadAfterDeploy(tab)).toBe(true);
  expect(tab.reloads()).toBe(1);
  const again = browser(async () => page('/assets/boot-new.js'), kept);
  expect(await reloadAfterDeploy(again)).toBe(false);
  expect(again.reloads()).toBe(0);
});

it('does not reload where it cannot remember that it did', async () => {
  const tab = browser(async () => page('/assets/boot-new.js'));
  tab.storage.setItem = () => {
    throw new Error('storage is forbidden');
  };
  expect(await reloadAfterDeploy(tab)).toBe(false);
  expect(tab.reloads()).toBe(0);
});
