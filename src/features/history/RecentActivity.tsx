import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useLayoutEffect } from 'react'
import { namesByPhone } from '../../../domain/recipient.ts'
import type { KeptTransaction, UserDatabase } from '../../cache/database.ts'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { NotFresh } from '../../ui/NotFresh.tsx'
import { useCached } from '../../ui/useCached.ts'
import { HISTORY_LINK } from './link.ts'
import classes from './RecentActivity.module.css'
import { TransactionRow } from './TransactionRow.tsx'
import { useRefreshHistory } from './useRefreshHistory.ts'

const SHOWN = 6

const newest = async ({ transactions, contacts }: UserDatabase) => ({
  rows: await transactions.orderBy('createdAt').reverse().limit(SHOWN).toArray(),
  names: namesByPhone(await contacts.toArray()),
})

/** The newest transfers, from the rows on this device. Specification, sections 2 and 9. */
export function RecentActivity({
  uid,
  onOpen,
  onAll,
  onShown,
}: {
  uid: string
  onOpen: (transaction: KeptTransaction) => void
  /** Opens the whole history. */
  onAll: () => void
  /** Called when the rows of the device are on screen, and when they have changed. */
  onShown: () => void
}) {
  const { i18n } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshHistory(uid)
  const found = useCached(uid, newest)
  const isKnown = isFetched && found !== undefined
  useLayoutEffect(() => {
    if (found) onShown()
  }, [found, onShown])
  return (
    <section className={classes.activity} aria-labelledby="activity">
      <h2 id="activity" tabIndex={-1}>
        <Trans>Activité récente</Trans>
      </h2>
      {problem && (
        <NotFresh isAsking={isAsking} onRetry={ask}>
          {i18n._(problem)}
        </NotFresh>
      )}
      {found && found.rows.length > 0 ? (
        <>
          <ul className={classes.list}>
            {found.rows.map((row) => (
              <li key={row.id}>
                <TransactionRow
                  row={row}
                  name={found.names.get(row.recipientPhone)}
                  onOpen={() => onOpen(row)}
                />
              </li>
            ))}
          </ul>
          <Button
            component="a"
            href={HISTORY_LINK}
            variant="default"
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onAll()
            }}
          >
            <Trans>Tout voir</Trans>
          </Button>
        </>
      ) : (
        !problem && (
          <div className={classes.empty}>
            {isKnown && <BridgeScene />}
            <p>
              {isKnown ? (
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
