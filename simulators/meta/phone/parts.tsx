import { type MouseEvent, type ReactNode, useState } from 'react';
import { pictureAddress } from './control.ts';
import { addressOf, go, type Place } from './place.ts';

/** A link inside the phone: a real address, followed without loading the page. */
export function Go(props: { to: Place; children: ReactNode; className?: string; current?: boolean; label?: string }) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(props.to);
  };
  return (
    <a
      href={addressOf(props.to)}
      onClick={follow}
      className={props.className}
      aria-current={props.current ? 'true' : undefined}
      aria-label={props.label}
    >
      {props.children}
    </a>
  );
}

/** Decoration beside a name: nothing to read out. */
export function Portrait({ url, size }: { url: string; size: number }) {
  return <img className="portrait" src={pictureAddress(url)} alt="" width={size} height={size} loading="lazy" />;
}

export function Back({ to, title, children }: { to: Place; title: string; children?: ReactNode }) {
  return (
    <header className="top">
      <Go to={to} className="back" label="Back">
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path
            d="M15 5l-7 7 7 7"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </Go>
      {children ?? <h2>{title}</h2>}
    </header>
  );
}

export function Trouble({ reason, retry }: { reason: string; retry: () => void }) {
  return (
    <div className="centred" role="alert">
      <p>The simulator didn’t respond: {reason}</p>
      <button type="button" className="plain" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** Long captions fold after a few lines, as in a feed. */
export function Caption({ author, text, open = false }: { author: string; text: string; open?: boolean }) {
  const [unfolded, setUnfolded] = useState(open);
  const long = text.length > 120 || text.split('\n').length > 2;
  return (
    <div className="caption" dir="auto">
      <p className={long && !unfolded ? 'folded' : undefined}>
        <strong>{author}</strong> {text}
      </p>
      {long && !open && (
        <button type="button" className="quiet" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? 'less' : 'more'}
        </button>
      )}
    </div>
  );
}

/**
 * One line to write and send. Typed text stays when sending fails.
 * @param send rejects with the reason to show
 */
export function Composer(props: {
  label: string;
  button: string;
  /** Begins with this text, e.g. the name that is answered. */
  start?: string;
  focus?: boolean;
  send: (text: string) => Promise<unknown>;
}) {
  const [text, setText] = useState(props.start ?? '');
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const submit = async () => {
    if (text.trim() === '' || sending) return;
    setSending(true);
    try {
      await props.send(text.trim());
      setText('');
      setProblem(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setSending(false);
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div>
        <input
          aria-label={props.label}
          placeholder={`${props.label}…`}
          value={text}
          dir="auto"
          maxLength={2200}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
          autoFocus={props.focus}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" disabled={text.trim() === '' || sending}>
          {props.button}
        </button>
      </div>
    </form>
  );
}
