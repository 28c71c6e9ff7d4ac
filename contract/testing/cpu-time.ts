/** The processor time of a piece of work. Other work on the machine does not count. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
