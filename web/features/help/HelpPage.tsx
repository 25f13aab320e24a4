import { Link } from 'react-router';
import { QUESTIONS } from '#web/features/help/words.ts';
import { paths } from '#web/paths.ts';
import { Logo } from '#web/shell/Logo.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';

/** Help Docs: readable without logging in, opened in a tab of its own. */
export function Component() {
  usePageTitle('Help');
  return (
    <div className="mx-auto max-w-2xl px-4 py-8">
      <header>
        <Link to={paths.home} className="inline-block rounded-md">
          <Logo />
        </Link>
      </header>
      <main id="main" className="mt-8">
        <h1 className="font-semibold text-2xl">Help</h1>
        <div className="mt-6 flex flex-col gap-7">
          {QUESTIONS.map(({ ask, answer }) => (
            <section key={ask}>
              <h2 className="font-semibold text-lg">{ask}</h2>
              {answer.map((paragraph) => (
                <p key={paragraph} className="mt-2 text-muted">
                  {paragraph}
                </p>
              ))}
            </section>
          ))}
        </div>
      </main>
    </div>
  );
}
