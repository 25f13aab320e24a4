/** The API as a page for people: no script, nothing from elsewhere, readable on a phone. */
import type { FastifyInstance } from 'fastify';
import { API_BASE } from '#contract/endpoint.ts';
import { ERRORS } from '#contract/errors.ts';
import { type ApiDescription, describeApi, type JsonSchema, type Operation } from '#server/http/openapi.ts';

/** Registers `/api/v1/openapi.json` and `/api/docs`. */
export function registerApiDocs(app: FastifyInstance): void {
  // Made when somebody asks: it takes a moment, and most processes are never asked.
  const description = once(describeApi);
  const json = once(() => JSON.stringify(description()));
  const page = once(() => docsPage(description()));
  app.get(`${API_BASE}/openapi.json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(json()),
  );
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'public, max-age=60').send(page()),
  );
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function docsPage(api: ApiDescription): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const features = api.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const base = api.servers[0]!.url;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(api.info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${text(api.info.title)} API</h1>
<p>${prose(api.info.description)}</p>
<p>All paths stand below <code>${text(base)}</code>. For programs: <a href="${text(base)}/openapi.json">openapi.json</a> (OpenAPI ${text(api.openapi)}).</p>
<nav aria-label="Features"><ul>
${features.map(({ name, operations: own }) => `<li><a href="#${text(name)}">${text(name)} <small>${own.length}</small></a></li>`).join('\n')}
<li><a href="#events">webhooks <small>${Object.keys(api.webhooks).length}</small></a></li>
<li><a href="#errors">errors <small>${Object.keys(ERRORS).length}</small></a></li>
</ul></nav>
</header>
<main>
${features.map(({ name, operations: own }) => `<section id="${text(name)}"><h2>${text(name)}</h2>\n${own.map((entry) => operationBlock(base, entry)).join('\n')}</section>`).join('\n')}
${webhooksSection(api)}
${errorsSection()}
</main>
</body>
</html>
`;
}

/** What we send, rather than what is called. */
function webhooksSection(api: ApiDescription): string {
  const blocks = Object.entries(api.webhooks).map(
    ([type, { post }]) => `<details id="event-${text(type)}">
<summary><span class="method">POST</span> <code>${text(type)}</code> <span class="says">${prose(post.summary)}</span></summary>
<p>${prose(post.description)}</p>
<h3>Body</h3>${schemaBlock(post.requestBody.content['application/json'].schema)}
</details>`,
  );
  return `<section id="events"><h2>Webhooks</h2><p>Add an address in Settings &gt; Other tools; it hears of what happens.</p>\n${blocks.join('\n')}</section>`;
}

/** A problem's `type` leads here. */
function errorsSection(): string {
  const entries = Object.entries(ERRORS).map(
    ([code, { status, title }]) =>
      `<dt id="${text(code)}"><code>${text(code)}</code></dt><dd>${status}: ${text(title)}</dd>`,
  );
  return `<section id="errors"><h2>Errors</h2><dl>${entries.join('\n')}</dl></section>`;
}

function operationBlock(
  base: string,
  { method, path, operation }: { method: string; path: string; operation: Operation },
) {
  return `<details id="${text(operation.operationId)}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code> <span class="says">${prose(operation.summary)}</span></summary>
<p>${prose(operation.description)} <code class="full">${method} ${text(base + path)}</code></p>
${(operation.parameters ?? []).length > 0 ? `<h3>Parameters</h3><ul>${operation.parameters!.map((parameter) => `<li><code>${text(parameter.name)}</code> in the ${parameter.in}${parameter.required ? '' : ', optional'}: ${prose(parameter.description ?? inWords(parameter.schema))}</li>`).join('')}</ul>` : ''}
${operation.requestBody ? `<h3>Body</h3>${schemaBlock(Object.values(operation.requestBody.content)[0]!.schema)}` : ''}
${(operation['x-codeSamples'] ?? []).map(({ source }) => `<h3>Example</h3><pre>${text(source)}</pre>`).join('')}
${Object.entries(operation.responses)
  .map(([status, response]) => responseBlock(status, response))
  .join('\n')}
</details>`;
}

function responseBlock(status: string, response: Operation['responses'][string]): string {
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (content === undefined || type === 'application/problem+json') {
    return `<p><strong>${text(status)}</strong> ${prose(response.description)}</p>`;
  }
  return `<h3>${text(status)} <small>${text(type ?? '')}</small></h3>${schemaBlock(content.schema)}`;
}

function schemaBlock(schema: JsonSchema): string {
  return `<pre>${text(outline(schema))}</pre>`;
}

/** A schema the way a person would write it down. */
export function outline(schema: JsonSchema, indent = ''): string {
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (alternatives !== undefined) return alternatives.map((one) => outline(one, indent)).join(' | ');
  if (schema.type === 'array') return `[${outline((schema.items ?? {}) as JsonSchema, indent)}]`;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (schema.type === 'object' && properties.length > 0) {
    const required = new Set((schema.required ?? []) as string[]);
    const inner = `${indent}  `;
    const lines = properties.map(
      ([name, property]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${outline(property, inner)}`,
    );
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  if (schema.type === 'object') {
    const values = (schema.additionalProperties ?? {}) as JsonSchema;
    return `{ [name]: ${outline(values, indent)} }`;
  }
  return inWords(schema);
}

function inWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const limits = [
    ['at least', schema.minimum, ''],
    ['at most', schema.maximum, ''],
    ['at least', schema.minLength, ' characters'],
    ['at most', schema.maxLength, ' characters'],
    ['at most', schema.maxItems, ' entries'],
  ] as const;
  const kind = String(schema.format ?? schema.type ?? 'any');
  return [
    kind,
    ...limits.filter(([, value]) => value !== undefined).map(([words, value, unit]) => `${words} ${value}${unit}`),
  ].join(', ');
}

function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Our own prose marks code by backticks. */
function prose(value: string): string {
  return text(value).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function breakable(path: string): string {
  return text(path).replaceAll('/', '/<wbr>');
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#e4dcd2, #3a342f); --soft: light-dark(#f4efe8, #26221e); --accent: light-dark(#1f5c3f, #7fc8a0); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; color: light-dark(#2b2622, #efe9e1); background: light-dark(#fffdfa, #1d1a17); }
h1 { font-size: 1.6rem; margin: 1rem 0 0.5rem; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; text-transform: capitalize; } h3 { font-size: 0.95rem; margin: 1rem 0 0.25rem; }
a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.5rem 0.8rem; min-height: 44px; border: 1px solid var(--line); border-radius: 0.6rem; text-decoration: none; }
details { border: 1px solid var(--line); border-radius: 0.6rem; margin: 0.5rem 0; padding: 0 0.8rem; }
summary { padding: 0.7rem 0; cursor: pointer; overflow-wrap: anywhere; }
details:target { border-color: var(--accent); }
.says { display: block; opacity: 0.85; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 650; color: var(--accent); }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
.full { display: block; margin-top: 0.25rem; }
pre { background: var(--soft); border-radius: 0.5rem; padding: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
dt { font-weight: 650; margin-top: 0.6rem; } dt:target { color: var(--accent); } dd { margin: 0; }
small { opacity: 0.75; font-weight: 400; }
`;
