import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { formatActivityDate } from '../../../domain/common/activityDate.ts'
import { formatMoney } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import type { RecentTransfer } from '../../../domain/transfers/recentTransfers.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import numbers from '../../ui/PhoneNumber.module.css'
import { Sheet } from '../../ui/Sheet.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'

export function DuplicateSheet({
  duplicate,
  onConfirm,
  onClose,
}: {
  duplicate: RecentTransfer
  onConfirm: () => void
  onClose: () => void
}) {
  const amount = formatMoney(duplicate.gross, useLanguage())
  return (
    <Sheet title={<Trans>Envoyer à nouveau ?</Trans>} onClose={onClose} returnTo="form [type=submit]">
      <p>
        <Question duplicate={duplicate} />
      </p>
      <p>
        <Trans>Ce sera un second transfert : votre carte sera débitée une fois de plus.</Trans>
      </p>
      <Button onClick={onClose}>
        <Trans>Ne rien envoyer</Trans>
      </Button>
      <Button variant="light" onClick={onConfirm}>
        <Trans>Envoyer à nouveau {amount}</Trans>
      </Button>
    </Sheet>
  )
}

function Question({ duplicate }: { duplicate: RecentTransfer }) {
  const language = useLanguage()
  const amount = markUntranslated(formatMoney(duplicate.gross, language))
  const phone = <strong className={numbers.phone}>{groupPhone(duplicate.phone)}</strong>
  const date = formatActivityDate(duplicate.at, serverNow(), language)
  const when = date.kind === 'justNow' ? <Trans>à l’instant</Trans> : date.text
  return duplicate.isPaid ? (
    <Trans>
      Vous venez d’envoyer {amount} au {phone} ({when}).
    </Trans>
  ) : (
    <Trans>
      Un paiement de {amount} au {phone} est déjà commencé ({when}), peut-être dans un autre onglet ou sur un
      autre appareil.
    </Trans>
  )
}
