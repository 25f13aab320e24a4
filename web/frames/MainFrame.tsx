import { useMemo } from 'react';
import type { Me } from '#contract/session.ts';
import { Banners } from '#web/features/banners/Banners.tsx';
import { useFlags } from '#web/features/flags/use-flags.ts';
import { usePendingInvites } from '#web/features/switching/use-pending-invites.ts';
import { AccountTools } from '#web/frames/AccountTools.tsx';
import { Frame } from '#web/frames/Frame.tsx';
import { paths } from '#web/paths.ts';
import { MainLayout } from '#web/shell/MainLayout.tsx';
import { navigationFor } from '#web/shell/navigation.ts';
import { useEnv } from '#web/shell/session.ts';

/** The main group: needs somebody with a creator. */
export function Component() {
  return <Frame group="main">{(me) => <Inside me={me} />}</Frame>;
}

function Inside({ me }: { me: Me }) {
  const flags = useFlags(me);
  const invites = usePendingInvites(me);
  const { helpDocsUrl, hasFans = false } = useEnv().data ?? {};
  const navigation = useMemo(() => flags && navigationFor(flags, { hasFans }), [flags, hasFans]);
  return (
    <MainLayout
      me={me}
      navigation={navigation}
      helpHref={helpDocsUrl ?? paths.help}
      tools={<AccountTools me={me} flags={flags} withSettings invites={invites} />}
      banners={<Banners me={me} invites={invites.invites} onOpenInvites={() => invites.setOpen(true)} />}
    />
  );
}
