/** The API as a page for people: Scalar's reference, which reads the description in the visitor's browser. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { API_BASE, type NamedEndpoint } from '#contract/endpoint.ts';
import { ERRORS } from '#contract/errors.ts';
import { describeApi } from '#server/http/openapi.ts';

/** https://github.com/scalar/scalar/blob/main/documentation/configuration.md */
const CONFIGURATION = {
  url: `${API_BASE}/openapi.json`,
  // Nothing may be asked of Scalar's servers.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // It would call with the visitor's session.
  hideTestRequestButton: true,
  hiddenClients: true,
  documentDownloadType: 'json',
  customCss: '.scalar-app { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }',
};

/** Registers `/api/v1/openapi.json` and `/api/docs`. */
export function registerApiDocs(app: FastifyInstance, endpoints: NamedEndpoint[]): void {
  // Made when somebody asks: it takes a moment, and most processes are never asked.
  const json = once(() => JSON.stringify(describeApi(endpoints)));
  const script = once(zippedScript);
  app.get(`${API_BASE}/openapi.json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(json()),
  );
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'public, max-age=60').send(docsPage()),
  );
  app.get('/api/docs/scalar.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=3600', 'content-encoding': 'gzip' })
      .send(await script()),
  );
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** 5 MB of one file, which the package gives away as a route of Fastify only. */
async function zippedScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const scratch = Fastify();
  await scratch.register(scalar, { routePrefix: '/docs', configuration: { url: CONFIGURATION.url } });
  const { rawPayload } = await scratch.inject('/docs/js/scalar.js');
  return promisify(gzip)(rawPayload);
}

/** A problem's `type` leads to its code here. */
function docsPage(): string {
  const errors = Object.entries(ERRORS).map(
    ([code, { status, title }]) => `<dt id="${code}"><code>${code}</code></dt><dd>${status}: ${text(title)}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creator HQ API</title>
<style>${STYLE}</style>
</head>
<body>
<details><summary>Errors by their code</summary><dl>${errors.join('\n')}</dl></details>
<script id="api-reference" data-configuration="${text(JSON.stringify(CONFIGURATION))}"></script>
<script src="/api/docs/scalar.js"></script>
</body>
</html>
`;
}

function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: light-dark(#2b2622, #efe9e1); background: light-dark(#fff, #0f0f0f); }
summary { padding: 0.7rem 1rem; cursor: pointer; }
dl { margin: 0 1rem 1rem; } dt { font-weight: 650; margin-top: 0.6rem; } dt:target { color: light-dark(#1f5c3f, #7fc8a0); } dd { margin: 0; }
`;
