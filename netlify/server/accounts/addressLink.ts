import { DAY } from '../../../domain/common/duration.ts'
import type { Context } from '../platform/context.ts'
import { isSameSecret } from '../platform/isSameSecret.ts'

/** As long as the sign-in service's code is valid. */
export const ADDRESS_LINK_LIFETIME = 3 * DAY

interface AddressLink {
  readonly uid: string
  readonly address: string
}

/** Only someone who reads that mailbox sees the proof. */
export function createAddressProof(context: Pick<Context, 'pseudonym' | 'now'>, link: AddressLink): string {
  const endsAt = context.now() + ADDRESS_LINK_LIFETIME
  return `${endsAt}.${sign(context, link, endsAt)}`
}

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
