import type { FastifyInstance } from 'fastify'

const firstWithinMs = 60 * 1000

/**
 * Runs `work` every `everyMs` while the server runs, the first time within a minute. Two runs never overlap. A failed run
 * is logged. The signal aborts when the server closes, and closing waits for the run in progress.
 */
export function schedule(
  app: FastifyInstance,
  name: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
) {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  const begin = () => {
    running ??= work(ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) app.log.error({ err: error }, `${name} failed`)
      })
      .finally(() => (running = undefined))
  }
  const first = setTimeout(begin, Math.min(everyMs, firstWithinMs)).unref()
  const timer = setInterval(begin, everyMs).unref()
  app.addHook('preClose', async () => {
    clearTimeout(first)
    clearInterval(timer)
    ending.abort()
  })
  app.addHook('onClose', async () => running)
}
