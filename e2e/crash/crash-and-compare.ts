/** Kills the program at random moments under load, and compares what was acknowledged with what followers got. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashWorld, Life } from './crash-world.ts';
import { createCrashWorld } from './crash-world.ts';
import { Followers, type Posted } from './followers.ts';
import { SeededRandom } from './random.ts';

/** The process that is killed, and how often beside the others. `start` is the program, and then the program again while it starts. */
export const VICTIMS = [
  'program',
  'program',
  'program',
  'program and database',
  'program and database',
  'database',
  'start',
] as const;
export type Victim = (typeof VICTIMS)[number];

/** Far more than anything left over needs; what is still open then is reported. */
const QUIET_WITHIN_MS = 120_000;

export type CrashReport = {
  seed: number;
  kills: Record<Victim, number>;
  comments: number;
  acked: number;
  ackedMatching: number;
  /** Acknowledged matching comments without a private reply. */
  lost: number;
  /** Comments with more than one private reply, or more than one public reply. */
  doubled: number;
  /** Everything that is not as it must be, in words. */
  faults: string[];
  /** Between two acknowledgements. */
  longestGapMs: number;
  /** From an acknowledgement to the message, crashes in between included. */
  longestToMessageMs: number;
};

/**
 * @param options.seed decides who comments what and what is killed when; the machine's timing adds its own chance
 * @param options.victims what may be killed; default everything
 * @param options.log told of every kill
 */
export async function crashAndCompare(options: {
  kills: number;
  seed: number;
  victims?: readonly Victim[];
  log?: (line: string) => void;
}): Promise<CrashReport> {
  const { seed, kills, victims = VICTIMS, log = () => {} } = options;
  const random = new SeededRandom(seed);
  await using cleanUp = new AsyncDisposableStack();
  const world = await createCrashWorld();
  cleanUp.defer(() => world.close());
  const killed: Record<Victim, number> = { program: 0, 'program and database': 0, database: 0, start: 0 };
  const faults: string[] = [];
  let life = world.startProgram();
  await life.ready;
  const followers = new Followers(world, new SeededRandom(random.between(0, 2 ** 31)));
  cleanUp.defer(() => followers.giveUp());
  for (let number = 1; number <= kills; number++) {
    await nextAck(followers, life);
    await pause(random.between(20, 1500));
    const victim = random.pick(victims);
    killed[victim]++;
    life = await kill(victim, { world, life, random, faults });
    log(`kill ${number} of ${kills}: ${victim}`);
  }
  await nextAck(followers, life);
  await followers.stop();
  log('Waiting until everything is worked off…');
  faults.push(...(await untilQuiet(world)));
  const compared = await compare(world, followers.comments);
  await life.stop();
  faults.push(...compared.faults, ...complaints(world.lives));
  return { seed, kills: killed, longestGapMs: followers.longestGapMs, ...compared, faults };
}

/** @throws when the program ends of itself instead of acknowledging anything */
async function nextAck(followers: Followers, life: Life): Promise<void> {
  const broke = life.ended.then(() => {
    throw new Error(`The program ended of itself: ${life.errors().slice(-4000)}`);
  });
  await Promise.race([followers.nextAck(), broke]);
}

/** Returns the life after it. */
async function kill(
  victim: Victim,
  { world, life, random, faults }: { world: CrashWorld; life: Life; random: SeededRandom; faults: string[] },
): Promise<Life> {
  if (victim === 'database') {
    life.hadDatabaseKilled = true;
    await world.killDatabase();
    return life;
  }
  const database = await world.databasePid();
  await life.kill();
  if (victim === 'program and database') await world.killDatabase();
  if (victim === 'start') {
    const short = world.startProgram();
    await pause(random.between(50, 1200));
    await short.kill();
  }
  const next = world.startProgram();
  await next.ready;
  // After its own death a server may still be on its way up, or down, when the program dies as well.
  const isAdopted = victim !== 'program and database' && !life.hadDatabaseKilled;
  if (isAdopted && (await world.databasePid()) !== database) {
    faults.push('the database was restarted although it was still running');
  }
  return next;
}

/** Nothing waits in the event log and no delivery is open any more. */
async function untilQuiet(world: CrashWorld): Promise<string[]> {
  const client = await world.connectToDatabase();
  try {
    for (const giveUpAt = Date.now() + QUIET_WITHIN_MS; ; await pause(100)) {
      const { rows } = await client.query<{ events: number; deliveries: number }>(
        `select (select count(*)::int from event_log_waiting) as events,
                (select count(*)::int from deliveries where state in ('queued', 'sending')) as deliveries`,
      );
      const { events, deliveries } = rows[0]!;
      if (events === 0 && deliveries === 0) return [];
      if (Date.now() > giveUpAt) return [`${events} events and ${deliveries} deliveries were never worked off`];
    }
  } finally {
    await client.end();
  }
}

type Row = { outcome: string; rows: number; privateSent: number; publicSent: number };

async function compare(world: CrashWorld, comments: Posted[]) {
  const ledger = new Map(
    (await world.control.deliveries(comments.map((c) => c.commentId))).map((d) => [d.commentId, d]),
  );
  const { rows, parked } = await readRows(world);
  const faults: string[] = [];
  let lost = 0;
  let doubled = 0;
  let longestToMessageMs = 0;
  for (const { commentId, matches, ackedAt } of comments) {
    const { privateReplies, publicReplies, firstPrivateReplyAt } = ledger.get(commentId)!;
    const row = rows.get(commentId);
    const say = (fault: string) =>
      faults.push(`comment ${commentId} (${describe({ matches, ackedAt, row })}): ${fault}`);
    if (privateReplies > 1 || publicReplies > 1) {
      doubled++;
      say(`${privateReplies} private and ${publicReplies} public replies`);
    }
    if (matches && ackedAt !== null && privateReplies === 0) {
      lost++;
      say('acknowledged, but no private reply');
    }
    if (!matches && privateReplies + publicReplies > 0) say('answered although it does not match');
    if (ackedAt !== null && row === undefined) say('acknowledged, but no outcome');
    if (row === undefined) {
      if (privateReplies + publicReplies > 0) say('answered, but no outcome');
      continue;
    }
    if (row.rows !== 1) say(`${row.rows} outcomes`);
    if (row.outcome !== (matches ? 'replied' : 'skipped')) say(`the outcome is ${row.outcome}`);
    if (row.privateSent !== privateReplies) say(`${row.privateSent} private replies noted, ${privateReplies} sent`);
    if (row.publicSent !== publicReplies) say(`${row.publicSent} public replies noted, ${publicReplies} sent`);
    if (matches && publicReplies === 0) say('no public reply');
    if (ackedAt !== null && firstPrivateReplyAt !== null) {
      longestToMessageMs = Math.max(longestToMessageMs, firstPrivateReplyAt - ackedAt);
    }
  }
  if (parked > 0) faults.push(`${parked} events were parked`);
  const acked = comments.filter((comment) => comment.ackedAt !== null);
  return {
    comments: comments.length,
    acked: acked.length,
    ackedMatching: acked.filter((comment) => comment.matches).length,
    lost,
    doubled,
    longestToMessageMs,
    faults,
  };
}

async function readRows(world: CrashWorld): Promise<{ rows: Map<string, Row>; parked: number }> {
  const client = await world.connectToDatabase();
  try {
    const { rows } = await client.query<Row & { commentId: string }>(
      `select i.platform_id as "commentId", min(i.outcome) as outcome, count(distinct i.id)::int as rows,
              (count(*) filter (where d.kind = 'private_reply' and d.state = 'sent'))::int as "privateSent",
              (count(*) filter (where d.kind = 'public_reply' and d.state = 'sent'))::int as "publicSent"
       from interactions i left join deliveries d on d.creator_id = i.creator_id and d.interaction_id = i.id
       group by i.platform_id`,
    );
    const parked = await client.query<{ count: number }>('select count(*)::int as count from parked_events');
    return { rows: new Map(rows.map((row) => [row.commentId, row])), parked: parked.rows[0]!.count };
  } finally {
    await client.end();
  }
}

function describe({
  matches,
  ackedAt,
  row,
}: {
  matches: boolean;
  ackedAt: number | null;
  row: Row | undefined;
}): string {
  return [
    matches ? 'matching' : 'other',
    ackedAt === null ? 'not acknowledged' : 'acknowledged',
    row?.outcome ?? 'no row',
  ].join(', ');
}

/** A start over what a crash left is no error: only a program whose database died under it may print one. */
function complaints(lives: Life[]): string[] {
  const counts = new Map<string, number>();
  for (const life of lives.filter(({ hadDatabaseKilled }) => !hadDatabaseKilled)) {
    for (const line of life.errors().split('\n')) {
      const complaint = readComplaint(line);
      if (complaint !== null) counts.set(complaint, (counts.get(complaint) ?? 0) + 1);
    }
  }
  return [...counts].map(([complaint, count]) => `the program complained ${count} times: ${complaint}`);
}

/** Null for warnings and less. */
function readComplaint(line: string): string | null {
  if (line === '') return null;
  try {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { stack: string } };
    return level < 50 ? null : `${msg} ${err?.stack ?? ''}`;
  } catch {
    return line;
  }
}
