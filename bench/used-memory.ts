import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

// Node loads this file into a server before its own code, with `--expose-gc`. It answers the bytes in use after a garbage collection.
const server = createServer((socket) => {
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  socket.on('error', () => {})
  socket.end(String(heapUsed + external))
})
// A worker thread loads this file too.
if (isMainThread) server.listen(process.env['USED_MEMORY'])
server.unref()
