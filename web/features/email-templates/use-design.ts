/**
 * The state behind the editor of a design: its undo, what was last saved, and what someone else saved meanwhile. Unsaved work
 * lies in the tab's drafts with the versions it began from; it is never dropped without asking.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import type { EmailDesign, EmailProblem, EmailType } from '#contract/email-templates.ts';
import type { Endpoint, RequestOf, ResponseOf } from '#contract/endpoint.ts';
import { problemsOfAnswer, sameDesign } from '#web/features/email-templates/design-words.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { beginHistory, reduceHistory } from '#web/shell/history.ts';
import { setAnswer } from '#web/shell/queries.ts';

/** A design, and the versions on the server that it began from. */
type Saved<Versions> = { design: EmailDesign; versions: Versions };

type Options<Read extends Endpoint, Versions> = {
  type: EmailType;
  draftKey: string;
  /** As the server has it now: newer than what is edited when someone else saved. */
  answer: ResponseOf<Read>;
  /** What the answer came from. */
  read: Read;
  request: RequestOf<Read>;
  refetch: () => unknown;
  savedOf: (answer: ResponseOf<Read>) => Saved<Versions>;
};

export function useDesign<Read extends Endpoint, Versions extends Record<string, number>>(
  options: Options<Read, Versions>,
) {
  const { type, draftKey, read, request, refetch, savedOf } = options;
  const client = useQueryClient();
  const saved = savedOf(options.answer);
  const [kept] = useState(() => readKept<Versions>(draftKey));
  const [base, setBase] = useState(() => ({ ...saved, ...(kept !== null && { versions: kept.versions }) }));
  const [history, step] = useReducer(
    reduceHistory<EmailDesign>,
    kept?.design ?? base.design,
    beginHistory<EmailDesign>,
  );
  const [restored, setRestored] = useState(kept !== null);
  /** The server's no, and the design it was about. */
  const [refusal, setRefusal] = useState<{ error: ApiError; design: EmailDesign } | null>(null);

  const { now: design } = history;
  const dirty = !sameDesign(design, base.design);
  const isNewer = Object.entries(saved.versions).some(([of, version]) => version > base.versions[of]!);
  const isChangedMeanwhile = isNewer && dirty && !sameDesign(design, saved.design);

  // Nothing of ours is lost: what someone else saved is simply what it is now.
  const newer = isNewer && !isChangedMeanwhile ? options.answer : null;
  const begin = (answer: ResponseOf<Read>) => {
    setBase(savedOf(answer));
    step({ do: 'begin', now: savedOf(answer).design });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (newer !== null) begin(newer);
  }, [newer]);

  useEffect(() => {
    if (dirty) keepDraft(draftKey, { versions: base.versions, design } satisfies Saved<Versions>);
    else dropDraft(draftKey);
  }, [draftKey, dirty, base, design]);

  /** Runs a change; a no is kept with the design it is about, and someone else's version is fetched. */
  async function attempt(change: () => Promise<ResponseOf<Read>>): Promise<ResponseOf<Read> | null> {
    setRefusal(null);
    try {
      const answer = await change();
      flushSync(() => {
        setBase(savedOf(answer));
        setRestored(false);
      });
      await setAnswer(client, read, request, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'changed_meanwhile') await refetch();
      else setRefusal({ error, design });
      return null;
    }
  }

  // What keeps it from being sent is said while it is written; what only the server sees, until the next edit.
  const refused: EmailProblem[] =
    refusal !== null && refusal.design === design ? problemsOfAnswer(refusal.error.fields, design) : [];
  const problems = [...checkEmailDesign(type, design), ...refused];

  return {
    type,
    design,
    dirty,
    /** That the next save is to replace. */
    versions: base.versions,
    restored: restored && dirty,
    isChangedMeanwhile,
    problems: problems.filter(({ message }, at) => problems.findIndex((other) => other.message === message) === at),
    /** Of the mail as a whole; null when every objection stands at its block. */
    problem: refusal !== null && refusal.error.fields.length === 0 ? refusal.error : null,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => step({ do: 'undo' }),
    redo: () => step({ do: 'redo' }),
    /** @param what edits of the same thing in quick succession are undone together */
    edit: (change: (design: EmailDesign) => EmailDesign, what?: string) =>
      step({ do: 'edit', change, atMs: Date.now(), ...(what !== undefined && { what }) }),
    attempt,
    /** Edits what the server has. */
    begin,
    /** Ours replaces theirs with the next save. */
    keepMine: () => setBase(saved),
    /** Forgets what is not saved. */
    startOver: () => {
      setRefusal(null);
      begin(options.answer);
    },
  };
}

/** Nothing of an older version of the app. */
function readKept<Versions>(draftKey: string): Saved<Versions> | null {
  const { design, versions } = readDraft<Saved<Versions>>(draftKey) ?? {};
  return design === undefined || versions === undefined ? null : { design, versions };
}

/** What the parts of an editor need to know and do. */
export type DesignState = Omit<ReturnType<typeof useDesign>, 'attempt' | 'begin' | 'versions'> & {
  saving: boolean;
  /** @returns null: it could not be saved, and the editor says why */
  saveDraft: () => Promise<object | null>;
};
