/**
 * `node bench/contacts.ts`: how long every list, search and figure takes at the server with 200,000 contacts, 2,000,000
 * interactions and 3,000 posts of one creator. Not part of the tests.
 *
 *   --people 200000  --interactions 2000000  --posts 3000  --calls 40 (of each list)
 *   --only TEXT    lists with this in their name
 *   --plans FILE   PostgreSQL's log, with the plan of every statement that took longer than 20 ms
 */
import { parseArgs } from 'node:util';
import { measureLists } from './lists.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    interactions: { type: 'string', default: '2000000' },
    posts: { type: 'string', default: '3000' },
    calls: { type: 'string', default: '40' },
    only: { type: 'string' },
    plans: { type: 'string' },
  },
});
const size = { people: Number(values.people), interactions: Number(values.interactions), posts: Number(values.posts) };
await measureLists(size, { calls: Number(values.calls), plans: values.plans, only: values.only });
