/**
 * `npm run dev`: the program for people who change it. The server starts again when one of its files changes; the browser
 * takes changes over without reloading. Open the address that Vite prints: it passes on to the server what is not its own.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildWebApps } from './build.ts';
import { loadDotEnv } from './dot-env.ts';

const root = path.dirname(import.meta.dirname);
loadDotEnv();
const port = process.env.PORT ?? '3000';
const webPort = '5173';

// The phone and a first copy of the app are served built; the copy also tells at once when the sources do not build.
await buildWebApps(console.log);

const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    // Sign-ins at Meta and links in mails must lead back to the address that is open in the browser.
    env: { BASE_URL: `http://localhost:${webPort}`, ...process.env, PORT: port },
  }),
  spawn(
    process.execPath,
    [
      'node_modules/vite/bin/vite.js',
      '--config',
      'web/vite.config.ts',
      '--port',
      webPort,
      '--strictPort',
      '--clearScreen=false',
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PORT: port } },
  ),
];

function stop(signal: NodeJS.Signals): void {
  for (const child of children) child.kill(signal);
}
process.once('SIGTERM', () => stop('SIGTERM'));
// In a terminal Ctrl+C has reached them already; each ends in its own time.
process.once('SIGINT', () => stop('SIGTERM'));
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0;
    stop('SIGTERM');
  });
}
