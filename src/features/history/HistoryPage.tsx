import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { NativeSelect, TextInput } from '@mantine/core'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { EVERYTHING, type HistoryFilter, historyMatcher, isNarrow } from '../../../domain/history.ts'
import { namesByPhone } from '../../../domain/recipient.ts'
import type { HistoryState, KeptTransaction, UserDatabase } from '../../cache/database.ts'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { Freshness } from '../../ui/Freshness.tsx'
import { NotFresh } from '../../ui/NotFresh.tsx'
import { PassingButton } from '../../ui/PassingButton.tsx'
import { useCached } from '../../ui/useCached.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { HistoryList } from './HistoryList.tsx'
import classes from './HistoryPage.module.css'
import { useOlderRows } from './useOlderRows.ts'
import { useRefreshHistory } from './useRefreshHistory.ts'

/** How many rows are read at first, and how many more when that was not enough: the first row of a long history must not be late. */
const STEPS = [50, 400, Number.POSITIVE_INFINITY]

const STATUSES: Record<HistoryFilter['status'], MessageDescriptor> = {
  all: msg`Tous`,
  completed: msg`Payés`,
  pending: msg`En cours`,
  failed: msg`Échoués`,
  canceled: msg`Annulés`,
  unknown: msg`Inconnus`,
}
const DELIVERIES: Record<HistoryFilter['delivery'], MessageDescriptor> = {
  all: msg`Toutes`,
  onItsWay: msg`En route`,
  arrived: msg`Arrivés`,
}
const OFFERED_DELIVERIES = Object.keys(DELIVERIES) as HistoryFilter['delivery'][]
const OFFERED = Object.keys(STATUSES) as HistoryFilter['status'][]

/** The whole history, from the rows on this device; older ones are fetched as they are wanted. Specification, section 2. */
export function HistoryPage({
  uid,
  onOpen,
}: {
  uid: string
  onOpen: (transaction: KeptTransaction) => void
}) {
  const { i18n, t } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshHistory(uid)
  const isOnline = useOnline()
  const [filter, setFilter] = useState(EVERYTHING)
  const wanted = useDeferredValue(filter)
  const isSearch = isNarrow(wanted)
  const [step, setStep] = useState(0)
  const most = isSearch ? Number.POSITIVE_INFINITY : (STEPS[step] ?? Number.POSITIVE_INFINITY)
  const kept = useCached(
    uid,
    useCallback((database: UserDatabase) => readHistory(database, most), [most]),
  )
  const [isNearEnd, setNearEnd] = useState(false)

  const nameOf = useCallback((phone: string) => kept?.names.get(phone), [kept?.names])
  const rows = useMemo(
    () => (isSearch ? kept?.rows.filter(historyMatcher(wanted, nameOf)) : kept?.rows),
    [isSearch, kept?.rows, wanted, nameOf],
  )

  const isEveryRowRead = kept !== undefined && kept.rows.length >= kept.total
  if (isNearEnd && !isEveryRowRead && kept && kept.rows.length >= most) setStep(step + 1)
  const isWhole = kept?.state?.gaps.length === 0
  const older = useOlderRows(uid, kept?.state, {
    isWanted: isFetched && isOnline && (isSearch || (isNearEnd && isEveryRowRead)),
    isAllWanted: isSearch,
  })

  const isEmpty = rows?.length === 0 && !older.isBusy && (isWhole || isFetched)
  const clear = () => setFilter(EVERYTHING)
  return (
    <div className={classes.history}>
      <p className={classes.fresh}>
        <Freshness asOf={kept?.state?.asOf ?? null} isOffline={!isOnline} isFresh={problem === null} />
      </p>
      {problem && isOnline && (
        <NotFresh isAsking={isAsking} onRetry={ask}>
          {i18n._(problem)}
        </NotFresh>
      )}
      <search className={classes.search}>
        <TextInput
          type="search"
          label={t`Rechercher`}
          description={t`Nom, numéro ou montant`}
          autoComplete="off"
          enterKeyHint="search"
          value={filter.text}
          onChange={({ currentTarget: { value: text } }) => setFilter({ ...filter, text })}
        />
        <NativeSelect
          label={t`Statut`}
          value={filter.status}
          data={OFFERED.map((value) => ({ value, label: i18n._(STATUSES[value]) }))}
          onChange={({ currentTarget: { value } }) =>
            setFilter({ ...filter, status: OFFERED.find((status) => status === value) ?? 'all' })
          }
        />
        {kept?.hasDeliveries && (
          <NativeSelect
            label={t`Arrivée`}
            value={filter.delivery}
            data={OFFERED_DELIVERIES.map((value) => ({ value, label: i18n._(DELIVERIES[value]) }))}
            onChange={({ currentTarget: { value } }) =>
              setFilter({
                ...filter,
                delivery: OFFERED_DELIVERIES.find((delivery) => delivery === value) ?? 'all',
              })
            }
          />
        )}
      </search>
      {older.isBusy && isSearch && (
        <p className={classes.progress}>
          <Plural
            value={kept?.total ?? 0}
            one="Recherche dans tout l’historique : # transfert lu…"
            other="Recherche dans tout l’historique : # transferts lus…"
          />
        </p>
      )}
      <p role="status" className={classes.count}>
        {rows && !older.isBusy && isSearch && (
          <Plural
            value={rows.length}
            _0="Aucun transfert trouvé"
            one="# transfert trouvé"
            other="# transferts trouvés"
          />
        )}
        {kept && !isSearch && isWhole && kept.total > 0 && (
          <Plural value={kept.total} one="# transfert en tout" other="# transferts en tout" />
        )}
      </p>
      {isEmpty && (
        <div className={classes.empty}>
          <BridgeScene />
          {isSearch ? (
            <>
              <p>
                <Trans>Aucun transfert ne correspond à votre recherche.</Trans>
              </p>
              <PassingButton variant="default" onClick={clear}>
                <Trans>Effacer la recherche</Trans>
              </PassingButton>
            </>
          ) : (
            !problem && (
              <p>
                <Trans>Aucun transfert pour l’instant. Le premier apparaîtra ici, avec son reçu.</Trans>
              </p>
            )
          )}
        </div>
      )}
      {rows && rows.length > 0 && (
        <HistoryList
          rows={rows}
          total={!isWhole ? null : isSearch ? rows.length : (kept?.total ?? null)}
          nameOf={nameOf}
          onOpen={onOpen}
          onNearEnd={setNearEnd}
        />
      )}
      <div className={classes.end}>
        {!kept && (
          <p>
            <Trans>Chargement de vos transferts…</Trans>
          </p>
        )}
        {older.isBusy && !isSearch && (
          <p>
            <Trans>Chargement des transferts plus anciens…</Trans>
          </p>
        )}
        {kept && !isWhole && !isOnline && (
          <p>
            <Trans>Sans réseau, seuls les transferts gardés sur cet appareil sont montrés.</Trans>
          </p>
        )}
        {older.problem && (
          <NotFresh isAsking={older.isAsking} onRetry={older.retry}>
            {i18n._(older.problem)}
          </NotFresh>
        )}
      </div>
    </div>
  )
}

interface KeptHistory {
  readonly rows: readonly KeptTransaction[]
  /** How many rows are on this device. */
  readonly total: number
  readonly state: HistoryState | undefined
  /** Whether what became of any delivery is known here. */
  readonly hasDeliveries: boolean
  /** What the recipients are called, by their numbers. */
  readonly names: ReadonlyMap<string, string>
}

async function readHistory(
  { transactions, contacts, sync }: UserDatabase,
  most: number,
): Promise<KeptHistory> {
  const sorted = transactions.orderBy('createdAt')
  const [rows, total, deliveries, state, people] = await Promise.all([
    // The database reads a whole table at once, but row by row when it goes backwards.
    Number.isFinite(most)
      ? sorted.reverse().limit(most).toArray()
      : sorted.toArray((all) => all.toReversed()),
    transactions.count(),
    transactions.orderBy('delivery.stage').limit(1).count(),
    sync.get('history'),
    contacts.toArray(),
  ])
  return { rows, total, hasDeliveries: deliveries > 0, state, names: namesByPhone(people) }
}
