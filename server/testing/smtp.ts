import { onTestFinished } from 'vitest'
import { openRelay } from './smtp-server.ts'

/** A real SMTP server, closed when the test ends. */
export async function startRelay(options?: Parameters<typeof openRelay>[0]) {
  const relay = await openRelay(options)
  onTestFinished(relay.close)
  return relay
}
