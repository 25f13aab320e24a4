import { createContext, useContext } from 'react';
import { useWatch } from 'react-hook-form';
import { useReplies } from '#web/features/automations/LibraryPickers.tsx';
import { PhonePreview, type PreviewPeople } from '#web/features/automations/PhonePreview.tsx';
import type { AutomationEditorState } from '#web/features/automations/use-automation-editor.ts';

export type PreviewProps = {
  editor: AutomationEditorState;
  people: PreviewPeople;
  post: { pictureUrl: string | null } | null;
};

/** The comment in the tester, which the preview shows too: what is typed there draws only the two of them. */
export const TriedComment = createContext({ text: '', onText: (_text: string) => {} });

/** The follower's phone, drawn again with everything that is typed. */
export function LivePreview({ editor, people, post }: PreviewProps) {
  useWatch({ control: editor.control });
  const { text } = useContext(TriedComment);
  const input = editor.read();
  const replies = useReplies('public_reply');
  const libraryReply = replies.find(({ id }) => id === input.replyId)?.texts[0] ?? null;
  return <PhonePreview input={input} people={people} comment={text} libraryReply={libraryReply} post={post} />;
}
