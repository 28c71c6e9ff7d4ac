import { timeOfDay } from '#web/lib/locale.ts'
import { RequestError } from '#web/lib/request.ts'
import type { Snapshot } from './snapshot.ts'

/** The state of a text in words, for the row beside it. */
export function editorStatus({ state, savedAt, error, isSentLater }: Snapshot): string {
  switch (state) {
    case 'loading':
    case 'unchanged':
    case 'saved':
      return savedAt === null ? '' : `Saved ${timeOfDay(savedAt)}`
    case 'changed':
      return 'Not saved yet'
    case 'draftStored':
      return isSentLater ? sentLater : 'Safe on this device'
    case 'draftFailed':
      return 'Not saved, and this browser cannot keep it'
    case 'saving':
      return 'Saving…'
    case 'failed':
      if (isSentLater) return sentLater
      return isSessionOver(error)
        ? 'Not saved. Log in and try again; your text is kept here.'
        : `Not saved: ${reasonOf(error)}, try again`
  }
}

const sentLater = 'Safe on this device, will be sent'

export const tooLong = (over: number): string => `${over} ${over === 1 ? 'character' : 'characters'} too long`

const isSessionOver = (error: unknown) => error instanceof RequestError && error.status === 401

function reasonOf(error: unknown): string {
  if (error instanceof RequestError) return (error.error ?? 'the server refused it').replace(/\.$/, '')
  return error instanceof TypeError ? 'no connection' : 'something went wrong'
}
