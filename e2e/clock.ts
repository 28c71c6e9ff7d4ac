import type { Settings } from '../scripts/testing/running-server.ts'
import { startServers } from '../scripts/testing/servers.ts'

/** Starts the servers with a clock that a restart can set. */
export async function startWithClock(processes: 1 | 2, settings: Settings = {}) {
  const at = (clock: Date) => ({ ...settings, TEST_CLOCK: clock.toISOString() })
  const servers = await startServers(at(new Date()), processes)
  return {
    ...servers,
    restart: (signal: NodeJS.Signals, clock = new Date()) => servers.restart(signal, at(clock)),
  }
}
