import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not the public internet (IANA, special-purpose addresses). */
const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
/** Networks among the global ones of IPv6 that hold an IPv4 address, or are not the public internet. */
const specialIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, prefix] of specialIpv4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of specialIpv6) special.addSubnet(network, prefix, 'ipv6')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address belongs to the public internet. An IPv6 address outside of the global ones, such as one that maps an
 * IPv4 address, does not.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
