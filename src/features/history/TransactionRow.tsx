import { Trans } from '@lingui/react/macro'
import { activityDate } from '../../../domain/activityDate.ts'
import { formatMoney, fromMajor } from '../../../domain/money.ts'
import { groupPhone } from '../../../domain/phone.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { Flag } from '../../ui/Flag.tsx'
import { useLazyComponent } from '../../ui/lazyComponent.ts'
import rowButton from '../../ui/RowButton.module.css'
import { useLanguage } from '../../ui/useLanguage.ts'
import { StatusBadge } from './StatusBadge.tsx'
import classes from './TransactionRow.module.css'

/** Only a deployment that pays out needs it. */
const loadDeliveryNote = async () => (await import('./DeliveryNote.tsx')).DeliveryNote

/**
 * A transfer in a list; it opens the receipt. `name` is the recipient's, when it is known. Money that the person received says so
 * first, and comes with a plus. Specification, section 9.
 */
export function TransactionRow({
  row,
  name,
  onOpen,
}: {
  row: Transaction
  name?: string | undefined
  onOpen: () => void
}) {
  const language = useLanguage()
  const phone = groupPhone(row.recipientPhone)
  const isReceived = row.type === 'received'
  const hasNews = !isReceived && !!row.delivery
  const DeliveryNote = useLazyComponent(hasNews ? loadDeliveryNote : null)
  const heading = isReceived ? <Trans>Argent reçu</Trans> : name
  return (
    <button type="button" className={rowButton.row} onClick={onOpen}>
      <Flag code={row.destination.code} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <span className={heading ? classes.name : classes.phone}>{heading ?? phone}</span>
          <StatusBadge row={row} />
        </span>
        <span className={classes.line}>
          <span className={classes.small}>{heading ? phone : <When at={row.createdAt} />}</span>
          <span className={classes.amount}>
            {isReceived && '+\u00a0'}
            {formatMoney(fromMajor(row.convertedAmount, row.destinationCurrency), language)}
          </span>
        </span>
        {(heading || hasNews) && (
          <span className={`${classes.line} ${classes.small}`}>
            <span>{heading && <When at={row.createdAt} />}</span>
            {hasNews && <span data-delivery>{DeliveryNote ? <DeliveryNote row={row} /> : '\u00a0'}</span>}
          </span>
        )}
      </span>
    </button>
  )
}

function When({ at }: { at: number }) {
  const date = activityDate(at, serverNow(), useLanguage())
  return date.kind === 'justNow' ? <Trans>à l’instant</Trans> : date.text
}
