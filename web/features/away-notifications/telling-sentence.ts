/** Says how a person is told of an event. */
export const tellingSentence = (sendsMail: boolean): string =>
  sendsMail
    ? 'You are told once: on an open page, else by a push, else by a mail after 30 minutes. The bell keeps all of it. No mail contains what somebody has written.'
    : 'You are told once: on an open page, else by a push. The bell keeps all of it.'
