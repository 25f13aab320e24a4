/**
 * Holds the description of the API against the rules that its users' tools expect: Redocly's (redocly.yaml) and Spectral's
 * recommended ones. Ends with exit code 1 and every finding.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import core, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { ENDPOINTS } from '#server/features/registered.ts';
import { describeApi } from '#server/http/openapi.ts';

const root = path.dirname(import.meta.dirname);
const description = JSON.parse(JSON.stringify(describeApi(ENDPOINTS)));

const folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-api-'));
try {
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(description));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      file,
      '--config',
      path.join(root, 'redocly.yaml'),
    ],
    {
      encoding: 'utf8',
      // It would ask for news and tell of its use.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  if (status !== 0) {
    console.error(`Redocly:\n${stdout}\n${stderr}`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const spectral = new core.Spectral();
spectral.setRuleset({
  extends: [[rulesets.oas as RulesetDefinition, 'recommended']],
  rules: {
    // OpenAPI 3.1 lets scopes stand beside a bearer token; the rule knows those of OAuth only.
    'oas3-operation-security-defined': 'off',
  },
});
const findings = await spectral.run(description);
for (const { code, path: at, message } of findings) console.error(`Spectral: ${code} at ${at.join('.')}: ${message}`);
if (findings.length > 0) process.exitCode = 1;
