import { useWatch } from 'react-hook-form';
import { useReplies } from '#web/features/automations/LibraryPickers.tsx';
import { PhonePreview, type PreviewPeople } from '#web/features/automations/PhonePreview.tsx';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';

export type PreviewProps = {
  editor: AutomationEditorState;
  people: PreviewPeople;
  comment: string;
  post: { pictureUrl: string | null } | null;
};

/** The follower's phone, drawn again with everything that is typed. */
export function LivePreview({ editor, people, comment, post }: PreviewProps) {
  useWatch({ control: editor.control });
  const input = editor.read();
  const replies = useReplies('public_reply');
  const libraryReply = replies.find(({ id }) => id === input.replyId)?.texts[0] ?? null;
  return <PhonePreview input={input} people={people} comment={comment} libraryReply={libraryReply} post={post} />;
}
