import { useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  /** The first of these that loads is shown. */
  sources: (string | null | undefined)[];
  /** Its first letter stands in when no picture loads. */
  name: string;
  size?: 'small' | 'normal' | 'large';
};

const SIZE = { small: 'size-8 text-sm', normal: 'size-10 text-base', large: 'size-16 text-2xl' };

/** Decoration beside a name, hence without a text of its own. */
export function Avatar({ sources, name, size = 'normal' }: Props) {
  const [broken, setBroken] = useState<string[]>([]);
  const source = sources.find((candidate) => candidate && !broken.includes(candidate));
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-grid shrink-0 select-none place-items-center overflow-hidden rounded-full bg-accent-soft font-semibold text-accent-ink',
        SIZE[size],
      )}
    >
      {source ? (
        <img
          src={source}
          alt=""
          referrerPolicy="no-referrer"
          className="size-full object-cover"
          onError={() => setBroken([...broken, source])}
        />
      ) : (
        firstLetter(name)
      )}
    </span>
  );
}

/** First letter as a reader sees it: an emoji or a letter with its marks stays whole. */
function firstLetter(name: string): string {
  const bare = name.trim().replace(/^@/, '');
  const first = new Intl.Segmenter('en').segment(bare)[Symbol.iterator]().next().value;
  return first?.segment.toLocaleUpperCase('en') ?? '?';
}
