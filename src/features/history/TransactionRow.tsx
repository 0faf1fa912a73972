import { Trans } from '@lingui/react/macro'
import { formatActivityDate } from '../../../domain/common/activityDate.ts'
import { formatMoney, fromMajor } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { getAmounts, type Transaction } from '../../../domain/transfers/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './TransactionRow.module.css'
import { TransferStateLabel } from './TransferStateLabel.tsx'

/** Received money has a plus sign before the amount, and shows no price. Specification, section 9. */
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
  const isReceived = row.type === 'received'
  return (
    <button type="button" translate="no" className={classes.row} onClick={onOpen}>
      <Avatar name={name} phone={row.recipientPhone} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <span className={classes.name} data-number={isReceived || name ? undefined : true}>
            {isReceived ? <Trans>Argent reçu</Trans> : (name ?? groupPhone(row.recipientPhone))}
          </span>
          <span className={classes.amount}>
            {isReceived && '+\u00a0'}
            {formatMoney(fromMajor(row.convertedAmount, row.destinationCurrency), language)}
          </span>
        </span>
        <span className={`${classes.line} ${classes.note}`}>
          <span>
            <TransferStateLabel row={row} />{' '}
            <span className={classes.when}>
              <When at={row.createdAt} />
            </span>
          </span>
          {!isReceived && (
            <span className={classes.paid}>{formatMoney(getAmounts(row).gross, language)}</span>
          )}
        </span>
      </span>
    </button>
  )
}

function When({ at }: { at: number }) {
  const date = formatActivityDate(at, serverNow(), useLanguage())
  return date.kind === 'justNow' ? <Trans>à l’instant</Trans> : date.text
}
