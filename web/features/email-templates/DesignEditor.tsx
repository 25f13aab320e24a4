import { CircleAlert, Eye, Redo2, Send, Undo2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { BLOCK_NAMES } from '#contract/email-template-problems.ts';
import type { EmailDesign, EmailProblem } from '#contract/email-templates.ts';
import { BlockFields, MailFields } from '#web/features/email-templates/BlockFields.tsx';
import { BlockList, MAIL } from '#web/features/email-templates/BlockList.tsx';
import { differencesOf } from '#web/features/email-templates/design-words.ts';
import { TestDialog } from '#web/features/email-templates/EmailDialogs.tsx';
import { EmailPreview, EVERYDAY, useEmailPreview } from '#web/features/email-templates/EmailPreview.tsx';
import type { DesignState } from '#web/features/email-templates/use-design.ts';
import { EDITOR } from '#web/features/email-templates/words.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { LeaveGuard } from '#web/shell/LeaveGuard.tsx';
import { useMedia } from '#web/shell/media.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Differences } from '#web/ui/Differences.tsx';

/** From here on blocks, preview and properties stand side by side. */
const THREE_COLUMNS = '(min-width: 80rem)';

type Opened = 'preview' | 'test';

type Props = {
  editor: DesignState;
  /** What someone else saved while this was changed. */
  theirs: EmailDesign | null;
  /** Above the blocks. */
  notice?: ReactNode;
  /** Names how many problems there are; null: they don't matter now. */
  fix: ((many: number) => string) | null;
  /** More buttons beside the test. */
  actions: ReactNode;
  /** At the bottom: how far it is saved, and the buttons. */
  says: string;
  footer: ReactNode;
};

/** One email: its blocks, what can be set of each, and how it looks; on a phone one after the other. */
export function DesignEditor({ editor: state, theirs, notice, fix, actions, says, footer }: Props) {
  const [filled, setFilled] = useState(EVERYDAY);
  const preview = useEmailPreview(state.type, state.design, filled);
  const editor = withProblems(state, preview.problems);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [announced, announce] = useState('');
  const isWide = useMedia(THREE_COLUMNS);
  const [selected, select] = useSelected();
  const close = () => setOpened(null);
  const block = editor.design.blocks.find(({ id }) => id === selected) ?? null;
  const what = block !== null ? BLOCK_NAMES[block.kind] : EDITOR.settings;
  const properties =
    block !== null ? <BlockFields key={block.id} editor={editor} block={block} /> : <MailFields editor={editor} />;
  const shown = <EmailPreview type={editor.type} preview={preview} filled={filled} onFilled={setFilled} />;
  const undo = () => {
    if (!editor.canUndo) return;
    editor.undo();
    announce(EDITOR.undone);
  };
  const redo = () => {
    if (!editor.canRedo) return;
    editor.redo();
    announce(EDITOR.redone);
  };
  const onKey = (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const act = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  useSaveKey(editor);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields in it
    <div className="flex min-h-full flex-col" onKeyDown={onKey}>
      <p role="status" className="sr-only">
        {announced}
      </p>
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        <FormProblem problem={editor.problem} />
        {editor.restored && (
          <Alert
            variant="infoSecondary"
            action={
              <Button variant="quiet" size="small" onClick={editor.startOver}>
                {EDITOR.startOver}
              </Button>
            }
          >
            {EDITOR.restored}
          </Alert>
        )}
        {theirs !== null && <ChangedMeanwhile editor={editor} theirs={theirs} />}
        {notice}
        {fix !== null && <Problems editor={editor} fix={fix} onSelect={select} />}
      </div>
      <div className="mb-3 flex flex-wrap items-center gap-1">
        <IconButton label={EDITOR.undo} disabled={!editor.canUndo} onClick={undo}>
          <Undo2 aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label={EDITOR.redo} disabled={!editor.canRedo} onClick={redo}>
          <Redo2 aria-hidden="true" className="size-4" />
        </IconButton>
        <span className="grow" />
        <DesignAction label={EDITOR.test} icon={<Send className="size-4" />} onPress={() => setOpened('test')} />
        {actions}
      </div>
      <div className="email-columns">
        <BlockList
          editor={editor}
          selected={isWide && block === null ? MAIL : selected}
          onSelect={select}
          announce={announce}
        />
        {isWide && (
          <>
            <section aria-label={EDITOR.preview} className="sticky top-4 min-w-0">
              {shown}
            </section>
            <Card title={what}>{properties}</Card>
          </>
        )}
      </div>
      <Footer says={says} onPreview={isWide ? null : () => setOpened('preview')}>
        {footer}
      </Footer>
      {!isWide && (
        <Dialog
          open={selected === MAIL || block !== null}
          onOpenChange={() => select(null)}
          title={what}
          footer={
            <>
              <Button variant="secondary" onClick={() => setOpened('preview')}>
                {EDITOR.preview}
              </Button>
              <Button onClick={() => select(null)}>{EDITOR.done}</Button>
            </>
          }
        >
          {properties}
        </Dialog>
      )}
      {!isWide && (
        <Dialog open={opened === 'preview'} onOpenChange={close} title={EDITOR.preview}>
          {shown}
        </Dialog>
      )}
      {opened === 'test' && <TestDialog type={editor.type} design={editor.design} filled={filled} onClose={close} />}
      <LeaveGuard
        dirty={editor.dirty}
        keeping={editor.saving}
        onKeep={async () => (await editor.saveDraft()) !== null}
        onDiscard={editor.startOver}
      />
    </div>
  );
}

/** With what the server found when it made the preview; the same sentence once. */
function withProblems(editor: DesignState, more: readonly EmailProblem[]): DesignState {
  const all = [...editor.problems, ...more];
  return {
    ...editor,
    problems: all.filter((one, at) => all.findIndex(({ message }) => message === one.message) === at),
  };
}

/** In the address: a link leads to a block. */
function useSelected(): [string | null, (id: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const select = (id: string | null) => setParams(id === null ? {} : { block: id }, { replace: true });
  return [params.get('block'), select];
}

/** Wherever the focus is on this screen. */
function useSaveKey(editor: DesignState): void {
  const latest = useRef(editor);
  useEffect(() => {
    latest.current = editor;
  });
  useEffect(() => {
    const save = (event: globalThis.KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (latest.current.dirty && !latest.current.saving) void latest.current.saveDraft();
    };
    document.addEventListener('keydown', save);
    return () => document.removeEventListener('keydown', save);
  }, []);
}

export function DesignAction({ label, icon, onPress }: { label: string; icon: ReactNode; onPress: () => void }) {
  return (
    <Button variant="quiet" className="min-w-0 px-3" onClick={onPress}>
      <span aria-hidden="true">{icon}</span>
      {label}
    </Button>
  );
}

function ChangedMeanwhile({ editor, theirs }: { editor: DesignState; theirs: EmailDesign }) {
  return (
    <Alert variant="warning" announce title={EDITOR.changedMeanwhile}>
      <p>{EDITOR.changedSays}</p>
      <Differences differences={differencesOf(editor.design, theirs)} labels={[EDITOR.yours, EDITOR.theirs]} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={editor.keepMine}>
          {EDITOR.keepMine}
        </Button>
        <Button size="small" variant="secondary" onClick={editor.startOver}>
          {EDITOR.useTheirs}
        </Button>
      </div>
    </Alert>
  );
}

type ProblemsProps = { editor: DesignState; fix: (many: number) => string; onSelect: (id: string) => void };

/** What keeps it from being sent; each leads to its block. */
function Problems({ editor: { problems }, fix, onSelect }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <Alert variant="error" title={fix(problems.length)}>
      <ul className="flex flex-col">
        {problems.map(({ blockId, message }) => (
          <li key={message}>
            <button
              type="button"
              className="flex min-h-11 items-center gap-1.5 text-left underline underline-offset-3 md:min-h-8"
              onClick={() => onSelect(blockId ?? MAIL)}
            >
              <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
              {message}
            </button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

type FooterProps = { says: string; onPreview: (() => void) | null; children: ReactNode };

/** Stays at the bottom. */
function Footer({ says, onPreview, children }: FooterProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-6 flex flex-wrap items-center justify-end gap-2 border-line border-t bg-surface px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6">
      <span role="status" className="mr-auto text-muted text-sm max-md:text-xs">
        {says}
      </span>
      {onPreview && (
        <IconButton label={EDITOR.preview} onClick={onPreview}>
          <Eye aria-hidden="true" className="size-5" />
        </IconButton>
      )}
      {children}
    </div>
  );
}
