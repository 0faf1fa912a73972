import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useLayoutEffect } from 'react'
import type { StoredTransaction } from '../../cache/database.ts'
import { ForwardIcon } from '../../ui/icons/common.ts'
import { useLazyComponent } from '../../ui/lazyComponent.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RefreshProblem } from '../../ui/StaleNotice.tsx'
import { HISTORY_LINK } from './linkRequest.ts'
import { NoTransfers } from './NoTransfers.tsx'
import classes from './RecentActivity.module.css'
import { TransactionRow } from './TransactionRow.tsx'
import { UnreadTransfers } from './UnreadTransfers.tsx'
import { useRecentTransfers } from './useRecentTransfers.ts'
import { useRefreshHistory } from './useRefreshHistory.ts'

const loadRefresh = async () => (await import('../../ui/Refresh.tsx')).Refresh

/** Specification, sections 2 and 9. */
export function RecentActivity({
  uid,
  onOpen,
  onAll,
  onShown,
}: {
  uid: string
  onOpen: (transaction: StoredTransaction) => void
  onAll: () => void
  onShown: () => void
}) {
  const { t } = useLingui()
  const Refresh = useLazyComponent(loadRefresh)
  const { problem, isFetched, isAsking, ask } = useRefreshHistory(uid)
  const recent = useRecentTransfers(uid)
  const isKnown = isFetched && recent !== undefined
  const hasRows = recent !== undefined && recent.rows.length > 0
  const unread = recent?.unread ?? 0
  useLayoutEffect(() => {
    if (recent) onShown()
  }, [recent, onShown])
  return (
    <section className={classes.activity} aria-labelledby="activity">
      <div className={classes.head}>
        <h2 id="activity" tabIndex={-1}>
          <Trans>Activité récente</Trans>
        </h2>
        {Refresh && <Refresh name={t`Actualiser l’historique`} done={t`Historique actualisé.`} ask={ask} />}
        {hasRows && (
          <Button
            component="a"
            href={HISTORY_LINK}
            variant="subtle"
            rightSection={<ForwardIcon isSmall />}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onAll()
            }}
          >
            <Trans>Tout voir</Trans>
          </Button>
        )}
      </div>
      <RefreshProblem problem={problem} isAsking={isAsking} onRetry={ask} />
      {recent && hasRows ? (
        <ul className={classes.list}>
          {recent.rows.map((row) => (
            <li key={row.id}>
              <TransactionRow
                row={row}
                name={recent.names.get(row.recipientPhone)}
                onOpen={() => onOpen(row)}
              />
            </li>
          ))}
        </ul>
      ) : (
        !problem &&
        (isKnown ? (
          unread === 0 && <NoTransfers />
        ) : (
          <>
            <p className="unseen">
              <Trans>Chargement de vos transferts…</Trans>
            </p>
            <Skeleton />
          </>
        ))
      )}
      <UnreadTransfers count={unread} />
    </section>
  )
}
