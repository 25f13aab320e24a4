/** Questions creators ask, with the platform's rules behind the answers. Figures: Meta's documented limits. */
export const QUESTIONS: { ask: string; answer: string[] }[] = [
  {
    ask: 'What happens when someone comments?',
    answer: [
      'If the comment has your keyword, Creator HQ sends your message as a DM. If you wrote public replies, one of them is posted under the comment.',
      'Your activity shows what happened to every comment and why, even when nothing was sent.',
    ],
  },
  {
    ask: 'Someone says they never got the message',
    answer: [
      'If they don’t follow you, Instagram puts your message in their message requests. Ask them to look there.',
      'Or search their handle in Contacts. You’ll see whether the message was sent and opened, and what you can do.',
    ],
  },
  {
    ask: 'Why did one comment get a reply and another didn’t?',
    answer: [
      'Your activity shows which keyword matched each comment, if any did. In an automation, under “Test”, you can try any comment without sending anything.',
      'Instagram allows one DM per comment, within 7 days. An automation doesn’t message the same person twice in a day unless you change that.',
    ],
  },
  {
    ask: 'My post goes viral. Are messages lost?',
    answer: [
      'No. Instagram limits how many DMs you can send per hour. The rest wait in the queue and go out as soon as Instagram allows. Home shows how many are waiting and until when.',
    ],
  },
  {
    ask: 'Why do I have to reconnect my account?',
    answer: [
      'Instagram signed us out, usually because your password changed. Go to Settings > Connections and tap Reconnect. Comments from the last 7 days still get their reply.',
    ],
  },
  {
    ask: 'Which accounts can I connect?',
    answer: [
      'Instagram professional accounts (creator or business), directly or through a linked Facebook Page. You can switch a personal account for free in the Instagram app.',
    ],
  },
];
