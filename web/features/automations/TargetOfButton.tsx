import { X } from 'lucide-react';
import { getAppLink } from '#contract/app-links.ts';
import type { AutomationInput } from '#contract/automations.ts';
import { getMealPlan } from '#contract/meal-plans.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { IconButton } from '#web/ui/Button.tsx';

type LinkButton = AutomationInput['buttons'][number];
type Props = { url: string; onRemove: () => void };

/** Where a button leads that points to a meal plan or an app link. */
export function TargetOfButton({ button, onChange }: { button: LinkButton; onChange: (button: LinkButton) => void }) {
  const { mealPlanId, appLinkId, ...link } = button;
  const rest = { url: button.url, onRemove: () => onChange(link) };
  if (mealPlanId !== undefined) return <PlanOfButton mealPlanId={mealPlanId} {...rest} />;
  return appLinkId === undefined ? null : <AppLinkOfButton appLinkId={appLinkId} {...rest} />;
}

function PlanOfButton({ mealPlanId, url, onRemove }: Props & { mealPlanId: string }) {
  const { creatorId } = useCreator();
  const { data } = useEndpoint(getMealPlan, { params: { creatorId, mealPlanId } }, { retry: false });
  const says = data?.published === null ? 'Not published' : addressInShort(data?.published?.url ?? url);
  return <Row to={paths.mealPlan(mealPlanId)} name={data?.name ?? 'A meal plan'} says={says} onRemove={onRemove} />;
}

function AppLinkOfButton({ appLinkId, url, onRemove }: Props & { appLinkId: string }) {
  const { creatorId } = useCreator();
  const { data } = useEndpoint(getAppLink, { params: { creatorId, appLinkId } }, { retry: false });
  const says = data?.state === 'ended' ? 'Ended' : addressInShort(data?.address ?? url);
  const to = `${paths.appLinks}?search=${encodeURIComponent(data?.name ?? '')}`;
  return <Row to={to} name={data?.name ?? 'An app link'} says={says} onRemove={onRemove} />;
}

function Row({ to, name, says, onRemove }: { to: string; name: string; says: string; onRemove: () => void }) {
  return (
    <div className="flex items-center gap-3">
      <span className="min-w-0 flex-1">
        <TextLink to={to} className="block truncate text-sm">
          <bdi>{name}</bdi>
        </TextLink>
        <bdi className="block truncate text-muted text-sm">{says}</bdi>
      </span>
      <IconButton label="Enter a link instead" onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
