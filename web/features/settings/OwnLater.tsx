import { OWN_LATER } from '#web/features/settings/words.ts';
import { Card } from '#web/ui/Card.tsx';

/** Support inside somebody's account: what belongs to the person is not the creator's, and stays out of reach. */
export function OwnLater() {
  return (
    <Card title={OWN_LATER.theseAreYourPersonal}>
      <p className="text-muted">{OWN_LATER.theyBelongToYour}</p>
    </Card>
  );
}
