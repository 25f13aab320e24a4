/** Everything that keeps an automation from being saved, for the server and for the editor alike. */
import type { AutomationInput, Scope, Trigger } from '#contract/automations.ts';
import { checkRule } from '#contract/matching/index.ts';
import { checkMessage, checkPublicReply, type MessageProblem } from '#contract/message-text.ts';

export type AutomationProblem = {
  /** `messageText`, `buttons.0.url`, `opening.text`, `translations.1.publicReplies.0` … */
  path: string;
  severity: 'error' | 'warning';
  /** For the creator. */
  message: string;
};

/** Where an automation can listen, by what it listens to. Mentions and messages are of the account, not of a post. */
export const SCOPES_OF: Record<Trigger, readonly Scope[]> = {
  comment: ['one', 'any', 'next', 'caption'],
  live_comment: ['one', 'any', 'next'],
  story_reply: ['one', 'any', 'next'],
  story_mention: ['any'],
  direct_message: ['any'],
};

/** Only comments can be answered in public. */
export function canAnswerInPublic(trigger: Trigger): boolean {
  return trigger === 'comment' || trigger === 'live_comment';
}

/** Mentions carry no text of their own. */
export function listensForWords(trigger: Trigger): boolean {
  return trigger !== 'story_mention';
}

/** `scope` may be left out: then a post says it. */
export function scopeOf({ scope, postId }: Pick<AutomationInput, 'scope' | 'postId'>): Scope {
  return scope ?? (postId === null ? 'any' : 'one');
}

/** All problems, errors first; empty when it can be saved without a word. */
export function checkAutomation(input: AutomationInput): AutomationProblem[] {
  const problems = [
    ...checkPlace(input),
    ...checkWords(input),
    ...of('messageText', checkMessage({ text: input.messageText, buttons: input.buttons })),
    ...input.publicReplies.flatMap((reply, at) => of(`publicReplies.${at}`, checkPublicReply(reply))),
    ...input.variants.flatMap(({ text }, at) =>
      of(`variants.${at}.text`, ofText(checkMessage({ text, buttons: input.buttons }))),
    ),
    ...checkSteps(input),
    ...checkTranslations(input),
  ];
  return problems.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

function checkPlace(input: AutomationInput): AutomationProblem[] {
  const scope = scopeOf(input);
  const problems: AutomationProblem[] = [];
  const refuse = (path: string, message: string) => problems.push({ path, severity: 'error', message });
  if (!SCOPES_OF[input.trigger].includes(scope)) refuse('scope', 'This can’t be limited to one post, story or live.');
  if (scope === 'one' && input.postId === null) refuse('postId', 'Choose where it applies.');
  if (scope !== 'one' && input.postId !== null)
    refuse('postId', 'It applies in more than one place, so don’t choose a post.');
  if (scope === 'caption' && input.captionWords.length === 0) {
    refuse('captionWords', 'Add a word the caption must contain.');
  }
  return problems;
}

/** Without words of its own it needs a set of Custom Keywords. */
function checkWords(input: AutomationInput): AutomationProblem[] {
  if (!listensForWords(input.trigger)) return [];
  return checkRule(input)
    .filter(({ code }) => code !== 'no_words' || input.keywordIds.length === 0)
    .map(({ field, severity, message }) => ({ path: field, severity, message }));
}

/** Texts before and after the delivery. A tap step has one button, so its text is shorter. */
function checkSteps({ opening, followAsk, emailAsk, followUp }: AutomationInput): AutomationProblem[] {
  const problems: AutomationProblem[] = [];
  for (const [path, step] of Object.entries({ opening, followAsk })) {
    if (step === null) continue;
    // The platform sends a tap step like a message with a link button; the address only fills its place here.
    const asMessage = { text: step.text, buttons: [{ title: step.buttonTitle, url: 'https://tap.example' }] };
    for (const problem of checkMessage(asMessage)) {
      const part = problem.path === 'text' ? 'text' : 'buttonTitle';
      problems.push({ path: `${path}.${part}`, severity: problem.severity, message: problem.message });
    }
  }
  if (emailAsk !== null) {
    problems.push(...of('emailAsk.text', ofText(checkMessage({ text: emailAsk.text, buttons: [] }))));
  }
  if (followUp !== null) {
    problems.push(...of('followUp.text', ofText(checkMessage({ text: followUp.text, buttons: [] }))));
  }
  return problems;
}

function checkTranslations({ translations, buttons }: AutomationInput): AutomationProblem[] {
  const problems: AutomationProblem[] = [];
  const languages = new Set<string>();
  for (const [at, { language, messageText, publicReplies }] of translations.entries()) {
    if (languages.has(language)) {
      problems.push({
        path: `translations.${at}.language`,
        severity: 'error',
        message: 'This language is listed twice.',
      });
    }
    languages.add(language);
    problems.push(
      ...of(`translations.${at}.messageText`, ofText(checkMessage({ text: messageText, buttons }))),
      ...publicReplies.flatMap((reply, place) =>
        of(`translations.${at}.publicReplies.${place}`, checkPublicReply(reply)),
      ),
    );
  }
  return problems;
}

/** The buttons belong to the message itself and are named there once. */
function ofText(problems: MessageProblem[]): MessageProblem[] {
  return problems.filter(({ path }) => path === 'text');
}

function of(textPath: string, problems: MessageProblem[]): AutomationProblem[] {
  return problems.map(({ path, severity, message }) => ({
    path: path === 'text' ? textPath : path,
    severity,
    message,
  }));
}
