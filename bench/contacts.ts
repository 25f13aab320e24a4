/**
 * `node bench/contacts.ts`: how long every list, search and figure takes at the server with 200,000 contacts, 2,000,000
 * interactions, 3,000 posts, 20,000 app links with 5,000,000 clicks and 200 meal plans of one creator. Not part of the tests.
 *
 *   --people 200000  --interactions 2000000  --posts 3000  --link-clicks 5000000  --calls 40 (of each list)
 *   --only REGEX   lists with such a name
 *   --plans FILE   PostgreSQL's log, with the plan of every statement that took longer than 20 ms
 *   --keep FOLDER  everything stays there for the next run of the same size, which is then quicker by its longest part
 */
import { parseArgs } from 'node:util';
import { measureLists } from './lists.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    interactions: { type: 'string', default: '2000000' },
    posts: { type: 'string', default: '3000' },
    'link-clicks': { type: 'string', default: '5000000' },
    calls: { type: 'string', default: '40' },
    only: { type: 'string' },
    plans: { type: 'string' },
    keep: { type: 'string' },
  },
});
const size = {
  ...{ people: Number(values.people), interactions: Number(values.interactions), posts: Number(values.posts) },
  linkClicks: Number(values['link-clicks']),
};
const { plans, keep, only } = values;
await measureLists(size, { calls: Number(values.calls), plans, keep, only });
