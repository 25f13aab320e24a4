import { PasswordCard } from '#web/features/settings/PasswordCard.tsx';
import { SecondFactorCard } from '#web/features/settings/SecondFactorCard.tsx';
import { SessionsCard } from '#web/features/settings/SessionsCard.tsx';

export function SecurityPanel() {
  return (
    <div className="flex flex-col gap-5">
      <PasswordCard />
      <SecondFactorCard />
      <SessionsCard />
    </div>
  );
}
