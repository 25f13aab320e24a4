/** Kills one process of a cluster after the other under load, and compares what was acknowledged with what arrived. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { addCreators } from './creators.ts';
import { type SentComment, SteadyLoad } from './load.ts';

const CREATORS = 48;
/** Far more than anything left over needs; what is still open then is reported. */
const QUIET_WITHIN_MS = 120_000;

export type Failover = {
  victim: string;
  /** In ms since 1970. */
  killedAt: number;
  /** The longest time without an acknowledgement after the kill, in ms. */
  longestGapMs: number;
  /** The longest from an acknowledgement to the message, of messages that went out after this kill and before the next. */
  longestToMessageMs: number;
};

export type FailoverReport = {
  failovers: Failover[];
  comments: number;
  acked: number;
  /** Acknowledged per second, over the whole load. */
  ackedPerSecond: number;
  /** Acknowledged matching comments without a private reply. */
  lost: number;
  doubled: number;
  /** From the last acknowledgement until nothing was open any more. */
  workedOffAfterMs: number;
  /** Everything that is not as it must be, in words. */
  faults: string[];
};

/**
 * @param options.victims names of members, killed in this order, each started again before the next one
 * @param options.betweenMs from one start to the next kill
 */
export async function failOver(options: {
  dataDir: string;
  perSecond: number;
  victims: string[];
  betweenMs: number;
  awayMs: number;
  cluster?: Partial<ClusterOptions>;
  log?: (line: string) => void;
}): Promise<FailoverReport> {
  const { log = () => {} } = options;
  const cluster = await startCluster({
    dataDir: options.dataDir,
    simulatorArgs: ['--ledger', 'compact', '--lift-limits', '--accept-unknown-comments'],
    ...options.cluster,
    settings: {
      LOG_LEVEL: 'warn',
      PRIVATE_REPLIES_PER_HOUR: '100000000',
      PUBLIC_REPLIES_PER_HOUR: '100000000',
      MESSAGES_PER_SECOND: '100000',
      ...options.cluster?.settings,
    },
  });
  try {
    const load = new SteadyLoad(cluster, await addCreators(cluster, CREATORS), options.perSecond);
    const startedAt = Date.now();
    const failovers: Failover[] = [];
    try {
      for (const victim of options.victims) {
        await pause(options.betweenMs);
        const killedAt = Date.now();
        await cluster.member(victim).kill();
        await pause(options.awayMs);
        await cluster.member(victim).start();
        const longestGapMs = load.longestGapMs(killedAt, Date.now());
        failovers.push({ victim, killedAt, longestGapMs, longestToMessageMs: 0 });
        log(`${victim} killed: at most ${longestGapMs} ms without an acknowledgement, ${load.acks.length} until now`);
      }
      await pause(options.betweenMs);
    } finally {
      await load.stop(30_000);
    }
    const endedAt = Date.now();
    log('Waiting until everything is worked off…');
    const faults = await untilQuiet(cluster, load.comments);
    const workedOffAfterMs = Date.now() - endedAt;
    const compared = await compare(cluster, load.comments, failovers);
    const acked = load.acks.length;
    return {
      failovers,
      comments: load.comments.length,
      acked,
      ackedPerSecond: acked / ((endedAt - startedAt) / 1000),
      workedOffAfterMs,
      ...compared,
      faults: [...faults, ...compared.faults],
    };
  } finally {
    await cluster.close();
  }
}

/** Every acknowledged comment has its row, and no delivery is open any more. */
async function untilQuiet(cluster: Cluster, comments: SentComment[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  try {
    const acked = comments.filter(({ ackedAt }) => ackedAt !== null).length;
    for (const giveUpAt = Date.now() + QUIET_WITHIN_MS; ; await pause(200)) {
      const { rows } = await client.query<{ decided: number; open: number; logged: number }>(
        `select (select count(*)::int from interactions) as decided, (select count(*)::int from event_log_waiting) as logged,
                (select count(*)::int from deliveries where state in ('queued', 'sending')) as open`,
      );
      const { decided, open, logged } = rows[0]!;
      if (decided >= acked && open === 0 && logged === 0) return [];
      if (Date.now() > giveUpAt)
        return [`${acked - decided} comments were never decided, ${open} deliveries and ${logged} events are open`];
    }
  } finally {
    await client.end();
  }
}

/** Notes in `failovers` how long messages took. */
async function compare(cluster: Cluster, comments: SentComment[], failovers: Failover[]) {
  const faults: string[] = [];
  let [lost, doubled] = [0, 0];
  const rows = await outcomes(cluster);
  for (let from = 0; from < comments.length; from += 1000) {
    const some = comments.slice(from, from + 1000);
    const delivered = await cluster.control.deliveries(some.map(({ id }) => id));
    for (const [index, { id, matches, ackedAt }] of some.entries()) {
      const { privateReplies, firstPrivateReplyAt } = delivered[index]!;
      const row = rows.get(id);
      if (privateReplies > 1) {
        doubled++;
        faults.push(`comment ${id}: ${privateReplies} private replies`);
      }
      if (matches && ackedAt !== null && privateReplies === 0) {
        lost++;
        faults.push(`comment ${id}: acknowledged, no private reply, outcome ${row?.outcome ?? 'none'}`);
      }
      if (!matches && privateReplies > 0) faults.push(`comment ${id}: answered although it does not match`);
      if (ackedAt !== null && row === undefined) faults.push(`comment ${id}: acknowledged, but no outcome`);
      if (row !== undefined && row.count !== 1) faults.push(`comment ${id}: ${row.count} outcomes`);
      if (row !== undefined && row.outcome !== (matches ? 'replied' : 'skipped')) {
        faults.push(`comment ${id}: the outcome is ${row.outcome}`);
      }
      if (ackedAt === null || firstPrivateReplyAt === null) continue;
      const last = failovers.findLast(({ killedAt }) => killedAt <= firstPrivateReplyAt);
      if (last !== undefined)
        last.longestToMessageMs = Math.max(last.longestToMessageMs, firstPrivateReplyAt - ackedAt);
    }
  }
  return { lost, doubled, faults };
}

async function outcomes(cluster: Cluster): Promise<Map<string, { outcome: string; count: number }>> {
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; outcome: string; count: number }>(
      'select platform_id as id, min(outcome) as outcome, count(*)::int as count from interactions group by platform_id',
    );
    return new Map(rows.map(({ id, ...row }) => [id, row]));
  } finally {
    await client.end();
  }
}
