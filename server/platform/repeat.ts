import type { FastifyInstance } from 'fastify'

/** Does some work again and again while the server runs; what fails is logged and tried again the next time. */
export function repeat(app: FastifyInstance, name: string, everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = work().catch((error: unknown) => app.log.error({ err: error }, `${name} failed`))
  }, everyMs)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await running
  })
}
