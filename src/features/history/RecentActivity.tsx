import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { UserDatabase } from '../../cache/database.ts'
import { activityDate } from '../../domain/activityDate.ts'
import { formatMoney, fromMajor } from '../../domain/money.ts'
import { groupPhone } from '../../domain/phone.ts'
import { normaliseStatus } from '../../domain/status.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { Flag } from '../../ui/Flag.tsx'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useCached } from '../../ui/useCached.ts'
import { historyMessage } from './historyMessages.ts'
import classes from './RecentActivity.module.css'
import { StatusBadge } from './StatusBadge.tsx'
import { syncRecent } from './syncRecent.ts'

const SHOWN = 6

const newest = ({ transactions }: UserDatabase) =>
  transactions.orderBy('createdAt').reverse().limit(SHOWN).toArray()

/** The newest transfers, from the rows on this device. Specification, sections 2 and 9. */
export function RecentActivity({ uid, onOpen }: { uid: string; onOpen: (transaction: Transaction) => void }) {
  const { i18n } = useLingui()
  const [problem, setProblem] = useState<ReturnType<typeof historyMessage> | null>(null)
  const [isFetched, setFetched] = useState(false)
  const rows = useCached(uid, newest)

  useEffect(() => {
    let isCurrent = true
    const sync = () => {
      if (document.visibilityState === 'hidden') return
      syncRecent(uid)
        .then(() => isCurrent && setProblem(null))
        .catch((error) => isCurrent && setProblem(historyMessage(error)))
        .finally(() => isCurrent && setFetched(true))
    }
    sync()
    // Somebody who comes back, or whose network does, may have been paid for elsewhere in the meantime.
    document.addEventListener('visibilitychange', sync)
    addEventListener('online', sync)
    return () => {
      isCurrent = false
      document.removeEventListener('visibilitychange', sync)
      removeEventListener('online', sync)
    }
  }, [uid])

  return (
    <section className={classes.activity} aria-labelledby="activity">
      <h2 id="activity" tabIndex={-1}>
        <Trans>Activité récente</Trans>
      </h2>
      {problem && <Notice kind="warning">{i18n._(problem)}</Notice>}
      {rows && rows.length > 0 ? (
        <ul className={classes.list}>
          {rows.map((row) => (
            <li key={row.id}>
              <ActivityRow row={row} onOpen={() => onOpen(row)} />
            </li>
          ))}
        </ul>
      ) : (
        !problem && (
          <div className={classes.empty}>
            {isFetched && <BridgeScene />}
            <p>
              {isFetched ? (
                <Trans>Aucun transfert pour l’instant. Le premier apparaîtra ici, avec son reçu.</Trans>
              ) : (
                <Trans>Chargement de vos transferts…</Trans>
              )}
            </p>
          </div>
        )
      )}
    </section>
  )
}

function ActivityRow({ row, onOpen }: { row: Transaction; onOpen: () => void }) {
  const language = currentLanguage()
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <Flag code={row.destination.code} />
      <span className={classes.who}>
        <span className={classes.phone}>{groupPhone(row.recipientPhone)}</span>
        <span className={classes.when}>
          <When at={row.createdAt} />
        </span>
      </span>
      <span className={classes.amounts}>
        <span className={classes.amount}>
          {formatMoney(fromMajor(row.convertedAmount, row.destinationCurrency), language)}
        </span>
        <StatusBadge status={normaliseStatus(row.status)} />
      </span>
    </button>
  )
}

function When({ at }: { at: number }) {
  const date = activityDate(at, Date.now(), currentLanguage())
  return date.kind === 'justNow' ? <Trans>à l’instant</Trans> : date.text
}
