/** `npm start`: builds what browsers load when it changed, then is the server. */
import { buildWebApps } from './build.ts';
import { loadDotEnv } from './dot-env.ts';

loadDotEnv();

try {
  await buildWebApps(console.log);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
// In this very process: signals reach the server directly, and killing it leaves nothing behind but the database.
await import('#server/main.ts');
