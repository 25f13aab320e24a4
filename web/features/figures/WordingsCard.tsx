import { compareAgain, getComparison } from '#contract/figures.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { comparisonWords, intervalWords, wordingName } from '#web/features/figures/words.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { numerals } from '#web/ui/numerals.ts';

/** How the versions of an automation’s message compare; nothing while there is only one. */
export function WordingsCard({ automationId }: { automationId: string }) {
  const { creatorId } = useCreator();
  const params = { creatorId, automationId };
  const comparison = useEndpoint(getComparison, { params });
  const again = useEndpointMutation(compareAgain, {
    refreshes: [getComparison],
    successToast: { title: 'Comparison restarted' },
  });
  if (!comparison.data || comparison.data.wordings.length < 2) return null;
  const { data } = comparison;
  return (
    <Card level={3} title="Which version works better" description={comparisonWords(data)}>
      <ul className="flex flex-col gap-3">
        {data.wordings.map((wording) => (
          <li key={wording.id} className="border-line border-t pt-3 first:border-t-0 first:pt-0">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {wordingName(wording.id)}
              {data.winner === wording.id && <Badge tone="accent">Everyone gets it</Badge>}
            </p>
            <p className="truncate text-muted text-sm">
              <bdi>{inWords(wording.text)}</bdi>
            </p>
            <p className="text-sm tabular-nums">
              {numerals(wording.clicked)} of {numerals(wording.people)} tapped
              {wording.people > 0 && `: ${intervalWords(wording)} expected over time`}
            </p>
          </li>
        ))}
      </ul>
      <Button
        variant="secondary"
        size="small"
        className="mt-4"
        busy={again.isPending}
        onClick={() => again.mutate({ params })}
      >
        Restart comparison
      </Button>
    </Card>
  );
}
