import { randomUUID } from 'node:crypto'

/**
 * Carries short words from one process to all, its own included: names of things, never what people wrote. A word may
 * be lost, so that everybody also looks for themself from time to time.
 */
export interface Bus {
  /** At most some 4,000 bytes as JSON. */
  publish(word: object): void
  /** Gives back how to stop listening. */
  subscribe(hear: Hear): () => void
  close(): Promise<void>
}

export type Hear = (word: unknown) => void

/** For one process. */
export const createLocalBus = (): Bus => createBusOn(() => ({ send() {}, close: async () => {} }))

/** What brings texts to the other processes. Failing to is its own affair: nobody waits for it. */
interface Carrier {
  send(text: string): void
  close(): Promise<void>
}

/** A bus whose own process hears each word at once, and the others by the carrier. */
export function createBusOn(carrierFor: (receive: (text: string) => void) => Carrier): Bus {
  const listeners = new Set<Hear>()
  const sender = randomUUID()
  const tell = (word: unknown) => {
    for (const hear of listeners) hear(word)
  }
  const carrier = carrierFor((text) => {
    const letter = readLetter(text)
    if (letter !== undefined && letter.from !== sender) tell(letter.word)
  })
  return {
    publish: (word) => {
      tell(word)
      carrier.send(JSON.stringify({ from: sender, word }))
    },
    subscribe: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    close: () => carrier.close(),
  }
}

/** Others may use the same messenger. */
function readLetter(text: string): { from: unknown; word: unknown } | undefined {
  try {
    const letter: unknown = JSON.parse(text)
    const isLetter = typeof letter === 'object' && letter !== null && 'from' in letter && 'word' in letter
    return isLetter ? letter : undefined
  } catch {
    return undefined
  }
}
