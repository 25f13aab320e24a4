/**
 * The first script of a visit, small enough to run long before the rest has arrived. It asks for what every screen waits
 * for, and fetches the frame of this screen beside the app's main code instead of after it.
 */
import '#web/ui/tokens.css';
import { API_BASE } from '#contract/endpoint.ts';
import { paths } from '#web/paths.ts';
import { WIDE } from '#web/shell/breakpoints.ts';
import { beginEarly } from '#web/shell/early-calls.ts';

// Spelt out, because the contract's own objects would bring the schema library into this script.
void beginEarly(`${API_BASE}/auth/me`);
void beginEarly(`${API_BASE}/env`);

const { pathname } = location;
if (pathname === paths.login) {
  void import('#web/shell/PublicLayout.tsx');
  void import('#web/features/people/LoginPage.tsx');
} else if (pathname === paths.home || pathname === paths.root) {
  void import('#web/frames/MainFrame.tsx');
  // The menu waits for the flags; where it is closed at first, they do not compete with the page.
  if (matchMedia(WIDE).matches) void import('#web/features/flags/openfeature.ts');
  void import('#web/features/home/HomePage.tsx');
}
// One after the other: a slow phone is not held up by running all of the app's code in one go.
void import('react-dom/client').then(() => import('#web/shell/query-client.ts')).then(() => import('#web/main.tsx'));
