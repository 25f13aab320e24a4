import { ChevronRight, Images } from 'lucide-react';
import { Link } from 'react-router';
import { scopeOf } from '#contract/automation-problems.ts';
import { type Automation, listAutomations, switchAutomation } from '#contract/automations.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listPosts } from '#contract/posts.ts';
import { placeInWords, TRIGGER_WORDS } from '#web/features/automations/trigger-words.ts';
import { LinkBadge, LinkLine } from '#web/features/link-guard/BrokenLink.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Switch } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { Picture } from '#web/ui/Picture.tsx';

export type ListedAutomation = ResponseOf<typeof listAutomations>['items'][number];

type Props = {
  automation: ListedAutomation;
  to: string;
  /** Off where all are of the same post. */
  withPost?: boolean;
};

/** One automation in a list: what it listens for, how it does, on or off. */
export function AutomationRow({ automation, to, withPost = false }: Props) {
  const { figures } = automation;
  const isOfOnePost = automation.trigger === 'comment' && automation.postId !== null;
  return (
    <li className="flex items-start gap-2 border-line border-b py-3 last:border-b-0 sm:items-center sm:gap-4">
      <Link to={to} preventScrollReset className="group flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-md">
        {withPost && <PostPicture automation={automation} />}
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="max-w-full truncate font-medium group-hover:underline">{automation.name}</bdi>
            {!isOfOnePost && (
              <Badge tone="info">
                {placeInWords(automation.trigger, scopeOf(automation), automation.captionWords)}
              </Badge>
            )}
            {automation.switchedOnAt && automation.blockedBecause && <Badge tone="warning">Can’t reply</Badge>}
            {automation.clashes.length > 0 && <Badge tone="warning">Same keyword</Badge>}
            {automation.draft !== null && <Badge>Draft</Badge>}
            {automation.switchedOnAt && <LinkBadge automationId={automation.id} />}
          </span>
          <span className="block truncate text-muted text-sm">
            <bdi>{heardInWords(automation)}</bdi>
          </span>
          <span className="mt-0.5 flex flex-wrap gap-x-3 text-faint text-sm tabular-nums">
            <span>{numerals(figures.sent)} sent</span>
            <span>{numerals(figures.opened)} opened</span>
            <span>{figures.clicked === 1 ? '1 click' : `${numerals(figures.clicked)} clicks`}</span>
            {figures.waiting > 0 && <span className="text-info-ink">{numerals(figures.waiting)} waiting</span>}
            {figures.failed > 0 && <span className="text-error-ink">{numerals(figures.failed)} failed</span>}
          </span>
          {automation.switchedOnAt && <LinkLine automationId={automation.id} />}
        </span>
        <ChevronRight aria-hidden="true" className="hidden size-4 shrink-0 text-faint sm:block" />
      </Link>
      <OnOff automation={automation} />
    </li>
  );
}

function heardInWords({ trigger, mode, words, keywordIds }: Automation): string {
  if (trigger === 'story_mention') return 'Every mention';
  if (mode === 'any_comment') return `Every ${TRIGGER_WORDS[trigger].input}`;
  const sets = keywordIds.length === 1 ? '1 set of Custom Keywords' : `${keywordIds.length} sets of Custom Keywords`;
  return [...words, ...(keywordIds.length > 0 ? [sets] : [])].join(', ');
}

function PostPicture({ automation }: { automation: ListedAutomation }) {
  if (automation.postId !== null)
    return <Picture src={automation.post?.pictureUrl} alt="" className="size-12 shrink-0 sm:size-14" />;
  return (
    <span
      aria-hidden="true"
      className="grid size-12 shrink-0 sm:size-14 place-items-center rounded-md bg-info-soft text-info-ink"
    >
      <Images className="size-5" />
    </span>
  );
}

/** Shows the new state at once; a refusal puts it back and says why. */
function OnOff({ automation }: { automation: Automation }) {
  const { creatorId } = useCreator();
  const switching = useEndpointMutation(switchAutomation, {
    successToast: false,
    errorToast: true,
    refreshes: [listPosts],
    pendingUntilRead: [listAutomations],
  });
  const asked = switching.isPending ? switching.variables.body.on : null;
  const on = asked ?? automation.switchedOnAt !== null;
  return (
    <Switch
      label={
        <>
          <span className="sr-only">{automation.name} </span>
          <span className="max-sm:sr-only">{on ? 'On' : 'Off'}</span>
        </>
      }
      className="shrink-0 sm:w-20"
      checked={on}
      onChange={(event) =>
        switching.mutate({
          params: { creatorId, automationId: automation.id },
          body: { on: event.target.checked },
        })
      }
    />
  );
}
