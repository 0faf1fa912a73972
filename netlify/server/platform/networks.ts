import { isIPv6 } from 'node:net'
import type { Limit, Turn } from './rateLimits.ts'

/**
 * What an address is counted for: an IPv4 address for itself, an IPv6 address for its /64 (`subnet`) and its /48. Callers
 * without an address count as one.
 */
export function networkTurns(
  ip: string,
  { network, subnet }: { readonly network: Limit; readonly subnet: Limit },
): readonly Turn[] {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(ip) ?? []
  const [address = ''] = ip.split('%')
  if (mapped || !isIPv6(address)) return [{ limit: network, of: mapped ?? ip }]
  const groups = groupsOf(address)
  return [
    { limit: subnet, of: groups.slice(0, 4).join(':') },
    { limit: network, of: groups.slice(0, 3).join(':') },
  ]
}

/** The eight groups of an IPv6 address, each in its only form. */
function groupsOf(address: string): readonly string[] {
  // An address has one form only as the host of a URL.
  const [start, end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const partsOf = (part = '') => part.split(':').filter((group) => group !== '')
  const before = partsOf(start)
  const after = partsOf(end)
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
