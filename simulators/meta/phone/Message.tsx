import { useState } from 'react';
import { control, type MessageView, pictureAddress } from './control.ts';

interface Element {
  title: string;
  subtitle?: string;
  image_url?: string;
  buttons?: unknown[];
}
interface Attachment {
  type: string;
  payload?: { url?: string; template_type?: string; elements?: Element[]; title?: string };
}

/** One bubble with what hangs on it. @param personId who may tap its buttons; undefined: nobody (the owner looks on) */
export function Message(props: { message: MessageView; mine: boolean; personId: string | undefined }) {
  const { message, mine, personId } = props;
  const side = mine ? 'mine' : 'theirs';
  if (message.deleted) return <p className={`bubble ${side} gone`}>Message unsent</p>;
  const attachments = attachmentsOf(message);
  const elements = attachments.find((one) => one.payload?.elements)?.payload?.elements;
  const templateButtons = message.buttons.filter((button) => button.kind !== 'quick_reply').length;
  const quickReplies = message.buttons.slice(templateButtons);
  return (
    <div className={`message ${side}`}>
      {message.privateReply && (
        <p className="context">{mine ? 'You replied to their comment' : 'Reply to your comment'}</p>
      )}
      {message.storyId !== null && <p className="context">About a story</p>}
      {attachments.map(
        (one) =>
          one.payload?.template_type === undefined && <Picture key={one.payload?.url ?? one.type} attachment={one} />,
      )}
      {elements ? (
        <Cards elements={elements} message={message} personId={personId} />
      ) : (
        (message.text !== '' || templateButtons > 0) && (
          <div className={`bubble ${side}`}>
            {message.text !== '' && <p dir="auto">{message.text}</p>}
            {templateButtons > 0 && <Buttons message={message} from={0} to={templateButtons} personId={personId} />}
          </div>
        )
      )}
      {quickReplies.length > 0 && (
        <Buttons message={message} from={templateButtons} to={message.buttons.length} personId={personId} quick />
      )}
      {personId !== undefined && <Deeds message={message} mine={mine} personId={personId} />}
      {message.reaction !== null && (
        <span className="reaction">{message.reaction === 'love' ? '❤️' : message.reaction}</span>
      )}
    </div>
  );
}

/** A follower's actions on a message: take their own back, like the other side's. */
function Deeds({ message, mine, personId }: { message: MessageView; mine: boolean; personId: string }) {
  const liked = message.reaction !== null;
  const { messageId } = message;
  return (
    <p className="under">
      {mine ? (
        <button type="button" className="quiet" onClick={() => void control.unsend(messageId)}>
          Unsend
        </button>
      ) : (
        <button
          type="button"
          className="quiet"
          aria-pressed={liked}
          onClick={() => void control.react({ messageId, personId, reaction: liked ? null : 'love' })}
        >
          {liked ? 'Unlike' : 'Like'}
        </button>
      )}
    </p>
  );
}

function attachmentsOf(message: MessageView): Attachment[] {
  const { attachment, attachments } = message.message as { attachment?: Attachment; attachments?: Attachment[] };
  return attachments ?? (attachment ? [attachment] : []);
}

function Picture({ attachment }: { attachment: Attachment }) {
  const url = attachment.payload?.url;
  if (url === undefined)
    return <p className="bubble">{attachment.type === 'like_heart' ? '❤️' : `(${attachment.type})`}</p>;
  if (['image', 'story_mention', 'ig_post', 'ig_reel'].includes(attachment.type)) {
    return (
      <img
        className="attached"
        src={pictureAddress(url)}
        alt={attachment.payload?.title ?? 'Attached'}
        width="220"
        height="220"
      />
    );
  }
  return (
    <a className="bubble" href={url} target="_blank" rel="noopener noreferrer">
      Open the {attachment.type}
    </a>
  );
}

/** Cards side by side, each with its own buttons. */
function Cards(props: { elements: Element[]; message: MessageView; personId: string | undefined }) {
  const starts = props.elements.map((_, index) =>
    props.elements.slice(0, index).reduce((sum, element) => sum + (element.buttons?.length ?? 0), 0),
  );
  return (
    <ul className="cards" aria-label="Cards">
      {props.elements.map((element, index) => (
        <li key={`${starts[index]} ${element.title}`} className="card">
          {element.image_url !== undefined && (
            <img src={pictureAddress(element.image_url)} alt="" width="220" height="160" />
          )}
          <p dir="auto">
            <strong>{element.title}</strong>
            {element.subtitle}
          </p>
          <Buttons
            message={props.message}
            from={starts[index]!}
            to={starts[index]! + (element.buttons?.length ?? 0)}
            personId={props.personId}
          />
        </li>
      ))}
    </ul>
  );
}

/** Links open in a new tab, as a phone opens its own browser; the others answer in the conversation. */
function Buttons(props: {
  message: MessageView;
  from: number;
  to: number;
  personId: string | undefined;
  quick?: boolean;
}) {
  const { message, from, to, personId, quick } = props;
  const [problem, setProblem] = useState<string>();
  const tap = (button: number) => {
    if (personId === undefined) return;
    control.tap({ personId, messageId: message.messageId, button }).then(
      () => setProblem(undefined),
      (error: Error) => setProblem(error.message),
    );
  };
  return (
    <div className={quick ? 'quick-replies' : 'buttons'}>
      {message.buttons.slice(from, to).map((button, index) =>
        button.kind === 'web_url' ? (
          <a key={`${button.title} ${button.url}`} href={button.url} target="_blank" rel="noopener noreferrer">
            {button.title}
          </a>
        ) : (
          <button
            key={`${button.title} ${button.payload}`}
            type="button"
            disabled={personId === undefined}
            onClick={() => tap(from + index)}
          >
            {button.title}
          </button>
        ),
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </div>
  );
}
