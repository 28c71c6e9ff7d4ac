import type { TextKind } from '#web/lib/editor/text-kind.ts'
import { isSentLater } from '#web/lib/editor/requested-save.ts'
import { shortTime } from '#web/lib/short-time.ts'
import type { UnsentText, UnsentTexts } from './sender.ts'

/** What the line in the frame says; empty when nothing waits and the browser is online. */
export function unsentLine({ texts, isOffline }: UnsentTexts, kinds: TextKind[]): string {
  const sentLater = texts.filter(isSentLater)
  const stopped = texts.filter((text) => !isSentLater(text))
  const sentences = [
    isOffline && 'You are offline.',
    sentLater.length > 0 &&
      `${counted(sentLater, kinds)} ${sentLater.length === 1 ? 'waits' : 'wait'} on this device.`,
    stopped.length > 0 &&
      `${counted(stopped, kinds)} ${stopped.length === 1 ? 'needs' : 'need'} your decision.`,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

/** Such as '1 day and 2 drafts'. */
function counted(texts: UnsentText[], kinds: TextKind[]): string {
  const counts = kinds.flatMap((kind) => {
    const { length } = texts.filter((text) => text.kind === kind)
    return length === 0 ? [] : [`${length} ${kind.nouns[length === 1 ? 0 : 1]}`]
  })
  return list.format(counts)
}

const list = new Intl.ListFormat('en')

/** What becomes of a text, in the list. */
export function stateOf({ since, hasConflict, refusal }: UnsentText, today: Date): string {
  const time = shortTime(since, today)
  if (hasConflict) return `Needs your decision since ${time}: this text was also changed elsewhere.`
  return refusal === undefined ? `Waits to be sent since ${time}.` : `Not saved since ${time}: ${refusal}`
}
