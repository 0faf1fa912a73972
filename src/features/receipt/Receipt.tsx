import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { ReceiptContent, ReceiptLine } from '../../../print/receiptContent.ts'
import type { ReceiptItem } from '../../../print/receiptTexts.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { DownIcon } from '../../ui/icons/common.ts'
import { isWideScreen } from '../../ui/isWideScreen.ts'
import { Refresh } from '../../ui/Refresh.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { anchorContentBelow } from './anchorContentBelow.ts'
import { Panel } from './Panel.tsx'
import classes from './Receipt.module.css'
import { type OpenPanel, ReceiptActions, type RecipientActions } from './ReceiptActions.tsx'
import { TrackingCode } from './Tracking.tsx'
import type { CancelOffer } from './useCancelOffer.tsx'

export interface ReceiptOutcome {
  readonly text: ReactNode
  readonly color: string
  readonly more?: ReactNode
}

export const PAID_OUTCOME: ReceiptOutcome = {
  text: <Trans>Paiement réussi</Trans>,
  color: 'green',
  more: <Trans>Votre carte a été débitée une seule fois.</Trans>,
}

const COSTS: readonly ReceiptItem[] = ['amountPaid', 'fees', 'amountSent', 'exchangeRate']

/** The first known name or number is shown under the amount. */
const NAMES: readonly ReceiptItem[] = ['recipientName', 'supplier', 'recipient']

/** Specification, section 4. */
export function Receipt({
  content,
  outcome,
  progress,
  explanation,
  cancelOffer,
  recipient = null,
  isOfPayer,
  isNew,
  isBeside,
  onRefresh,
  onClose,
}: {
  content: ReceiptContent
  outcome: ReceiptOutcome
  progress?: ReactNode
  explanation?: ReactNode
  cancelOffer?: CancelOffer | null
  recipient?: RecipientActions | null
  /** Whether the user has paid, instead of received. */
  isOfPayer: boolean
  isNew: boolean
  isBeside?: boolean | undefined
  /** Resolves to the failure or null. */
  onRefresh?: () => Promise<unknown>
  onClose: () => void
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState<OpenPanel>(null)
  useEffect(() => {
    if (isNew && isFelt()) navigator.vibrate?.(12)
  }, [isNew])
  const lines = content.groups.flatMap((group) => group.lines)
  const amount = lines.find(({ emphasis }) => emphasis)
  const costs = lines.filter((line) => line !== amount && COSTS.includes(line.item))
  const findValue = (item: ReceiptItem) => lines.find((line) => line.item === item)?.value
  const name = NAMES.map(findValue).find(Boolean)
  const who = [name, findValue('wallet')]
    .filter(Boolean)
    .join(', ')
    .replace(/ (?=\d)/g, '\u00a0')
  const number = [findValue('recipient'), findValue('reference')].find((value) => value && value !== name)
  const [Frame] = useState(() => (isBeside && isWideScreen() ? Panel : Sheet))
  return (
    <Frame
      onClose={onClose}
      title={content.title}
      isPaid
      size="56rem"
      foot={
        isNew && (
          <Button variant="light" onClick={onClose}>
            <Trans>Terminé</Trans>
          </Button>
        )
      }
    >
      <div className={classes.sides}>
        <div className={classes.receipt}>
          <div ref={anchorContentBelow} className={classes.receipt} data-anchor>
            <section className={classes.ticket}>
              <div className={classes.head}>
                <div>
                  <p className={classes.outcome} data-color={outcome.color}>
                    {outcome.text}
                  </p>
                  {outcome.more && <p className={classes.more}>{outcome.more}</p>}
                </div>
                {onRefresh && (
                  <Refresh name={t`Actualiser le reçu`} done={t`Reçu actualisé.`} ask={onRefresh} />
                )}
              </div>
              {cancelOffer?.line}
              {progress && <div className={classes.progress}>{progress}</div>}
              <div>
                {amount && (
                  <p className={classes.amount} data-item={amount.item} translate="no">
                    <span className="unseen">{amount.label}</span>{' '}
                    {amount.value.replaceAll('\u202f', '\u00a0')}
                  </p>
                )}
                {who && (
                  <p className={classes.number} translate="no">
                    <Trans>pour {who}</Trans>
                  </p>
                )}
                {number && (
                  <p className={classes.number} translate="no">
                    {number}
                  </p>
                )}
              </div>
            </section>
            {explanation}
          </div>
          {cancelOffer?.question}
          <ReceiptActions
            content={content}
            recipient={recipient}
            isOfPayer={isOfPayer}
            open={open}
            onOpen={setOpen}
            isNew={isNew}
          />
        </div>
        <div className={classes.receipt}>
          {costs.length > 0 && <Lines lines={costs} />}
          <details ref={openForPrinting} className={classes.details} open={costs.length === 0}>
            <summary>
              <Trans>Tous les détails</Trans>
              <DownIcon isSmall />
            </summary>
            {content.groups.map(({ name, heading, lines }) => {
              const rest = lines.filter((line) => line !== amount && !costs.includes(line))
              return (
                rest.length > 0 && (
                  <section key={name}>
                    <h3>{heading}</h3>
                    <Lines lines={rest} />
                  </section>
                )
              )
            })}
            {recipient?.actions[1] === 'sendAgain' && (
              <Button variant="light" onClick={recipient.onSendAgain}>
                <Trans>Envoyer à nouveau</Trans>
              </Button>
            )}
            {recipient?.actions[1] === 'addContact' && (
              <Button variant="light" onClick={() => setOpen('contact')}>
                <Trans>Ajouter aux contacts</Trans>
              </Button>
            )}
            {content.tracking && <TrackingCode {...content.tracking} />}
            <p className={classes.support}>{content.support}</p>
            <p className={classes.support}>{content.operator}</p>
          </details>
        </div>
      </div>
    </Frame>
  )
}

const Lines = ({ lines }: { lines: readonly ReceiptLine[] }) => (
  <Facts>
    {lines.map(({ item, label, value }) => (
      <Fact key={item} item={item} label={label}>
        {value}
      </Fact>
    ))}
  </Facts>
)

function openForPrinting(details: HTMLDetailsElement) {
  let wasOpen = details.open
  const open = () => {
    wasOpen = details.open
    details.open = true
  }
  const restore = () => {
    details.open = wasOpen
  }
  addEventListener('beforeprint', open)
  addEventListener('afterprint', restore)
  return () => {
    removeEventListener('beforeprint', open)
    removeEventListener('afterprint', restore)
  }
}

/** Phones refuse to vibrate before the user has touched the page. */
const isFelt = () =>
  navigator.userActivation?.hasBeenActive && !matchMedia('(prefers-reduced-motion: reduce)').matches
