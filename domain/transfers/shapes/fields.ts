import { type CountryCode, findDestination, getDestination } from '../../numbers/destinations.ts'
import { checkRecipientPhone } from '../../numbers/phone.ts'
import { checkWallet } from '../../numbers/wallets.ts'
import { checkRecipientName } from '../../people/recipientName.ts'
import { checkCoupon } from '../../prices/coupon.ts'

/** The fields of a form or a request, without the amount. `country`: by default, that of the number. */
interface TransferFields {
  readonly phone: string
  readonly country?: CountryCode
  readonly recipientName: string
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
