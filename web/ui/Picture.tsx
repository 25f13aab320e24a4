import { ImageOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  src: string | null | undefined;
  /** Its alternative text; empty when the words beside it say it. */
  alt: string;
  /** `post` 4:5, `square`, `story` 9:16. The room is kept from the first moment, so nothing jumps. */
  shape?: 'post' | 'square' | 'story';
  /** The first picture of a screen: fetch it at once. */
  eager?: boolean;
  /** Stands there where there is no picture; otherwise a sign that it is gone. */
  instead?: ReactNode;
  className?: string;
};

const SHAPE = { post: 'aspect-4/5', square: 'aspect-square', story: 'aspect-9/16' };

/** A picture that may be gone by now: then a quiet placeholder of the same shape. */
export function Picture({ src, alt, shape = 'square', eager, instead, className }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const gone = !src || broken === src;
  return (
    <div className={cx('relative overflow-hidden rounded-md bg-sunken', SHAPE[shape], className)}>
      {gone ? (
        <div
          className="absolute inset-0 grid place-items-center bg-gradient-to-br from-accent-soft to-sunken text-faint"
          {...(alt ? { role: 'img', 'aria-label': `${alt} (picture no longer available)` } : { 'aria-hidden': true })}
        >
          {instead || <ImageOff aria-hidden="true" className="size-1/4 max-w-8" strokeWidth={1.5} />}
        </div>
      ) : (
        <img
          src={src}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
          onError={() => setBroken(src)}
        />
      )}
    </div>
  );
}
