/** A call of each endpoint that a token may make, as one types it. A test runs them all. */
import { scopeOf } from '#contract/api-tokens.ts';
import { API_BASE, type Endpoint } from '#contract/endpoint.ts';

const AUTOMATION = {
  connectionId: '$CONNECTION_ID',
  name: 'Lemon pasta',
  postId: null,
  words: ['PASTA', 'lemon pasta'],
  mode: 'whole_word',
  excludedWords: [],
  typoTolerance: true,
  priority: 0,
  messageText: 'Hi {{username|there}}, here is the recipe.',
  buttons: [{ title: 'Open the recipe', url: 'https://example.com/lemon-pasta' }],
  publicReplies: ['Sent you a message!'],
  repeatAfterMinutes: 1440,
};

const BODIES: Record<string, object> = {
  createAutomation: AUTOMATION,
  updateAutomation: { ...AUTOMATION, version: 1 },
  switchAutomation: { on: true },
  testComment: { connectionId: '$CONNECTION_ID', postId: null, text: 'pasta please' },
};

const QUERIES: Record<string, string> = {
  getFigures: '?automationId=$AUTOMATION_ID',
  listInteractions: '?outcome=failed&limit=20',
  listContacts: '?filter=with_email',
  listPosts: '?limit=20',
};

/**
 * `curl` with what the reader puts in: `$CREATOR_HQ` is the address of the installation, `$TOKEN` the token, `$CREATOR_ID`
 * and the like are ids. Null where no token may call.
 */
export function exampleOf(name: string, endpoint: Endpoint): string | null {
  if (scopeOf(endpoint) === null) return null;
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, param: string) => variableOf(param));
  const body = BODIES[name];
  if ((body === undefined) !== (endpoint.body === undefined)) throw new Error(`${name} needs an example body.`);
  return [
    `curl -X ${endpoint.method} "$CREATOR_HQ${API_BASE}${path}${QUERIES[name] ?? ''}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d @- <<JSON\n${JSON.stringify(body, null, 2)}\nJSON`]),
  ].join(' \\\n  ');
}

/** `automationId` is typed `$AUTOMATION_ID`. */
function variableOf(param: string): string {
  return `$${param.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
