import { onTestFinished } from 'vitest'
import { openProxy, type Target } from '../scripts/testing/tcp-proxy.ts'

/** A proxy that is closed after the test. */
export async function startProxy(target: () => Target) {
  const proxy = await openProxy(target)
  onTestFinished(proxy.close)
  return proxy
}
