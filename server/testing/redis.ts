import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

export const redisIsMissing = !(process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'redis-server')))

/** Starts a Redis that can go away and come back. The caller stops it. */
export async function launchRedis() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  let running = await run(port)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => running.stop(),
    start: async () => {
      running = await run(port)
    },
    /** Lets it keep its connections and answer nothing. */
    pause: () => running.process.kill('SIGSTOP'),
    resume: () => running.process.kill('SIGCONT'),
  }
}

async function run(port: number) {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const redis = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(redis, 'exit')
  for await (const line of createInterface(redis.stdout)) if (line.includes('Ready to accept')) break
  redis.stdout.resume()
  const stop = async () => {
    redis.kill('SIGKILL')
    await ended
  }
  return { process: redis, stop }
}
