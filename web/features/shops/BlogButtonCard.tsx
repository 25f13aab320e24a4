import { BLOG_BUTTON } from '#web/features/shops/words.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';

/** For blogs without the plugin: the snippet of widgets/shop-button, with a place as high as the button. */
export function BlogButtonCard() {
  const { creatorId } = useCreator();
  const script = `${window.location.origin}/widgets/shop-button.js`;
  const snippet = [
    '<div style="min-height:48px">',
    `<script async src="${script}" data-creator="${creatorId}"></script>`,
    '</div>',
  ].join('\n');
  return (
    <Card title={BLOG_BUTTON.title} description={BLOG_BUTTON.says}>
      <div className="flex flex-col gap-4">
        <pre className="whitespace-pre-wrap break-all rounded-md bg-canvas p-2 font-mono text-sm">{snippet}</pre>
        <CopyButton text={snippet} label={BLOG_BUTTON.copy} />
      </div>
    </Card>
  );
}
