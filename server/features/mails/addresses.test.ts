import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { lookup } from 'node:dns/promises'
import type { Socket } from 'node:net'
import { PerformanceObserver } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { requestPasswordReset } from '#contract/password-resets/endpoints.ts'
import { startWithMail } from '#server/testing/mails.ts'

/** What this process connects to and asks the DNS for, from now on. */
function watchConnections() {
  const ports: number[] = []
  const names: string[] = []
  const follow = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (_address: string, port: number) => ports.push(port))
  }
  subscribe('net.client.socket', follow)
  const note = (entries: PerformanceEntry[]) => names.push(...entries.map((each) => JSON.stringify(each)))
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ entryTypes: ['dns'] })
  onTestFinished(() => {
    unsubscribe('net.client.socket', follow)
    observer.disconnect()
  })
  return {
    ports,
    names: () => {
      note(observer.takeRecords())
      return names
    },
  }
}

test('the domain of an address is neither looked up nor connected to: the relay of the operator gets all mails [REACH-10 S59]', async () => {
  const t = await startWithMail()
  await t.relay.mailTo(t.email)
  const { ports, names } = watchConnections()
  const domains = ['inside.invalid', '169.254.169.254.nip.invalid', 'localhost.localdomain']
  for (const domain of domains) {
    const email = `ben@${domain}`
    await t.person({ email })
    await t.visitor().does(requestPasswordReset, { input: { email } })
    await t.relay.mailTo(email, 'Confirm')
  }
  // A look-up of this process is seen.
  await lookup('seen.invalid').catch(() => {})
  await expect.poll(() => names().filter((name) => name.includes('seen.invalid'))).not.toEqual([])
  // Each mail of the loop has a connection of its own.
  expect(ports.filter((port) => port === t.relay.port)).toHaveLength(domains.length)
  expect(ports.filter((port) => [25, 465, 587, 2525].includes(port))).toEqual([])
  expect(names().filter((name) => domains.some((domain) => name.includes(domain)))).toEqual([])
})
