import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket, type TcpSocketConnectOpts } from 'node:net'

export type Target = TcpSocketConnectOpts | { path: string }

/** A port on the loopback that passes all bytes on. `target` is called for each connection, because the address may change. */
export async function openProxy(target: () => Target) {
  const open = new Set<Socket>()
  const hold = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer((client) => {
    const there = connect(target())
    hold(client)
    hold(there)
    client.pipe(there).pipe(client)
    client.on('close', () => there.destroy())
    there.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    /** Closes all open connections. */
    cut,
    close: () => {
      server.close()
      cut()
    },
  }
}
