import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { createOutgoing, type CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { openPushService, pushOrigin } from './push-server.ts'

/**
 * A push service of a test. The endpoints of its browsers have a public name: the function by which the server of the test
 * makes its calls leads from the name to this machine.
 */
export async function startPushService(answer?: RequestListener) {
  const service = await openPushService(answer)
  onTestFinished(service.close)
  const outgoing = createOutgoing({ mayCall: () => true })
  const callOutgoing: CallOutgoing = (call) =>
    outgoing({ ...call, url: call.url.replace(pushOrigin, `http://127.0.0.1:${service.port}`) })
  return Object.assign(service, { callOutgoing })
}
