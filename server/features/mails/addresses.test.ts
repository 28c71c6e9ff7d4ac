import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { requestPasswordReset } from '#contract/password-resets/endpoints.ts'
import { startWithMail } from '#server/testing/mails.ts'

/** The ports that this process connects to from now on. */
function watchConnections() {
  const ports: number[] = []
  const follow = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (_address: string, port: number) => ports.push(port))
  }
  subscribe('net.client.socket', follow)
  onTestFinished(() => void unsubscribe('net.client.socket', follow))
  return ports
}

test('nothing connects to the domain of an address: the relay of the operator gets all mails [REACH-10 S59]', async () => {
  const t = await startWithMail()
  await t.relay.mailTo(t.email)
  const ports = watchConnections()
  const domains = ['inside.invalid', '169.254.169.254.nip.invalid', 'localhost.localdomain']
  for (const domain of domains) {
    const email = `ben@${domain}`
    await t.person({ email })
    await t.visitor().does(requestPasswordReset, { input: { email } })
    await t.relay.mailTo(email, 'Confirm')
  }
  // Each mail of the loop has a connection of its own.
  expect(ports.filter((port) => port === t.relay.port)).toHaveLength(domains.length)
  expect(ports.filter((port) => [25, 465, 587, 2525].includes(port))).toEqual([])
})
