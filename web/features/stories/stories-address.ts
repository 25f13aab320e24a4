/** The panel open over the stories page, in its address. */
export type StoriesView = {
  kind: 'story' | 'live';
  /** The story or live whose panel is open; null: none, or an automation's own panel. */
  id: string | null;
  /** The automation in the editor: its id, or `new`. */
  editing: string | null;
  tab: 'automation' | 'replies';
};

/** Anything unknown in the address counts as not there: links grow old. */
export function readStoriesView(params: URLSearchParams): StoriesView {
  const live = params.get('live') || null;
  return {
    kind: live !== null || params.get('for') === 'lives' ? 'live' : 'story',
    id: live ?? (params.get('story') || null),
    editing: params.get('edit') || null,
    tab: params.get('tab') === 'replies' ? 'replies' : 'automation',
  };
}

export function writeStoriesView({ kind, id, editing, tab }: StoriesView): URLSearchParams {
  const params = new URLSearchParams();
  if (id !== null) params.set(kind, id);
  if (editing !== null) params.set('edit', editing);
  if (id === null && editing !== null && kind === 'live') params.set('for', 'lives');
  if (id !== null && tab !== 'automation') params.set('tab', tab);
  return params;
}
