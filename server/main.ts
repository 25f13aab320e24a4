/** Starts the roles asked for and ends them in order. `npm start` runs this; so does a container. */
import { pino } from 'pino';
import { ConfigError, readConfig } from '#server/config.ts';
import { startProgram } from '#server/program.ts';

try {
  const config = readConfig();
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

  const program = await startProgram(config, { log, say: (line) => console.log(line) });
  if (!stopping.signal.aborted) await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  console.log('Stopping: finishing what is under way…');
  await program.stop();
  console.log('Stopped. Nothing was lost.');
} catch (error) {
  // Words for the person at the keyboard; a stack only where the fault is ours.
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
}

function isForPeople(error: unknown): error is Error {
  return error instanceof Error && (error instanceof ConfigError || ('forPeople' in error && error.forPeople === true));
}
