import { BlockList } from 'node:net'
import { linesOf, quoted } from '#contract/instance/lines.ts'
import { readRefusedEmails } from '#contract/instance/refused-sign-ups.ts'
import type { InstanceSettings } from '#contract/instance/settings.ts'
import { readNetwork } from '#server/platform/http/bounds/allowances.ts'
import { memoizeLast } from './memoize-last.ts'

const emailsOf = memoizeLast(readRefusedEmails)
const networksOf = memoizeLast(readNetworks)

export const refusesEmail = ({ refusedEmails }: InstanceSettings, email: string): boolean =>
  emailsOf(refusedEmails)(email)

/** Whether admins refuse a sign-up from an address, as `clientAddress` names it. */
export function refusesNetworkOf({ refusedNetworks }: InstanceSettings, address: string): boolean {
  const [ip = ''] = address.split('/')
  return networksOf(refusedNetworks).check(ip, ip.includes(':') ? 'ipv6' : 'ipv4')
}

/** A line that names no network is left out: `networksError` has refused it. */
function readNetworks(list: string): BlockList {
  const networks = new BlockList()
  for (const found of linesOf(list).map(readNetwork))
    if (!('problem' in found))
      networks.addSubnet(found.first, found.length, found.family === 4 ? 'ipv4' : 'ipv6')
  return networks
}

export function networksError(list: string): string | undefined {
  for (const line of linesOf(list)) {
    const found = readNetwork(line)
    if (!('problem' in found)) continue
    return found.problem === 'form'
      ? `${quoted(line)} is no address or network, such as 192.0.2.0/24.`
      : `${quoted(line)} is an address within the network ${found.network}.`
  }
  return undefined
}
