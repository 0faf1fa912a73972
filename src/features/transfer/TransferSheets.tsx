import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import type { ActorRefFrom } from 'xstate'
import { formatMoney } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { getWalletName } from '../../../domain/numbers/wallets.ts'
import type { CheckedTransfer } from '../../../domain/transfers/shapes/orderSchema.ts'
import type { transferMachine } from '../../../machines/transfer.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { currentLanguage } from '../../ui/i18n.ts'
import { CheckoutSheets } from '../../ui/payment/CheckoutSheets.tsx'
import type { PaymentRecap } from '../../ui/payment/useCheckout.ts'
import { getTransferCheckoutText } from './checkoutMessages.ts'

export function TransferSheets({ actor }: { actor: ActorRefFrom<typeof transferMachine> }) {
  const { i18n } = useLingui()
  const state = useSelector(actor, (snapshot) => snapshot)
  const { attempt, problem, draft } = state.context
  return (
    attempt && (
      <CheckoutSheets
        state={state}
        send={actor.send}
        amount={attempt.order.gross}
        recap={buildTransferRecap(attempt.order)}
        explanation={problem && getTransferCheckoutText(problem, i18n, draft.currency)}
        returnTo="form [type=submit]"
      />
    )
  )
}

function buildTransferRecap({
  phone,
  recipientName: name,
  receivingMethod,
  gross,
  quote,
}: CheckedTransfer): PaymentRecap {
  const paid = formatMoney(gross, currentLanguage())
  const fee = formatMoney(quote.fee, currentLanguage())
  return {
    picture: <Avatar name={name} phone={phone} />,
    payee: name ?? groupPhone(phone),
    about: [name && groupPhone(phone), getWalletName(receivingMethod)].filter(Boolean).join(' · '),
    total: quote.converted,
    note: (
      <Trans>
        à recevoir, pour {paid} dont {fee} de frais
      </Trans>
    ),
  }
}
