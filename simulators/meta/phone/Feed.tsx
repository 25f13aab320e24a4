import { useState } from 'react';
import type { Player } from './control.ts';
import { type AccountView, control, type PostView, pictureAddress, useLive } from './control.ts';
import { Caption, Go, Portrait, Trouble } from './parts.tsx';
import type { Place } from './place.ts';
import { StoryBar } from './Stories.tsx';
import { ago, count } from './words.ts';

const PAGE = 12;
/** How many posts were shown before another screen was opened. */
const shownOf = new Map<string, number>();

/** The creator's posts, newest first; above them what is up only now. */
export function Feed({ here, account, player }: { here: Place; account: AccountView; player: Player }) {
  const [shown, setShown] = useState(shownOf.get(account.accountId) ?? PAGE);
  const posts = useLive(
    `posts ${account.accountId}`,
    () => control.posts(account.accountId),
    (event) => event.accountId === account.accountId && (event.type === 'post' || event.type.startsWith('comment')),
  );
  const showMore = () => {
    shownOf.set(account.accountId, shown + PAGE);
    setShown(shown + PAGE);
  };
  if (posts.error !== undefined && !posts.value) return <Trouble reason={posts.error} retry={posts.reload} />;
  const open = (posts.value ?? []).filter((post) => post.product !== 'STORY' && post.product !== 'LIVE');
  return (
    <>
      <Head account={account} player={player} />
      <StoryBar here={here} account={account} player={player} posts={posts.value ?? []} />
      {!posts.value && (
        <p className="centred" role="status">
          Loading posts…
        </p>
      )}
      {posts.value && open.length === 0 && <p className="centred">No posts yet.</p>}
      {open.slice(0, shown).map((post) => (
        <Post key={post.mediaId} post={post} here={here} account={account} />
      ))}
      {open.length > shown && (
        <button type="button" className="plain wide" onClick={showMore}>
          Show older posts
        </button>
      )}
    </>
  );
}

function Head({ account, player }: { account: AccountView; player: Player }) {
  return (
    <header className="profile">
      <Portrait url={account.pictureUrl} size={72} />
      <div>
        <h2>{account.username || account.name}</h2>
        <p>
          {count(account.mediaCount, 'post')} · {count(account.followersCount, 'follower')}
        </p>
        {player.kind === 'follower' && <FollowButton account={account} player={player} />}
      </div>
      {account.biography !== '' && <p className="biography">{account.biography}</p>}
    </header>
  );
}

function FollowButton({ account, player }: { account: AccountView; player: Extract<Player, { kind: 'follower' }> }) {
  const { personId, relations } = player.person;
  const follows = relations.find((relation) => relation.accountId === account.accountId)?.follows ?? true;
  return (
    <button
      type="button"
      className={follows ? 'plain' : 'strong'}
      aria-pressed={follows}
      onClick={() => void control.setRelation(personId, account.accountId, { follows: !follows })}
    >
      {follows ? 'Following' : 'Follow'}
    </button>
  );
}

function Post({ post, here, account }: { post: PostView; here: Place; account: AccountView }) {
  const to = { as: here.as, account: here.account, post: post.mediaId };
  return (
    <article className="post">
      <PostPicture post={post} to={to} />
      <p className="figures">
        <span>{count(post.likeCount, 'like')}</span>
        <Go to={to}>{post.commentsCount === 0 ? 'Be the first to comment' : count(post.commentsCount, 'comment')}</Go>
        <time dateTime={new Date(post.createdAt).toISOString()}>{ago(post.createdAt)}</time>
      </p>
      <Caption author={account.username || account.name} text={post.caption} />
    </article>
  );
}

const KIND: Partial<Record<PostView['product'], string>> = { REELS: 'Reel', LIVE: 'Live', STORY: 'Story' };

/** The picture, marked when it is a reel, a live video or one of several. */
export function PostPicture({ post, to }: { post: PostView; to?: Place }) {
  const kind = KIND[post.product] ?? (post.mediaType === 'CAROUSEL_ALBUM' ? 'Album' : undefined);
  const picture = (
    <>
      <img src={pictureAddress(post.pictureUrl)} alt="" width="600" height="600" loading="lazy" />
      {kind !== undefined && (
        <span className="kind" aria-hidden="true">
          {kind}
        </span>
      )}
    </>
  );
  if (!to) return <div className="picture">{picture}</div>;
  return (
    <Go
      to={to}
      className="picture"
      label={`Open the ${kind?.toLowerCase() ?? 'post'}: ${post.caption.slice(0, 60) || 'without caption'}`}
    >
      {picture}
    </Go>
  );
}
