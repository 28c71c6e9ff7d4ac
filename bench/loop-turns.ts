import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { collectGarbage, watchTurns } from '#server/testing/loop-turns.ts'

// Loaded into a server before its own code. While a client is connected, it records the turns of the event loop.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  collectGarbage()
  const turns = watchTurns()
  socket.on('error', () => {})
  socket.on('end', () => socket.end(String(turns.stop())))
  socket.resume()
  socket.write('watching')
})
// A worker thread loads this file too.
if (isMainThread) server.listen(process.env['LOOP_TURNS'])
server.unref()
