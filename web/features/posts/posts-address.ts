import type { OutcomeFilter } from '#contract/outcomes.ts';

/** The state of the posts page in its address. */
export type PostsView = {
  search: string;
  automation: 'on' | 'off' | 'none' | 'asks' | null;
  kind: 'reel' | 'post' | null;
  sort: 'newest' | 'comments';
  /** The post whose panel is open. */
  post: string | null;
  /** The automation in the editor: its id, or `new`. */
  editing: string | null;
  tab: PanelTab;
  /** Which comments its last tab shows. */
  outcome: OutcomeFilter | null;
};

const OUTCOMES: readonly OutcomeFilter[] = [
  ...(['replied', 'waiting', 'no_keyword', 'not_sent'] as const),
  ...(['missed', 'failed', 'expired'] as const),
];

export const PANEL_TABS = ['automation', 'test', 'comments', 'figures'] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

/** Anything unknown in the address counts as not there: links grow old. */
export function readPostsView(params: URLSearchParams): PostsView {
  return {
    search: params.get('search') ?? '',
    automation: oneOf(['on', 'off', 'none', 'asks'], params.get('automation')),
    kind: oneOf(['reel', 'post'], params.get('kind')),
    sort: oneOf(['newest', 'comments'], params.get('sort')) ?? 'newest',
    post: params.get('post') || null,
    editing: params.get('edit') || null,
    tab: oneOf(PANEL_TABS, params.get('tab')) ?? 'automation',
    outcome: oneOf(OUTCOMES, params.get('outcome')),
  };
}

export function writePostsView(view: PostsView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.search !== '') params.set('search', view.search);
  if (view.automation !== null) params.set('automation', view.automation);
  if (view.kind !== null) params.set('kind', view.kind);
  if (view.sort !== 'newest') params.set('sort', view.sort);
  if (view.post !== null) params.set('post', view.post);
  if (view.editing !== null) params.set('edit', view.editing);
  if (view.tab !== 'automation' && (view.post !== null || view.editing !== null)) params.set('tab', view.tab);
  if (view.outcome !== null && view.tab === 'comments') params.set('outcome', view.outcome);
  return params;
}

function oneOf<T extends string>(allowed: readonly T[], value: string | null): T | null {
  return allowed.find((one) => one === value) ?? null;
}
