import { useState } from 'react';
import { createAutomation, listAutomations, switchAutomation } from '#contract/automations.ts';
import { getProfileLink } from '#contract/connections.ts';
import { getHome } from '#contract/home.ts';
import { completeLink } from '#contract/links.ts';
import { listPosts, type Post } from '#contract/posts.ts';
import { listRecipes } from '#contract/recipes.ts';
import { AutomationForm, trimRows } from '#web/features/automations/automation-form.ts';
import { PhonePreview } from '#web/features/automations/PhonePreview.tsx';
import { usePreviewPeople } from '#web/features/automations/use-preview-people.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { PostLine } from '#web/features/prepared-posts/PostLine.tsx';
import { inputFor, siteOf } from '#web/features/prepared-posts/turn-on.ts';
import { postPath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation, useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const SHOWN = 24;

/** Posts that ask for a word, each with the message it would send and one tap to turn it on. */
export function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const { creatorId } = useCreator();
  const asking = useEndpoint(listPosts, { params: { creatorId }, query: { automation: 'asks', limit: SHOWN } });
  /** As they were when it opened: what is turned on stays in its place and says so. */
  const [shown, setShown] = useState<Post[] | null>(null);
  if (shown === null && asking.isSuccess && !asking.isPlaceholderData) setShown(asking.data.items);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Posts that ask for a word"
      description="Each replies to new comments from the moment you turn it on."
    >
      <Loaded
        query={asking}
        loading="Loading your posts"
        failed="Couldn’t load your posts"
        skeleton={<Skeleton className="h-40" />}
      >
        {({ total }) => (
          <>
            <ul className="flex flex-col">
              {(shown ?? []).map((post) => (
                <AskingPost key={post.id} post={post} />
              ))}
            </ul>
            {shown !== null && total > shown.length && (
              <p className="text-muted text-sm">The {SHOWN} newest are shown. Open this again for the others.</p>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function AskingPost({ post }: { post: Post }) {
  const { creatorId } = useCreator();
  const recipes = useWholeList(listRecipes, { params: { creatorId }, query: {} });
  const made = useEndpoint(listAutomations, { params: { creatorId }, query: { limit: 100 } });
  const people = usePreviewPeople(post.connectionId);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [previewed, setPreviewed] = useState(false);
  /** Made and not on yet, when turning it on failed: the next tap makes no second one. */
  const [madeId, setMadeId] = useState<string | null>(null);
  const [isOn, setIsOn] = useState(false);
  const refreshes = [listPosts, listAutomations, getHome];
  const creating = useEndpointMutation(createAutomation, { successToast: false, refreshes });
  const switching = useEndpointMutation(switchAutomation, { successToast: false, refreshes });

  // Posts there when the dialog opened decide; the list of automations changes with every tap.
  const [beginning, setBeginning] = useState<ReturnType<typeof inputFor> | null>(null);
  if (beginning === null && recipes.isSuccess && made.isSuccess) {
    setBeginning(inputFor(post, recipes.data.items, made.data.items));
  }
  // Only where nothing tells of a link. It is offered, not taken: few followers ask for a home page.
  const asksForLink = beginning?.buttons[0]?.url === '';
  const profile = useEndpoint(
    getProfileLink,
    { params: { creatorId, connectionId: post.connectionId } },
    { enabled: asksForLink },
  );
  if (beginning === null || (asksForLink && profile.isPending)) return <Skeleton className="my-3 h-24" />;
  const [button] = beginning.buttons;
  const site = profile.data?.url ?? siteOf(recipes.data?.items ?? [], made.data?.items ?? []) ?? '';
  const link = typed ?? site;
  const input = asksForLink
    ? { ...beginning, buttons: [{ title: button!.title, url: completeLink(link) }] }
    : beginning;

  const turnOn = async () => {
    const checked = AutomationForm.safeParse(trimRows(input));
    if (!checked.success) return setProblem(checked.error.issues[0]?.message ?? 'Check the link.');
    setProblem(null);
    try {
      const id = madeId ?? (await creating.mutateAsync({ params: { creatorId }, body: checked.data })).id;
      setMadeId(id);
      await switching.mutateAsync({ params: { creatorId, automationId: id }, body: { on: true } });
      setIsOn(true);
    } catch {
      // Said by its toast.
    }
  };

  return (
    <li className="flex flex-col gap-2.5 border-line border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <PostLine post={post}>
        Asks for <bdi className="font-medium text-ink">{post.asksFor}</bdi>
      </PostLine>
      {isOn ? (
        <p role="status" className="text-accent-ink text-sm">
          On. New comments with <bdi>{post.asksFor}</bdi> get a reply. <TextLink to={postPath(post.id)}>Open</TextLink>
        </p>
      ) : post.automation === 'off' ? (
        <p className="text-muted text-sm">
          It has an automation that is off. <TextLink to={postPath(post.id)}>Open</TextLink>
        </p>
      ) : (
        <>
          <p className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
            <bdi className="line-clamp-2">{inWords(input.messageText)}</bdi>
            <bdi className="mt-1 block font-semibold">{button!.title}</bdi>
            {!asksForLink && <bdi className="block truncate text-muted">{button!.url}</bdi>}
          </p>
          {asksForLink && (
            <Field
              label="Link"
              {...(typed === null &&
                site !== '' && { hint: 'Your site. Replace it if the post has a page of its own.' })}
              {...(problem !== null && { error: problem })}
            >
              {(wiring) => (
                <Input
                  {...wiring}
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  value={link}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              aria-label={`Turn on for ${post.asksFor}`}
              busy={creating.isPending || switching.isPending}
              onClick={() => void turnOn()}
            >
              Turn on
            </Button>
            <Button
              size="small"
              variant="secondary"
              aria-expanded={previewed}
              aria-label={`${previewed ? 'Hide preview' : 'Preview'} for ${post.asksFor}`}
              onClick={() => setPreviewed(!previewed)}
            >
              {previewed ? 'Hide preview' : 'Preview'}
            </Button>
          </div>
          {previewed && (
            <>
              <PhonePreview input={input} people={people} post={post} />
              <p className="break-words text-muted text-sm">
                “{button!.title}” opens <bdi>{input.buttons[0]!.url || 'your link'}</bdi>
              </p>
            </>
          )}
        </>
      )}
    </li>
  );
}
