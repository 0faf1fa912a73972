import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import {
  createHistoryMatcher,
  type HistoryFilter,
  isFilterActive,
  NO_FILTER,
} from '../../../domain/records/history.ts'
import { mapPhonesToNames } from '../../../domain/transfers/recipient.ts'
import type { StoredTransaction, UserDatabase } from '../../cache/database.ts'
import { countUnread } from '../../cache/queries.ts'
import { DisappearingButton } from '../../ui/DisappearingButton.tsx'
import { Lens } from '../../ui/drawings/Lens.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Freshness } from '../../ui/Freshness.tsx'
import { FilterIcon } from '../../ui/icons/lists.ts'
import { isWideScreen } from '../../ui/isWideScreen.ts'
import { clearArrivalBadge } from '../../ui/markArrivalSeen.ts'
import { PageAside } from '../../ui/PageAside.tsx'
import { Refresh } from '../../ui/Refresh.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RefreshProblem } from '../../ui/StaleNotice.tsx'
import { useIsPageSeen } from '../../ui/useIsPageSeen.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { BridgeGap } from './BridgeGap.tsx'
import { HistoryList } from './HistoryList.tsx'
import classes from './HistoryPage.module.css'
import { NoTransfers } from './NoTransfers.tsx'
import { UnreadTransfers } from './UnreadTransfers.tsx'
import { useOlderRows } from './useOlderRows.ts'
import { useRefreshHistory } from './useRefreshHistory.ts'

/** A long history shows its first rows quickly. */
const STEPS = [50, 400, Number.POSITIVE_INFINITY]

const STATUS_FILTER_NAMES: Record<HistoryFilter['status'], MessageDescriptor> = {
  all: msg`Tous`,
  completed: msg`Payés`,
  pending: msg`En cours`,
  failed: msg`Échoués`,
  canceled: msg`Annulés`,
  unknown: msg`Inconnus`,
}
const DELIVERY_FILTER_NAMES: Record<HistoryFilter['delivery'], MessageDescriptor> = {
  all: msg`Tous`,
  onItsWay: msg`En route`,
  arrived: msg`Arrivés`,
}
const DELIVERIES = Object.keys(DELIVERY_FILTER_NAMES) as HistoryFilter['delivery'][]
const STATUSES = Object.keys(STATUS_FILTER_NAMES) as HistoryFilter['status'][]

/** Specification, section 2. */
export function HistoryPage({
  uid,
  onOpen,
  onSend,
}: {
  uid: string
  onOpen: (transaction: StoredTransaction) => void
  onSend: () => void
}) {
  const { i18n, t } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshHistory(uid)
  const isOnline = useOnline()
  const isSeen = useIsPageSeen()
  useEffect(() => {
    if (isSeen) clearArrivalBadge('all').catch(() => undefined)
  }, [isSeen])
  const [filter, setFilter] = useState(NO_FILTER)
  const deferredFilter = useDeferredValue(filter)
  const isSearch = isFilterActive(deferredFilter)
  const [step, setStep] = useState(0)
  const most = isSearch ? Number.POSITIVE_INFINITY : (STEPS[step] ?? Number.POSITIVE_INFINITY)
  const stored = useLiveQuery(
    uid,
    useCallback((database: UserDatabase) => readHistory(database, most), [most]),
  )
  const [isNearEnd, setNearEnd] = useState(false)

  const newest = stored?.rows[0]
  const isReceiptOpened = useRef(false)
  const [isReceiptAsked, setReceiptAsked] = useState(false)
  useEffect(() => {
    if (!newest || isReceiptOpened.current || !isWideScreen()) return
    isReceiptOpened.current = true
    onOpen(newest)
  }, [newest, onOpen])

  const findName = useCallback((phone: string) => stored?.names.get(phone), [stored?.names])
  const rows = useMemo(
    () => (isSearch ? stored?.rows.filter(createHistoryMatcher(deferredFilter, findName)) : stored?.rows),
    [isSearch, stored?.rows, deferredFilter, findName],
  )

  const isEveryRowRead = stored !== undefined && stored.rows.length >= stored.total
  if (isNearEnd && !isEveryRowRead && stored && stored.rows.length >= most) setStep(step + 1)
  const isWhole = stored?.state?.gaps.length === 0
  const older = useOlderRows(uid, stored?.state, {
    isWanted: isFetched && isOnline && (isSearch || (isNearEnd && isEveryRowRead)),
    isAllWanted: isSearch,
  })

  const isSearching = isSearch && (older.isBusy || (!isWhole && !isFetched && isOnline && problem === null))
  const isEmpty = rows?.length === 0 && !older.isBusy && (isWhole || (isFetched && !isSearch))
  const unread = stored?.unread ?? 0
  const clear = () => setFilter(NO_FILTER)
  return (
    <div className={classes.history} data-asked={isReceiptAsked || undefined}>
      <PageAside>
        <Refresh name={t`Actualiser l’historique`} done={t`Historique actualisé.`} ask={ask}>
          <Freshness asOf={stored?.state?.asOf ?? null} isOffline={!isOnline} isFresh={problem === null} />
        </Refresh>
      </PageAside>
      <div className={classes.list}>
        <RefreshProblem problem={isOnline && problem} isAsking={isAsking} onRetry={ask} />
        <search className={classes.search}>
          <SearchField
            label={t`Rechercher`}
            hint={t`Nom, numéro ou montant`}
            value={filter.text}
            onChange={(text) => setFilter({ ...filter, text })}
          />
          <div className={classes.chips}>
            {stored?.hasDeliveries &&
              DELIVERIES.map((delivery) => (
                <button
                  key={delivery}
                  type="button"
                  translate="no"
                  className={classes.chip}
                  aria-pressed={filter.delivery === delivery}
                  onClick={() => setFilter({ ...filter, delivery })}
                >
                  {i18n._(DELIVERY_FILTER_NAMES[delivery])}
                </button>
              ))}
            <label className={classes.chip} data-chosen={filter.status !== 'all'}>
              <FilterIcon isSmall />
              <span>{filter.status === 'all' ? t`Statut` : i18n._(STATUS_FILTER_NAMES[filter.status])}</span>
              <select
                aria-label={t`Statut`}
                value={filter.status}
                onChange={({ currentTarget: { value } }) =>
                  setFilter({ ...filter, status: STATUSES.find((status) => status === value) ?? 'all' })
                }
              >
                {STATUSES.map((value) => (
                  <option key={value} value={value}>
                    {i18n._(STATUS_FILTER_NAMES[value])}
                  </option>
                ))}
              </select>
            </label>
            <div className={classes.quiet}>
              {isSearching && (
                <p>
                  <Plural
                    value={stored?.total ?? 0}
                    one="Recherche dans tout l’historique : # transfert lu…"
                    other="Recherche dans tout l’historique : # transferts lus…"
                  />
                </p>
              )}
              <p role="status">
                {rows && isSearch && !isSearching && isWhole && (
                  <Plural
                    value={rows.length}
                    _0="Aucun transfert trouvé"
                    one="# transfert trouvé"
                    other="# transferts trouvés"
                  />
                )}
                {rows && isSearch && !isSearching && !isWhole && (
                  <Plural
                    value={rows.length}
                    _0="Aucun transfert trouvé parmi ceux déjà lus"
                    one="# transfert trouvé parmi ceux déjà lus"
                    other="# transferts trouvés parmi ceux déjà lus"
                  />
                )}
                {stored && !isSearch && isWhole && stored.total + unread > 0 && (
                  <Plural
                    value={stored.total + unread}
                    one="# transfert en tout"
                    other="# transferts en tout"
                  />
                )}
              </p>
              <UnreadTransfers count={unread} />
            </div>
          </div>
        </search>
        <div>
          {isEmpty && isSearch && (
            <EmptyState
              drawing={<Lens />}
              title={<Trans>Rien de ce nom</Trans>}
              action={
                <DisappearingButton variant="light" onClick={clear}>
                  <Trans>Effacer la recherche</Trans>
                </DisappearingButton>
              }
            >
              <Trans>Aucun transfert ne correspond à votre recherche.</Trans>
            </EmptyState>
          )}
          {isEmpty && !isSearch && !problem && unread === 0 && (
            <NoTransfers
              action={
                <Button variant="light" onClick={onSend}>
                  <Trans>Envoyer de l’argent</Trans>
                </Button>
              }
            />
          )}
          {isEmpty && !isSearch && problem && !isOnline && (
            <EmptyState drawing={<BridgeGap />} title={<Trans>Hors ligne</Trans>} />
          )}
          {!rows || (rows.length === 0 && !isEmpty && !isSearch) ? (
            <>
              <p className="unseen">
                <Trans>Chargement de vos transferts…</Trans>
              </p>
              <Skeleton rows={6} />
            </>
          ) : (
            rows.length > 0 && (
              <HistoryList
                rows={rows}
                total={!isWhole ? null : isSearch ? rows.length : (stored?.total ?? null)}
                findName={findName}
                onOpen={(row) => {
                  setReceiptAsked(true)
                  onOpen(row)
                }}
                onNearEnd={setNearEnd}
              />
            )
          )}
          <div className={classes.end}>
            {older.isBusy && !isSearch && (
              <p>
                <Trans>Chargement des transferts plus anciens…</Trans>
              </p>
            )}
            {stored && !isWhole && !isOnline && (
              <p>
                <Trans>Sans réseau, seuls les transferts gardés sur cet appareil sont montrés.</Trans>
              </p>
            )}
            <RefreshProblem problem={older.problem} isAsking={older.isAsking} onRetry={older.retry} />
          </div>
        </div>
      </div>
    </div>
  )
}

async function readHistory(database: UserDatabase, most: number) {
  const { transactions, contacts, sync } = database
  const sorted = transactions.orderBy('createdAt')
  const [rows, total, unread, deliveries, state, people] = await Promise.all([
    // IndexedDB reads a whole table in one request, but a reversed table row by row.
    Number.isFinite(most)
      ? sorted.reverse().limit(most).toArray()
      : sorted.toArray((all) => [...all].reverse()),
    transactions.count(),
    countUnread(database, 'transactions'),
    transactions.orderBy('delivery.stage').limit(1).count(),
    sync.get('history'),
    contacts.toArray(),
  ])
  return { rows, total, unread, hasDeliveries: deliveries > 0, state, names: mapPhonesToNames(people, rows) }
}
