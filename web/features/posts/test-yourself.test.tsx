import { expect, it } from 'vitest';
import { listConnections } from '#contract/connections.ts';
import type { Post } from '#contract/posts.ts';
import { getEnv } from '#contract/session.ts';
import { TestYourself } from '#web/features/posts/TestYourself.tsx';
import { queryKey } from '#web/shell/queries.ts';
import { type Answered, draw } from '#web/shell/testing/draw.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

const creatorId = EXAMPLE_ME.creatorAccount!._id;
const POST = {
  ...{ id: '17900000000000001', connectionId: 'two', automation: 'on', automationWords: ['CURRY'] },
  permalink: 'https://www.instagram.com/p/abc/',
} as unknown as Post;
const CONNECTIONS: Answered = [
  queryKey(listConnections, { params: { creatorId } }),
  {
    items: [
      { id: 'one', username: 'other' },
      { id: 'two', username: 'ada.cooks' },
    ],
  },
];

const panel = (phoneUrl: string | null, ...more: Answered[]) =>
  draw(<TestYourself post={POST} onEdit={() => {}} />, [[queryKey(getEnv), { phoneUrl }], ...more]);

it('the phone opens at the account and the post that are tested', () => {
  const html = panel('http://localhost:3001/phone/', CONNECTIONS);
  expect(html).toContain('href="http://localhost:3001/phone/?account=ada.cooks&amp;post=17900000000000001"');
  expect(html).not.toContain('Open post on Instagram');
});

it('there is no phone while it is not known whose, and none beside the real Instagram', () => {
  expect(panel('http://localhost:3001/phone/')).not.toContain('Open phone');
  const real = panel(null, CONNECTIONS);
  expect(real).not.toContain('Open phone');
  expect(real).toContain('href="https://www.instagram.com/p/abc/"');
});
