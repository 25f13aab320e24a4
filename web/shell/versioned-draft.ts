/**
 * The state behind an editor of one thing: its undo, what was last saved, and what someone else saved meanwhile. Unsaved work lies in
 * the tab's drafts with the version it began from; it is never dropped without asking.
 */
import { useEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { beginHistory, reduceHistory } from '#web/shell/history.ts';

export type Versioned<T> = { version: number; content: T };

type Options<T> = {
  draftKey: string;
  /** As the server has it now; another object only where it is another answer. */
  saved: Versioned<T>;
  /** Resolves with what was saved. Null: it cannot be saved by itself. */
  send: ((draft: Versioned<T>) => Promise<Versioned<T>>) | null;
  refetch: () => unknown;
};

export function useVersionedDraft<T>({ draftKey, saved, send, refetch }: Options<T>) {
  const [kept] = useState(() => readKept<T>(draftKey));
  const [base, setBase] = useState(() => ({ ...saved, ...(kept !== null && { version: kept.version }) }));
  const [history, step] = useReducer(reduceHistory<T>, kept?.content ?? base.content, beginHistory<T>);
  const [restored, setRestored] = useState(kept !== null && send !== null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [saving, setSaving] = useState(false);
  const { now: content } = history;
  const dirty = !same(content, base.content);
  const isNewer = saved.version > base.version;
  const isChangedMeanwhile = isNewer && dirty && !same(content, saved.content);

  const begin = (from: Versioned<T>) => {
    setBase(from);
    step({ do: 'begin', now: from.content });
  };
  // Nothing of ours is lost: what someone else saved is simply what it is now.
  const newer = isNewer && !isChangedMeanwhile ? saved.version : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (newer !== null) begin(saved);
  }, [newer]);

  useEffect(() => {
    if (dirty) keepDraft(draftKey, { version: base.version, content } satisfies Versioned<T>);
    else dropDraft(draftKey);
  }, [draftKey, dirty, base, content]);

  /** @returns what is saved; null where it could not be, as the editor says */
  async function save(): Promise<Versioned<T> | null> {
    if (send === null || saving) return null;
    setProblem(null);
    setSaving(true);
    try {
      const now = await send({ version: base.version, content });
      // The server trims; shown, unless it was typed on meanwhile.
      flushSync(() => {
        setBase(now);
        setRestored(false);
        step({ do: 'edit', change: (typed) => (typed === content ? now.content : typed), atMs: Date.now() });
      });
      return now;
    } catch (error) {
      const failure = error as ApiError;
      if (failure.code === 'changed_meanwhile') await refetch();
      else setProblem(failure);
      return null;
    } finally {
      setSaving(false);
    }
  }

  return {
    content,
    version: base.version,
    dirty,
    restored: restored && dirty,
    /** Someone else's version, while the creator has not chosen. */
    theirs: isChangedMeanwhile ? saved.content : null,
    problem,
    saving,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => step({ do: 'undo' }),
    redo: () => step({ do: 'redo' }),
    /** @param what edits of the same thing in quick succession are undone together */
    edit: (change: (content: T) => T, what?: string) =>
      step({ do: 'edit', change, atMs: Date.now(), ...(what !== undefined && { what }) }),
    save,
    /** Ours replaces theirs with the next save. */
    keepMine: () => setBase(saved),
    /** Forgets what is not saved. */
    startOver: () => {
      setProblem(null);
      begin(saved);
    },
  };
}

export type VersionedDraft<T> = ReturnType<typeof useVersionedDraft<T>>;

function same<T>(a: T, b: T): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Nothing of an older version of the app. */
function readKept<T>(draftKey: string): Versioned<T> | null {
  const { content, version } = readDraft<Versioned<T>>(draftKey) ?? {};
  return content === undefined || version === undefined ? null : { content: content as T, version };
}
