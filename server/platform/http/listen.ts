import { once } from 'node:events'
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Node accepts one connection of a listening socket in each turn of its event loop. Under load a turn takes 10 to 40 ms,
 * and new callers would wait many seconds while those with open connections are served (decision 22). The kernel spreads
 * new connections over these sockets.
 */
const sockets = 16

interface Place {
  host: string
  port: number
  backlog: number
}

/** Listens with several sockets on one port where the system can. Fails when another program listens there. */
export async function listenOnMany(app: FastifyInstance, place: Place): Promise<string> {
  if (process.platform !== 'linux') return app.listen(place)
  // Processes of one account may share a port whose sockets have `reusePort`, so first listen without it.
  if (place.port !== 0) await close(await listen(createServer(), place))
  const more: Server[] = []
  // Registered last: it waits until the hooks of the features have ended the streams.
  app.addHook('preClose', () => Promise.all(more.map(close)).then(() => undefined))
  const shared = { ...place, reusePort: true }
  const url = await app.listen(shared)
  const { address: host, port } = app.server.address() as AddressInfo
  for (let n = 1; n < sockets; n++) {
    // As Node makes the sockets of its own HTTP server.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    )
    more.push(await listen(other, { ...shared, host, port }))
  }
  return url
}

async function listen(server: Server, options: ListenOptions) {
  server.listen(options)
  // Rejects with the `error` event.
  await once(server, 'listening')
  return server
}

const close = (server: Server) => new Promise<void>((resolve) => void server.close(() => resolve()))
