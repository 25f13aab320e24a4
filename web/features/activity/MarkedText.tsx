import type { Piece } from '#web/features/activity/marked-text.ts';

/** A follower's text with its matches marked. In its own script's direction. */
export function MarkedText({ pieces }: { pieces: readonly Piece[] }) {
  let at = 0;
  return (
    <bdi className="break-words">
      {pieces.map((piece) => {
        const key = at;
        at += piece.text.length;
        return piece.marked ? (
          <mark
            key={key}
            className="rounded-sm bg-accent-soft font-medium text-accent-ink underline decoration-2 decoration-accent-line underline-offset-2"
          >
            {piece.text}
          </mark>
        ) : (
          <span key={key}>{piece.text}</span>
        );
      })}
    </bdi>
  );
}
