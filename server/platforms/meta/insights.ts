/** Figures that Meta keeps of stories (reference 3.6). */
import type * as z from 'zod/mini';
import { nullWhenGone } from './read-calls.ts';
import { map, type ReadResult, type Speaker, type Transport } from './transport.ts';
import * as types from './types.ts';

/** By metric; a metric that Meta left out is missing. -1 is how Meta writes "fewer than five" of a story's figures [D]. */
export type Figures = Partial<Record<string, number>>;

const STORY_METRICS = [
  'views',
  'reach',
  'replies',
  'shares',
  'follows',
  'profile_visits',
  'total_interactions',
  'navigation',
];

const TOO_FEW_VIEWERS = /not enough viewers/i;

export function insightCalls({ version, hostVia, read }: Transport) {
  const insights = (call: Speaker & { mediaId: string }, metrics: string[], breakdown?: string) =>
    nullWhenGone(
      read(types.Insights, {
        host: hostVia(call.via),
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.mediaId)}/insights`,
        query: { metric: metrics.join(','), breakdown },
        token: call.token,
      }),
    );

  return {
    /**
     * A story's figures: `views, reach, replies, shares, follows, profile_visits, total_interactions, navigation`, and
     * `tap_forward`, `tap_back`, `tap_exit`, `swipe_forward` where Meta breaks `navigation` down. Meta drops them 24
     * hours after the story went up [D]: null means that they are gone, or the story is; empty, that too few people saw it
     * so far. Needs the insights scope;
     * without it the verdict is `misconfigured`. Two calls, because a breakdown is refused beside other metrics [R].
     */
    async storyInsights(call: Speaker & { mediaId: string }): Promise<ReadResult<Figures | null>> {
      const all = await map(insights(call, STORY_METRICS), (answer) => answer && figuresOf(answer));
      if (!all.ok && all.error?.code === 10 && TOO_FEW_VIEWERS.test(all.error.message)) {
        return { ok: true, data: {}, usage: all.usage };
      }
      if (!all.ok || all.data === null) return all;
      const taps = await insights(call, ['navigation'], 'story_navigation_action_type');
      // The figures are worth having without their breakdown.
      return taps.ok && taps.data !== null ? { ...all, data: { ...all.data, ...breakdownOf(taps.data) } } : all;
    },
  };
}

type Answer = z.output<typeof types.Insights>;

function figuresOf({ data }: Answer): Figures {
  const figures: Figures = {};
  for (const { name, values, total_value } of data) {
    const value = total_value?.value ?? values?.[0]?.value;
    if (typeof value === 'number') figures[name] = value;
  }
  return figures;
}

function breakdownOf({ data }: Answer): Figures {
  const figures: Figures = {};
  for (const { total_value } of data) {
    for (const { results } of total_value?.breakdowns ?? []) {
      for (const { dimension_values, value } of results ?? [])
        figures[dimension_values.join('_').toLowerCase()] = value;
    }
  }
  return figures;
}
