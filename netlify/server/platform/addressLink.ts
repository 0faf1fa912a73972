import { DAY } from '../../../domain/common/duration.ts'
import type { Context } from './context.ts'
import { isSameSecret } from './isSameSecret.ts'

/** How long the proof in a mailed link is valid, in milliseconds: as long as the sign-in service's code. */
export const ADDRESS_LINK_LIFETIME = 3 * DAY

/** The account that requested the link, and the address to which it was mailed. */
interface AddressLink {
  readonly uid: string
  readonly address: string
}

/** Creates the proof that a mailed link contains. Only someone who reads that mailbox sees it. */
export function createAddressProof(context: Pick<Context, 'pseudonym' | 'now'>, link: AddressLink): string {
  const endsAt = context.now() + ADDRESS_LINK_LIFETIME
  return `${endsAt}.${sign(context, link, endsAt)}`
}

/** Whether the proof comes from a link that this account requested for this address, and has not expired. */
export function isAddressProof(
  context: Pick<Context, 'pseudonym' | 'now'>,
  link: AddressLink,
  proof: string,
): boolean {
  const endsAt = Number(proof.split('.')[0])
  return endsAt >= context.now() && isSameSecret(proof, `${endsAt}.${sign(context, link, endsAt)}`)
}

const sign = ({ pseudonym }: Pick<Context, 'pseudonym'>, { uid, address }: AddressLink, endsAt: number) =>
  pseudonym(`address-link:${JSON.stringify([uid, address, endsAt])}`)
