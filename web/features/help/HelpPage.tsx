import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Logo } from '#web/shell/Logo.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';

/** Questions creators ask, with the platform's rules behind the answers. Figures: Meta's documented limits. */
const QUESTIONS: { ask: string; answer: string[] }[] = [
  {
    ask: 'What happens when somebody comments?',
    answer: [
      'Creator HQ reads the comment, looks for your words in it, and sends the message you wrote as a direct message. If you wrote public replies, one of them appears under the comment.',
      'Every comment ends with a line in your activity that says what was done and why, also when nothing was sent.',
    ],
  },
  {
    ask: 'Somebody says the message never came',
    answer: [
      'If she does not follow you, Instagram puts it into her Requests folder: ask her to look there.',
      'Otherwise look for her name in the activity. The line says whether it was sent, opened, still waits or was refused, and what you can do.',
    ],
  },
  {
    ask: 'Why did one comment get an answer and another did not?',
    answer: [
      'The line of each comment names the words that matched, or says that none did. In the tester beside an automation you can try any comment without sending anything.',
      'Instagram allows one private answer per comment and only within seven days. The same person is not answered twice by one automation unless you allow it.',
    ],
  },
  {
    ask: 'My post goes viral. Are messages lost?',
    answer: [
      'No. Instagram limits how many private answers go out per hour, so the rest waits in line and goes out as soon as it may. Home shows how many wait and until when.',
    ],
  },
  {
    ask: 'It says that I should reconnect',
    answer: [
      'Meta ended the permission, most often after a changed password. Open Settings, Connections, and press Reconnect. Comments that came meanwhile are answered afterwards, as long as Instagram’s seven days are not over.',
    ],
  },
  {
    ask: 'Which accounts can be connected?',
    answer: [
      'Instagram professional accounts (creator or business), directly or through a linked Facebook Page. A personal account can be switched in the Instagram app for free.',
    ],
  },
];

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
