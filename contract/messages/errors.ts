export const messageErrors = {
  MessageNotFound: { status: 404, error: 'This message no longer exists.' },
  NotYourMessage: { status: 403, error: 'Only its sender can delete a message.' },
  NoDiaryEntry: { status: 400, error: 'You have no saved diary entry on this day.' },
  DiaryEntryChanged: {
    status: 400,
    error: 'This diary entry was changed in the meantime. Please look at it again before you share it.',
  },
} as const
