import { useNavigate } from 'react-router';
import { declineSeason, getSeason, listBroadcasts, writeSeasonDraft } from '#contract/newsletters.ts';
import { SEASON } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';

/** A recipe of last season, offered as a draft to those who saved it; nothing where there is none. */
export function SeasonCard() {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const params = { creatorId };
  const season = useEndpoint(getSeason, { params }).data?.season ?? null;
  const write = useEndpointMutation(writeSeasonDraft, {
    successToast: false,
    refreshes: [getSeason, listBroadcasts],
    onSuccess: ({ id }) => navigate(`${paths.newsletter}/${id}`),
  });
  const decline = useEndpointMutation(declineSeason, { pendingUntilRead: [getSeason] });
  if (season === null) return null;
  const { url, title, pictureUrl, count } = season;
  return (
    <Card title={SEASON.title}>
      <div className="flex gap-4">
        {pictureUrl !== null && (
          <img
            src={pictureUrl}
            alt=""
            referrerPolicy="no-referrer"
            className="size-16 shrink-0 rounded-md object-cover"
          />
        )}
        <p className="min-w-0 break-words">{SEASON.says(title, count)}</p>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          busy={write.isPending}
          disabled={decline.isPending}
          onClick={() => write.mutate({ params, body: { url } })}
        >
          {SEASON.write}
        </Button>
        <Button
          variant="quiet"
          busy={decline.isPending}
          disabled={write.isPending}
          onClick={() => decline.mutate({ params, body: { url } })}
        >
          {SEASON.decline}
        </Button>
      </div>
    </Card>
  );
}
