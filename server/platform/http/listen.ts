import { once } from 'node:events'
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { OperatorError } from '../operator-error.ts'

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

/** Refuses a host on which no server can listen, and a port on which one listens already. Port 0 is any free one. */
export async function checkHost(host: string, port = 0): Promise<void> {
  await explained({ host, port, backlog: 1 }, async (place) => close(await listen(createServer(), place)))
}

/** Listens with several sockets on one port where the system can. Returns the address. */
export const listenOnMany = (app: FastifyInstance, place: Place): Promise<string> =>
  explained(place, () => listenOn(app, place))

async function explained<T>(place: Place, work: (place: Place) => Promise<T>): Promise<T> {
  try {
    return await work(place)
  } catch (error) {
    const remedy = remedies(place)[(error as NodeJS.ErrnoException).code ?? '']
    throw remedy === undefined ? error : new OperatorError(remedy, { cause: error })
  }
}

const remedies = ({ host, port }: Place): Record<string, string> => ({
  EADDRINUSE: `Another program listens on port ${port} of ${host}. Stop it, or set PORT to another number.`,
  EACCES: `This account may not listen on port ${port}. Set PORT to a number above 1023.`,
  EINVAL: `HOST is ${host}, on which no server can listen. Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
  EADDRNOTAVAIL: `HOST is ${host}, which is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
  EAI_AGAIN: `The address of HOST (${host}) cannot be looked up now. Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
  ENOTFOUND: `HOST is ${host}, which has no address. Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
})

async function listenOn(app: FastifyInstance, place: Place): Promise<string> {
  if (process.platform !== 'linux') return app.listen(place)
  // Sockets with `reusePort` may share a port with those of another process of the same account. So listen without it first,
  // which fails when another program listens. Two servers that start at the same moment may both pass this check.
  if (place.port !== 0) await close(await listen(createServer(), place))
  const more: Server[] = []
  // The hooks of the features, which are registered before this one, have ended the streams by then.
  app.addHook('preClose', () => Promise.all(more.map(close)).then(() => undefined))
  const shared = { ...place, reusePort: true }
  const url = await app.listen(shared)
  const { address: host, port } = app.server.address() as AddressInfo
  for (let n = 1; n < sockets; n++) {
    // Node uses these options for its own HTTP server.
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
