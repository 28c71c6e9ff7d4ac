import { randomUUID } from 'node:crypto'

/**
 * Sends short messages from one process to all, its own included. They contain ids, never texts of people. A message may
 * be lost. Therefore every subscriber also polls the database.
 */
export interface Bus {
  /** A message has at most about 4,000 bytes as JSON. */
  publish(message: object): void
  /** Returns a function that ends the subscription. */
  subscribe(onMessage: OnMessage): () => void
  close(): Promise<void>
}

type OnMessage = (message: unknown) => void

/** A bus for an installation of one process. */
export const createLocalBus = (): Bus => createBusOn(() => ({ send() {}, close: async () => {} }))

/** Sends texts to the other processes. It handles its failures itself: no caller waits for it. */
interface Transport {
  send(text: string): void
  close(): Promise<void>
}

/** The process that publishes receives its message immediately. Other processes receive it through the transport. */
export function createBusOn(createTransport: (receive: (text: string) => void) => Transport): Bus {
  const subscribers = new Set<OnMessage>()
  const sender = randomUUID()
  const deliver = (message: unknown) => {
    for (const onMessage of subscribers) onMessage(message)
  }
  const transport = createTransport((text) => {
    const envelope = readEnvelope(text)
    if (envelope !== undefined && envelope.from !== sender) deliver(envelope.word)
  })
  return {
    publish: (message) => {
      deliver(message)
      transport.send(JSON.stringify({ from: sender, word: message } satisfies Envelope))
    },
    subscribe: (onMessage) => {
      subscribers.add(onMessage)
      return () => void subscribers.delete(onMessage)
    },
    close: () => transport.close(),
  }
}

/** The format between processes. It must not change: processes of two versions may run at the same time. */
interface Envelope {
  from: unknown
  /** The message. */
  word: unknown
}

/** Undefined for a text of another program that uses the same channel. */
function readEnvelope(text: string): Envelope | undefined {
  try {
    const envelope: unknown = JSON.parse(text)
    const isOurs =
      typeof envelope === 'object' && envelope !== null && 'from' in envelope && 'word' in envelope
    return isOurs ? envelope : undefined
  } catch {
    return undefined
  }
}
