import { useNavigation } from 'react-router';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';

/** Covers the old screen with a spinner while the code of the next one is on its way, if that takes noticeably long. */
export function PendingScreen() {
  const { state } = useNavigation();
  if (state !== 'loading') return null;
  return (
    <div className="absolute inset-0 z-20 animate-after-a-moment bg-canvas">
      <CenteredSpinner />
    </div>
  );
}
