import { Suspense } from 'react';
import { type CaptionWarning, listCaptionWarnings } from '#contract/prepared-posts.ts';
import { postTitle } from '#web/features/posts/post-title.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Picture } from '#web/ui/Picture.tsx';

// Most days there is no warning, and what mends one brings the matcher and the whole editor's rules.
const ListenTooButton = lazyPart(
  async () => (await import('#web/features/prepared-posts/ListenTooButton.tsx')).ListenTooButton,
);

const SHOWN = 5;

/** Posts whose caption asks for a word that nobody listens for there, each mended with one tap. Silent when there are none. */
export function CaptionWarnings({ className }: { className?: string }) {
  const { creatorId } = useCreator();
  const warnings = useEndpoint(listCaptionWarnings, { params: { creatorId }, query: {} });
  const items = warnings.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div className={className}>
      <div className="flex flex-col gap-3">
        {items.slice(0, SHOWN).map((warning) => (
          <Warning key={`${warning.post.id} ${warning.asked}`} warning={warning} />
        ))}
        {items.length > SHOWN && <p className="text-muted text-sm">And {items.length - SHOWN} more like these.</p>}
      </div>
    </div>
  );
}

function Warning({ warning }: { warning: CaptionWarning }) {
  const { asked, words, post } = warning;
  return (
    <Alert
      variant="warning"
      title={`Your caption asks for ${asked}, but you listen for ${words.slice(0, 3).join(', ') || 'something else'}`}
      action={
        <Suspense
          fallback={
            <Button size="small" disabled>
              Listen for {asked} too
            </Button>
          }
        >
          <ListenTooButton warning={warning} />
        </Suspense>
      }
    >
      <span className="mt-1 flex items-center gap-3">
        <Picture src={post.pictureUrl} alt="" className="size-10 shrink-0" />
        <bdi className="line-clamp-2 min-w-0">{postTitle(post.caption)}</bdi>
      </span>
    </Alert>
  );
}
