import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from './app.ts'

/**
 * A proxy before the app, at an address of its own. `answersItself` gets each request first, and returns true when it has
 * answered in the place of the server.
 */
export async function startProxy(
  { url }: App,
  answersItself: (incoming: IncomingMessage, answer: ServerResponse) => boolean,
) {
  const server = createServer((incoming, answer) => {
    if (answersItself(incoming, answer)) return
    const { url: path, method, headers } = incoming
    const passed = request(`${url}${path}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((isOpen) => server.listen(0, '127.0.0.1', isOpen))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
