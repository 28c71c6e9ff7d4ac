import { isIP } from 'node:net'
import { deletePushDevice, getPushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import { done } from '#contract/schemas.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { isPublicKey, vapidKeys } from './keys.ts'
import { findEndpoint, removeDevice, saveDevice } from './queries.ts'

const changes: LimitRule = { name: 'push-devices', count: 60, seconds: 3600, by: 'person' }

/** The calls by which a browser gets pushes. An endpoint is not called when it is given (S59). */
export function pushRoutes({ secret }: { secret: string }): Route[] {
  const { publicKey } = vapidKeys(secret)
  return [
    handle(getPushDevice, people, async ({ db, viewer }) => ({
      publicKey,
      endpoint: (await findEndpoint(db, viewer)) ?? null,
    })),

    handle(savePushDevice, people, { limits: [changes], isRepeatable: true }, async (call) => {
      const { input, fail } = call
      if (!isEndpoint(input.endpoint) || !isPublicKey(input.p256dh))
        fail('InvalidInput', { error: 'This is no subscription of a browser.' })
      if (!(await saveDevice(call, input))) fail('SignInRequired')
      return done
    }),

    handle(
      deletePushDevice,
      people,
      { limits: [changes], isRepeatable: true, ...oneStatement },
      async ({ db, viewer }) => {
        await removeDevice(db, viewer)
        return done
      },
    ),
  ]
}

/** Whether a push service can be at this address: https at its usual port, and a name, which is resolved for each push. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.port !== '') return false
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 && /\.[a-z]/i.test(host)
}
