import { useState } from 'react';
import type { Player } from './control.ts';
import { type AccountView, control, type PostView, pictureAddress, useLive } from './control.ts';
import { Back, Composer, Go, Portrait, Trouble } from './parts.tsx';
import { go, type Place } from './place.ts';
import { ago } from './words.ts';

/** Current stories and lives of the creator, and a person's actions beside posts. */
export function StoryBar(props: { here: Place; account: AccountView; player: Player; posts: PostView[] }) {
  const { here, account, player, posts } = props;
  const [problem, setProblem] = useState<string>();
  const base = { as: here.as, account: here.account };
  const stories = posts.filter((post) => post.product === 'STORY' && !post.closed).toReversed();
  const live = posts.find((post) => post.product === 'LIVE' && !post.closed);
  const attempt = (deed: Promise<unknown>) => {
    deed.then(
      () => setProblem(undefined),
      (error: Error) => setProblem(error.message),
    );
  };
  // Pages have neither in this phone.
  if (account.platform === 'facebook') return null;
  return (
    <section className="stories" aria-label="Stories and live videos">
      {live && (
        <Go to={{ ...base, post: live.mediaId }} className="story live">
          <Portrait url={account.pictureUrl} size={56} />
          <span>Live now</span>
        </Go>
      )}
      {stories.map((story) => (
        <Go key={story.mediaId} to={{ ...base, story: story.mediaId }} className="story">
          <img src={pictureAddress(story.pictureUrl)} alt="" width="56" height="56" />
          <span>Story, {ago(story.createdAt)}</span>
        </Go>
      ))}
      {player.kind === 'owner' ? (
        <>
          <button
            type="button"
            className="plain"
            onClick={() =>
              attempt(control.publish({ accountId: account.accountId, product: 'STORY', ...pictureOf(posts) }))
            }
          >
            Post a story
          </button>
          {!live && (
            <button
              type="button"
              className="plain"
              onClick={() =>
                attempt(
                  control.publish({
                    accountId: account.accountId,
                    product: 'LIVE',
                    caption: 'Cooking together. Write LIVE for the recipe!',
                    ...pictureOf(posts),
                  }),
                )
              }
            >
              Go live
            </button>
          )}
        </>
      ) : (
        <button
          type="button"
          className="plain"
          onClick={() =>
            attempt(
              control
                .storyMention({ accountId: account.accountId, personId: player.person.personId })
                .then(() => go({ ...base, messages: 'inbox', thread: account.accountId })),
            )
          }
        >
          Mention in my story
        </button>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </section>
  );
}

/** The picture of a post, so that a story does not look like nothing. */
function pictureOf(posts: PostView[]): { picture?: string } {
  const shown = posts.filter(({ product }) => product === 'FEED' || product === 'REELS');
  const picked = shown[posts.length % Math.max(shown.length, 1)];
  return picked === undefined ? {} : { picture: pictureAddress(picked.pictureUrl) };
}

const QUICK = ['❤️', '🔥', '😍'];

/** One story; a follower answers it with text or an emoji, which lands in the messages. */
export function StoryPage({ here, account, player }: { here: Place; account: AccountView; player: Player }) {
  const [sent, setSent] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const posts = useLive(
    `posts ${account.accountId}`,
    () => control.posts(account.accountId),
    (event) => event.accountId === account.accountId && event.type === 'post',
  );
  const back = { as: here.as, account: here.account };
  if (posts.error !== undefined && !posts.value) return <Trouble reason={posts.error} retry={posts.reload} />;
  const story = posts.value?.find((one) => one.mediaId === here.story);
  if (!story || story.closed) {
    return (
      <>
        <Back to={back} title="Story" />
        <p className="centred" role="status">
          {posts.value ? 'This story has ended.' : 'Loading the story…'}
        </p>
      </>
    );
  }
  const reply = async (text: string, personId: string) => {
    await control.storyReply({ storyId: story.mediaId, personId, text });
    setSent(text);
  };
  return (
    <div className="post-page">
      <Back to={back} title="Story">
        <Portrait url={account.pictureUrl} size={36} />
        <h2>
          {account.username} <small className="handle">{ago(story.createdAt)}</small>
        </h2>
      </Back>
      <img className="story-picture" src={pictureAddress(story.pictureUrl)} alt={story.caption || 'Story'} />
      <p className="caption" dir="auto">
        {story.caption}
      </p>
      <div className="dock">
        {sent !== undefined && (
          <p className="replying" role="status">
            Sent: {sent}
            <Go to={{ ...back, messages: 'inbox', thread: account.accountId }}>Open the conversation</Go>
          </p>
        )}
        {problem !== undefined && <p role="alert">{problem}</p>}
        {player.kind === 'owner' ? (
          <button
            type="button"
            className="plain wide"
            onClick={() => void control.deletePost(story.mediaId).then(() => go(back))}
          >
            Delete story
          </button>
        ) : (
          <>
            <div className="quick-replies">
              {QUICK.map((emoji) => (
                <button
                  key={emoji}
                  type="button"
                  aria-label={`Reply with ${emoji}`}
                  onClick={() => {
                    reply(emoji, player.person.personId).catch((error: Error) => setProblem(error.message));
                  }}
                >
                  {emoji}
                </button>
              ))}
            </div>
            <Composer label="Reply to the story" button="Send" send={(text) => reply(text, player.person.personId)} />
          </>
        )}
      </div>
    </div>
  );
}
