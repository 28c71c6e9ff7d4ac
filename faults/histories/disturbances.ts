import { setTimeout as delay } from 'node:timers/promises'
import type { startInstance } from '../instance.ts'
import { oneOf, randomFrom } from '../random.ts'

export interface DisturbedServer {
  instance: Awaited<ReturnType<typeof startInstance>>
  /** Cuts the connections of its clients. */
  cutClients: () => void
  /** Cuts its connections to the database. */
  cutDatabase: () => void
  /** Cuts its connections to the service that carries its messages. */
  cutMessenger: () => void
}

const disturbances: ((server: DisturbedServer, random: () => number) => Promise<void> | void)[] = [
  ({ cutClients }) => cutClients(),
  ({ cutDatabase }) => cutDatabase(),
  ({ cutMessenger }) => cutMessenger(),
  pause,
  pause,
  async ({ instance }) => {
    await instance.server.end('SIGKILL')
    await instance.startAgain()
  },
]

/** Stops the process between any two of its instructions, and continues it. */
async function pause({ instance }: DisturbedServer, random: () => number) {
  const { process: child } = instance.server
  child.kill('SIGSTOP')
  await delay(100 + random() * 1500)
  child.kill('SIGCONT')
}

/** Disturbs both servers at the same time, each `times` times. The same seed repeats the disturbances and their pauses. */
export async function disturb(servers: DisturbedServer[], times: number, seed: number): Promise<void> {
  await Promise.all(
    servers.map(async (server, index) => {
      const random = randomFrom(2 * seed + index)
      for (let done = 0; done < times; done++) {
        await delay(random() * 500)
        await oneOf(random, disturbances)(server, random)
      }
    }),
  )
}
