import { NavLink } from 'react-router';
import { SAVE_TO_EMAIL } from '#web/features/save-to-email/words.ts';
import { paths } from '#web/paths.ts';

const TABS = [
  { to: paths.saveToEmail, label: SAVE_TO_EMAIL.forms },
  { to: paths.emails, label: SAVE_TO_EMAIL.emails },
  { to: paths.newsletter, label: SAVE_TO_EMAIL.newsletter },
  { to: paths.sending, label: SAVE_TO_EMAIL.sending },
];

/** The screens of Save to Email that lie side by side, as links below their page's head. */
export function SaveToEmailTabs() {
  return (
    <nav aria-label={SAVE_TO_EMAIL.title} className="mb-5 flex overflow-x-auto border-line border-b sm:gap-1">
      {TABS.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          end
          className="-mb-px inline-flex min-h-11 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink forced-colors:aria-[current=page]:bg-[Highlight] forced-colors:aria-[current=page]:text-[HighlightText]"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
