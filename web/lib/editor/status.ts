import { RequestError } from '#web/lib/request.ts'
import type { Snapshot } from './manuscript.ts'

/** What the margin says of a text, in words. */
export function editorStatus({ state, savedAt, error }: Snapshot): string {
  switch (state) {
    case 'opening':
    case 'unchanged':
      return savedAt === null ? '' : savedWords(savedAt)
    case 'typed':
      return 'Not saved yet'
    case 'safe':
      return 'Safe on this device'
    case 'unkept':
      return 'Not saved, and this browser cannot keep it'
    case 'saving':
      return 'Saving…'
    case 'saved':
      return savedAt === null ? '' : savedWords(savedAt)
    case 'failed':
      return `Not saved: ${reasonOf(error)}, try again`
  }
}

const savedWords = (at: Date) => `Saved ${time.format(at)}`

const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

function reasonOf(error: unknown): string {
  if (error instanceof RequestError) return (error.error ?? 'the server refused it').replace(/\.$/, '')
  return error instanceof TypeError ? 'no connection' : 'something went wrong'
}
