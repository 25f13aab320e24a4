import { useState } from 'react';
import { changeLinkPlan, getLinkPlan, LinkPlan, listLinkChecks, type WhenLinkBreaks } from '#contract/link-guard.ts';
import { CheckAgain, LinkState } from '#web/features/link-guard/LinkState.tsx';
import { linksOf, useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

export const PLAN_WORDS: Record<WhenLinkBreaks, { label: string; hint: string; short: string }> = {
  send: {
    label: 'Send anyway and email me',
    hint: 'The link works again as soon as the page is back.',
    short: 'Messages are still sent',
  },
  hold: {
    label: 'Hold messages',
    hint: 'They wait until the page is back, and go out before Instagram’s time limit. Replies on lives don’t wait.',
    short: 'Messages wait until the link works',
  },
  swap: {
    label: 'Use another link until it’s fixed',
    hint: 'Works in messages already sent, too. They switch back once the page works.',
    short: 'Using another link for now',
  },
};

/** Whether the links of an automation answer, and what it does while one does not. Counts at once, without saving. */
export function LinkGuard({ automationId }: { automationId: string }) {
  const { creatorId } = useCreator();
  const { checking, links } = useLinkChecks();
  const plan = useEndpoint(getLinkPlan, { params: { creatorId, automationId } });
  const own = linksOf(links, automationId);
  return (
    <>
      {own.length === 0 ? (
        <p className="text-muted text-sm">Links are checked while the automation is on.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {own.map((link) => (
            <li key={link.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="flex min-w-0 flex-1 basis-60 flex-col">
                <bdi className="truncate font-medium text-sm">{link.recipe?.name ?? addressInShort(link.url)}</bdi>
                <LinkState link={link} />
              </span>
              {checking && <CheckAgain link={link} />}
            </li>
          ))}
        </ul>
      )}
      {!checking && <p className="text-muted text-sm">Link checks are turned off on this Creator HQ.</p>}
      <Loaded
        query={plan}
        loading="Loading the choice for broken links"
        failed="Couldn’t load the choice for broken links"
        skeleton={<Skeleton className="h-44" />}
      >
        {(data) => <Choice key={`${data.whenBroken} ${data.insteadUrl}`} automationId={automationId} plan={data} />}
      </Loaded>
    </>
  );
}

function Choice({ automationId, plan }: { automationId: string; plan: LinkPlan }) {
  const { creatorId } = useCreator();
  const [chosen, setChosen] = useState(plan.whenBroken);
  const [insteadUrl, setInsteadUrl] = useState(plan.insteadUrl ?? '');
  const [error, setError] = useState<string>();
  const change = useEndpointMutation(changeLinkPlan, {
    successToast: { title: 'Saved. It applies from now on.' },
    errorToast: true,
    refreshes: [getLinkPlan, listLinkChecks],
  });
  const save = (whenBroken: WhenLinkBreaks, url: string) => {
    const body = { whenBroken, insteadUrl: url === '' ? null : url };
    change.mutate(
      { params: { creatorId, automationId }, body },
      { onError: () => whenBroken !== 'swap' && setChosen(plan.whenBroken) },
    );
  };
  const sendInstead = () => {
    const url = insteadUrl.trim();
    const read = LinkPlan.shape.insteadUrl.safeParse(url);
    if (url === '' || !read.success) return setError('Enter a link that starts with https://');
    setError(undefined);
    save('swap', url);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">When a link stops working</legend>
      {(['send', 'hold', 'swap'] as const).map((one) => (
        <Radio
          key={one}
          name={`when-link-breaks-${automationId}`}
          label={PLAN_WORDS[one].label}
          hint={PLAN_WORDS[one].hint}
          checked={chosen === one}
          disabled={change.isPending}
          onChange={() => {
            setChosen(one);
            if (one !== 'swap') save(one, plan.insteadUrl ?? '');
          }}
        />
      ))}
      {chosen === 'swap' && (
        <div className="flex flex-wrap items-end gap-2">
          <Field label="Other link" error={error} className="min-w-0 flex-1 basis-60">
            {(wiring) => (
              <LinkInput
                {...wiring}
                value={insteadUrl}
                onChange={(event) => setInsteadUrl(event.target.value)}
                onKeyDown={(event) => {
                  // It stands in the automation's form, which is another thing to save.
                  if (event.key !== 'Enter') return;
                  event.preventDefault();
                  sendInstead();
                }}
              />
            )}
          </Field>
          <Button variant="secondary" busy={change.isPending} onClick={sendInstead}>
            Use link
          </Button>
        </div>
      )}
    </fieldset>
  );
}
