import { isIPv6 } from 'node:net'
import type { RateLimit, RateLimitKey } from './rateLimits.ts'

/** An IPv4 address, or the /64 (`subnet`) and /48 of an IPv6 one. Callers without an address share one. */
export function listNetworkKeys(
  ip: string,
  { network, subnet }: { readonly network: RateLimit; readonly subnet: RateLimit },
): readonly [narrowest: RateLimitKey, ...wider: RateLimitKey[]] {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(ip) ?? []
  const [address = ''] = ip.split('%')
  if (mapped || !isIPv6(address)) return [{ limit: network, of: mapped ?? ip }]
  const groups = parseIPv6Groups(address)
  return [
    { limit: subnet, of: groups.slice(0, 4).join(':') },
    { limit: network, of: groups.slice(0, 3).join(':') },
  ]
}

function parseIPv6Groups(address: string): readonly string[] {
  // The host of a URL has the canonical form.
  const [start, end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const split = (part = '') => part.split(':').filter((group) => group !== '')
  const before = split(start)
  const after = split(end)
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
