import { existsSync } from 'node:fs';
import path from 'node:path';

/** Settings of a `.env` in the project folder; what the environment says already wins. */
export function loadDotEnv(): void {
  const file = path.join(import.meta.dirname, '../.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
