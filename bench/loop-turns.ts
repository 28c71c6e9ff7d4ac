import { createServer } from 'node:net'
import { watchTurns } from '#server/testing/loop-turns.ts'

// Loaded into a server before its own code: who connects has the turns of its loop watched until they end.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  const turns = watchTurns()
  socket.on('error', () => {})
  socket.on('end', () => socket.end(String(turns.stop())))
  socket.resume()
  socket.write('watching')
})
server.listen(process.env['LOOP_TURNS'])
server.unref()
