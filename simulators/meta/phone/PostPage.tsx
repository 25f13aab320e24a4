import { useRef, useState } from 'react';
import type { Player } from './control.ts';
import { type AccountView, type CommentView, control, useLive } from './control.ts';
import { PostPicture } from './Feed.tsx';
import { Back, Caption, Composer, Portrait, Trouble } from './parts.tsx';
import { go, type Place } from './place.ts';
import { ago, count } from './words.ts';

interface Reply {
  comment: CommentView;
  /** Beneath the comment, or as a message to its writer (the owner only). */
  how: 'public' | 'private';
}

/** One post with its comments; new ones and answers appear as they are written. */
export function PostPage({ here, account, player }: { here: Place; account: AccountView; player: Player }) {
  const [reply, setReply] = useState<Reply>();
  const list = useRef<HTMLOListElement>(null);
  const posts = useLive(
    `posts ${account.accountId}`,
    () => control.posts(account.accountId),
    (event) => event.accountId === account.accountId && (event.type === 'post' || event.type === 'comment'),
  );
  // A permalink names the post by its shortcode.
  const post = posts.value?.find((one) => one.mediaId === here.post || one.permalink.includes(`/${here.post}/`));
  const comments = useLive(
    post && `comments ${post.mediaId}`,
    () => control.comments(post!.mediaId),
    (event) => event.mediaId === post?.mediaId || event.type === 'message',
  );
  const back = { as: here.as, account: here.account };
  if (posts.error !== undefined && !posts.value) return <Trouble reason={posts.error} retry={posts.reload} />;
  if (!posts.value)
    return (
      <p className="centred" role="status">
        Loading the post…
      </p>
    );
  if (!post) {
    return (
      <>
        <Back to={back} title="Post" />
        <p className="centred">This post isn’t available.</p>
      </>
    );
  }
  const personId = player.kind === 'owner' ? 'owner' : player.person.personId;
  const send = async (text: string) => {
    if (reply?.how === 'private') await control.ownerPrivateReply({ commentId: reply.comment.commentId, text });
    else {
      await control.comment({
        mediaId: post.mediaId,
        personId,
        text,
        ...(reply ? { parentId: reply.comment.commentId } : {}),
      });
    }
    // A new comment comes on top of the list, which may be far below; an answer comes where one is looking.
    if (!reply) list.current?.scrollIntoView();
    setReply(undefined);
    comments.reload();
  };
  return (
    <div className="post-page">
      <Back to={back} title="Post" />
      <PostPicture post={post} />
      <p className="figures">
        <span>{count(post.likeCount, 'like')}</span>
        <span>{count(post.commentsCount, 'comment')}</span>
        <time dateTime={new Date(post.createdAt).toISOString()}>{ago(post.createdAt)}</time>
      </p>
      <Caption author={account.username || account.name} text={post.caption} open />
      {comments.error !== undefined && <Trouble reason={comments.error} retry={comments.reload} />}
      <ol ref={list} className="comments" aria-label="Comments" aria-live="polite">
        {comments.value?.toReversed().map((comment) => (
          <li key={comment.commentId}>
            <Comment comment={comment} player={player} here={here} answer={setReply} />
            {comment.replies.length > 0 && (
              <ol aria-label={`Replies to ${comment.username}`}>
                {comment.replies.map((one) => (
                  <li key={one.commentId}>
                    <Comment comment={one} player={player} here={here} answer={setReply} />
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
      {comments.value?.length === 0 && <p className="centred">No comments yet. Be the first to comment.</p>}
      <div className="dock">
        {post.closed ? (
          <p className="centred">{post.product === 'LIVE' ? 'The live has ended.' : 'Comments are turned off.'}</p>
        ) : (
          <>
            {post.product === 'LIVE' && player.kind === 'owner' && (
              <button type="button" className="plain wide" onClick={() => void control.endLive(post.mediaId)}>
                End live
              </button>
            )}
            {reply && (
              <p className="replying">
                {reply.how === 'private' ? 'DM to ' : 'Replying to '}
                <bdi>{reply.comment.username}</bdi>
                <button type="button" className="quiet" onClick={() => setReply(undefined)}>
                  Cancel
                </button>
              </p>
            )}
            <Composer
              key={reply ? `${reply.comment.commentId} ${reply.how}` : 'top'}
              label={reply?.how === 'private' ? 'Write a DM' : 'Add a comment'}
              button={reply?.how === 'private' ? 'Send' : 'Post'}
              start={reply?.how === 'public' ? `@${reply.comment.username} ` : ''}
              focus={reply !== undefined}
              send={send}
            />
          </>
        )}
      </div>
    </div>
  );
}

function Comment(props: { comment: CommentView; player: Player; here: Place; answer: (reply: Reply) => void }) {
  const { comment, player, here, answer } = props;
  const byCreator = comment.personId === null;
  return (
    <article className="comment">
      <Portrait url={comment.picture} size={32} />
      <div>
        <p dir="auto">
          <strong>{comment.username}</strong>
          {byCreator && <span className="tag">creator</span>} <span>{comment.text}</span>
        </p>
        <p className="under">
          <time dateTime={new Date(comment.createdAt).toISOString()}>{ago(comment.createdAt)}</time>
          <button type="button" className="quiet" onClick={() => answer({ comment, how: 'public' })}>
            Reply
          </button>
          {player.kind === 'owner' && !byCreator && (
            <PrivateReply comment={comment} answer={() => answer({ comment, how: 'private' })} here={here} />
          )}
          {comment.personId === (player.kind === 'owner' ? null : player.person.personId) && (
            <button type="button" className="quiet" onClick={() => void control.deleteComment(comment.commentId)}>
              Delete
            </button>
          )}
          {comment.hidden && <span className="tag">hidden</span>}
        </p>
      </div>
    </article>
  );
}

/** A comment can be answered privately once; after that there is the conversation. */
function PrivateReply({ comment, answer, here }: { comment: CommentView; answer: () => void; here: Place }) {
  if (!comment.privatelyReplied) {
    return (
      <button type="button" className="quiet" onClick={answer}>
        Message
      </button>
    );
  }
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => go({ as: here.as, account: here.account, thread: comment.personId! })}
    >
      Messaged
    </button>
  );
}
