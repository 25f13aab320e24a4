import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { getTimeZone } from '#contract/settings.ts';
import { endSponsorProof, listSponsorPins, MOST_PINS, type SponsorPin } from '#contract/sponsor-pins.ts';
import { daysInWords, SPONSORS, STATES } from '#web/features/pins/words.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const PinSheet = lazyPart(async () => (await import('#web/features/pins/PinSheet.tsx')).PinSheet);

/** Products of sponsors on lists, with how many people they reached. */
export function SponsorsCard() {
  const { creatorId } = useCreator();
  const pins = useEndpoint(listSponsorPins, { params: { creatorId } });
  const zone = useEndpoint(getTimeZone, { params: { creatorId } });
  const [editing, setEditing] = useState<string | null>(null);
  const edited = pins.data?.items.find(({ id }) => id === editing) ?? null;
  return (
    <Card title={SPONSORS.title} description={SPONSORS.says}>
      <Loaded query={pins} loading={SPONSORS.loading} failed={SPONSORS.failed} skeleton={<Skeleton className="h-24" />}>
        {({ items }) => (
          <div className="flex flex-col items-start gap-4">
            {items.length === 0 ? (
              <p className="text-muted text-sm">{SPONSORS.none}</p>
            ) : (
              <ul className="w-full">
                {items.map((pin) => (
                  <PinRow key={pin.id} pin={pin} onEdit={() => setEditing(pin.id)} />
                ))}
              </ul>
            )}
            {items.length < MOST_PINS ? (
              <Button variant="secondary" size="small" onClick={() => setEditing('new')}>
                <Plus aria-hidden="true" className="size-4" />
                {SPONSORS.add}
              </Button>
            ) : (
              <p className="text-muted text-sm">{SPONSORS.full}</p>
            )}
          </div>
        )}
      </Loaded>
      {(editing === 'new' || edited !== null) && zone.data !== undefined && (
        <Suspense>
          <PinSheet
            key={editing}
            saved={edited}
            timeZone={zone.data.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
            refetch={pins.refetch}
            onClose={() => setEditing(null)}
          />
        </Suspense>
      )}
    </Card>
  );
}

function PinRow({ pin, onEdit }: { pin: SponsorPin; onEdit: () => void }) {
  const { label, tone } = STATES[pin.state];
  return (
    <li className="flex flex-col gap-2 border-line border-b py-4 first:pt-0 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="wrap-anywhere min-w-0 font-medium">{pin.product}</bdi>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="wrap-anywhere text-muted text-sm">
        <bdi>{pin.foods.join(', ')}</bdi> · {daysInWords(pin)}
      </p>
      {pin.state !== 'to_come' && <p className="text-sm">{SPONSORS.figures(numerals(pin.seen), numerals(pin.went))}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="secondary" size="small" onClick={onEdit}>
          <span aria-hidden="true">{SPONSORS.editShort}</span>
          <span className="sr-only">{SPONSORS.edit(pin.product)}</span>
        </Button>
        {pin.proofEndedAt === null ? (
          <>
            <CopyButton text={pin.proofUrl} label={SPONSORS.proof} />
            <EndProof pin={pin} />
          </>
        ) : (
          <span className="text-muted text-sm">{SPONSORS.proofEnded}</span>
        )}
      </div>
    </li>
  );
}

function EndProof({ pin }: { pin: SponsorPin }) {
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const ending = useEndpointMutation(endSponsorProof, { refreshes: [listSponsorPins], successToast: false });
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        {SPONSORS.endProof}
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={SPONSORS.endQuestion}
        description={SPONSORS.endSays}
        keep={SPONSORS.keepProof}
        act={SPONSORS.endProof}
        danger
        busy={ending.isPending}
        onAct={() => ending.mutate({ params: { creatorId, pinId: pin.id } }, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
