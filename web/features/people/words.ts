/** The login page keeps its own texts: from here it would take all of these into the first load. */
export const SETUP = {
  pageTitle: 'Set up your account',
  instagramFirst: ['Connect Instagram', 'Your handle'],
  handleFirst: ['Your handle', 'Connect'],
  connectTitle: 'Connect your Instagram',
  anotherTitle: 'Start another creator account',
  connectLead: 'You need a professional account (creator or business). Switching is free.',
  connect: 'Connect with Instagram',
  byHandle: 'Use Facebook instead, or connect later',
  handleTitle: 'What do followers call you?',
  handleHint: '2 to 30 letters, numbers, periods or underscores.',
  later: 'Do this later',
  laterMeans: ': you can look around, but automations only reply once you connect an account.',
  loading: 'Loading your account',
  failed: 'Couldn’t load your account',
  done: 'Go to Creator HQ',
} as const;

export const setupWords = {
  cancel: (handle: string) => `Cancel, back to @${handle}`,
  handleLead: (isAnother: boolean) =>
    `Most people use their Instagram handle. This is ${isAnother ? 'the' : 'your'} account’s name in Creator HQ.`,
  connectTitle: (handle: string) => `Connect your account, @${handle}`,
};

export const FORGOT_PASSWORD_PAGE = {
  checkYourEmail: 'Check your email',
  backToLogin: 'Back to login',
  forgotYourPassword: 'Forgot your password?',
  enterYourEmailAnd: 'Enter your email and we’ll send you a link to set a new one.',
  sendLink: 'Send link',
  email: 'Email',
} as const;

export const INVITED = {
  loadingYourInvite: 'Loading your invite',
  thisInviteNoLonger: 'This invite no longer works',
  itMayHaveBeen:
    'It may have been answered, canceled or replaced by a newer one. Look for a newer email, or ask for another invite.',
  goToLogin: 'Go to login',
  tryAgain: 'Try again',
  continueWithoutTheInvite: 'Continue without the invite',
} as const;

export const OTHER_PERSONS_INVITE = {
  thisInviteIsFor: 'This invite is for someone else',
  logOutToUse: 'Log out to use the other address, or ask for an invite to this one.',
  logOut: 'Log out',
  goToCreatorHq: 'Go to Creator HQ',
} as const;

export const PASSWORD_RESET_PAGE = {
  passwordChanged: 'Password changed',
  logInWithYour: 'Log in with your new password.',
  setANewPassword: 'Set a new password',
  thisLogsOutAll: 'This logs out all your devices.',
  savePassword: 'Save password',
  newPassword: 'New password',
  atLeast10Characters: 'At least 10 characters. A few words you’ll remember work best.',
  getANewLink: 'Get a new link',
  backToLogin: 'Back to login',
  thisLinkIsIncomplete: 'This link is incomplete',
  openTheLinkIn: 'Open the link in the email again, or copy all of it into the address bar.',
} as const;

export const SIGNUP_PAGE = {
  signUpIsBy: 'Sign-up is by invitation',
  openTheLinkIn: 'Open the link in your invite email. No invite? Ask a teammate or the people who run this Creator HQ.',
  signUpIsClosed: 'Sign-up is closed',
  thisCreatorHqIsnt: 'This Creator HQ isn’t taking new accounts.',
  logIn: 'Log in',
  createAccount: 'Create account',
  yourName: 'Your name',
  email: 'Email',
  theInviteIsFor: 'The invite is for this address.',
  password: 'Password',
  atLeast10Characters: 'At least 10 characters. A few words you’ll remember work best.',
  createYourAccount: 'Create your account',
  nextYoullConnect: 'Next, you’ll connect Instagram or Facebook.',
  someoneOnTheTeam: 'Someone on the team',
  checkYourEmail: 'Check your email',
  nothingAfterAFew: 'Nothing after a few minutes? Check your spam folder.',
  backToLogin: 'Back to login',
} as const;

export const VERIFY_EMAIL_PAGE = {
  emailConfirmed: 'Email confirmed',
  confirmingYourEmail: 'Confirming your email',
  goToLogin: 'Go to login',
  tryAgain: 'Try again',
  confirmYourEmail: 'Confirm your email',
  confirm: 'Confirm',
  password: 'Password',
  forgotPassword: 'Forgot password?',
  didntSignUpClose: 'Didn’t sign up? Close this page and nothing happens.',
  thisLinkIsIncomplete: 'This link is incomplete',
  openTheLinkIn: 'Open the link in the email again, or copy all of it into the address bar.',
} as const;
