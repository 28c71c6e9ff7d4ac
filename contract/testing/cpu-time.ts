/** The processor time of a piece of work. Other work on the machine does not count. */
export function cpuMsOf(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
