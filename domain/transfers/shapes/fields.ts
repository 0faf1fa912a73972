import { type CountryCode, findDestination, getDestination } from '../../numbers/destinations.ts'
import { checkRecipientPhone } from '../../numbers/phone.ts'
import { checkWallet } from '../../numbers/wallets.ts'
import { checkRecipientName } from '../../people/recipientName.ts'
import { checkCoupon } from '../../prices/coupon.ts'

/** Texts that the sender types. Each has the same name in every shape, up to receipt and payout. */
export const SENDER_TEXTS = ['recipientName'] as const

export type SenderText = (typeof SENDER_TEXTS)[number]

export const mapSenderTexts = <T>(map: (name: SenderText) => T): Readonly<Record<SenderText, T>> =>
  Object.fromEntries(SENDER_TEXTS.map((name) => [name, map(name)])) as Record<SenderText, T>

/** The fields of a form or a request, without the amount. `country`: by default, that of the number. */
interface TransferFields extends Readonly<Record<SenderText, string>> {
  readonly phone: string
  readonly country?: CountryCode
  readonly isNameRequired: boolean
  readonly receivingMethod: string | null
  readonly coupon: string
}

/** Checks each field by the rules that app and server share. Specification, section 5. */
export function checkFields({ country, isNameRequired, ...fields }: TransferFields) {
  const phone = checkRecipientPhone(fields.phone, country)
  // The problem of a number without a country precedes its wallet's.
  const code = country ?? findDestination(phone.ok ? phone.value : '')?.code ?? 'GN'
  return {
    destination: getDestination(code),
    checks: {
      phone,
      recipientName: checkRecipientName(fields.recipientName, isNameRequired),
      receivingMethod: checkWallet(fields.receivingMethod, code),
      coupon: checkCoupon(fields.coupon),
    },
  }
}
