import { writeFileSync } from 'node:fs'

/** For a process that `startChild` started: it ends with the server, however the server ends. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit())
  if (!process.connected) process.exit()
  // A terminal sends these to all processes. The server ends this one when its last answers are sent.
  process
    .on('SIGINT', () => {})
    .on('SIGTERM', () => {})
    .on('SIGHUP', () => {})
  try {
    // When the memory of the machine is used up, Linux ends this process before the database and the server.
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems have no such file.
  }
}
