/**
 * `npm run crash -- --kills 50`: kills the real program (and now and then its database) at random moments while followers
 * comment, starts it again, and compares every acknowledged comment with what really reached its writer.
 *
 *   --kills 50    how many times
 *   --seed 1      decides who comments what and what is killed; printed, to try the same again
 *   --only NAME   always the same: program, database, "program and database", start
 */
import { parseArgs } from 'node:util';
import { crashAndCompare, VICTIMS } from './crash-and-compare.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`Seed ${seed}`);
const report = await crashAndCompare({
  kills: Number(values.kills),
  seed,
  victims: VICTIMS.filter((victim) => values.only === undefined || victim === values.only),
  log: (line) => console.log(`  ${line}`),
});

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const kills = Object.entries(report.kills).filter(([, count]) => count > 0);
console.log(`
${kills.map(([victim, count]) => `${count} × ${victim}`).join(', ')} killed
${report.comments} comments, ${report.acked} acknowledged, ${report.ackedMatching} of these matching
${report.lost} lost, ${report.doubled} doubled, ${report.faults.length} disagreements
longest between two acknowledgements: ${seconds(report.longestGapMs)}
longest from an acknowledgement to the message: ${seconds(report.longestToMessageMs)}`);
for (const fault of report.faults.slice(0, 50)) console.log(`  ${fault}`);
process.exitCode = report.faults.length > 0 ? 1 : 0;
