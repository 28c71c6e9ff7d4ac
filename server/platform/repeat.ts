import type { FastifyInstance } from 'fastify'

/**
 * Does some work again and again while the server runs, never twice at once; what fails is logged and tried again the
 * next time.
 */
export function repeat(app: FastifyInstance, name: string, everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => app.log.error({ err: error }, `${name} failed`))
      .finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await running
  })
}
