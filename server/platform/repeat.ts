import type { FastifyInstance } from 'fastify'

const firstWithinMs = 60 * 1000

/**
 * Does some work again and again while the server runs, at first within a minute and never twice at once; what fails
 * is logged and tried again the next time. The signal tells work in progress that the server is about to end.
 */
export function repeat(
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
