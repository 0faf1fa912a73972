import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type MouseEvent, type ReactNode, useCallback, useEffect, useState } from 'react'
import { dueArrival, newArrival } from '../../../domain/arrival.ts'
import { asOfText } from '../../../domain/history.ts'
import { formatMoney } from '../../../domain/money.ts'
import { groupPhone } from '../../../domain/phone.ts'
import { amountsOf } from '../../../domain/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { deviceStore } from '../../browser/storage.ts'
import type { KeptTransaction, UserDatabase } from '../../cache/database.ts'
import { noteArrivalTold } from '../../ui/arrivals.ts'
import { useAnnounced } from '../../ui/notifications.ts'
import { PassingButton } from '../../ui/PassingButton.tsx'
import { useCached } from '../../ui/useCached.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './ArrivalNotice.module.css'

/** How many of the newest transfers are read: enough to have among them all that were expected within a day. */
const NEWEST = 20

const newest = ({ transactions }: UserDatabase) =>
  transactions.orderBy('createdAt').reverse().limit(NEWEST).toArray()

/**
 * How long a notice is in sight before anybody can have read it, in milliseconds. Each comes in the place of the one before, under a finger
 * that may tap twice.
 */
const UNREAD = 500

/** Says that a transfer has arrived, or that its expected time has come, when the person wants to know. */
export function ArrivalNotice({
  uid,
  onOpen,
}: {
  uid: string
  onOpen: (transaction: KeptTransaction) => void
}) {
  const isWanted = useAnnounced('arrival')
  return isWanted ? <Announced uid={uid} onOpen={onOpen} /> : null
}

function Announced({ uid, onOpen }: { uid: string; onOpen: (transaction: KeptTransaction) => void }) {
  const language = useLanguage()
  const rows = useCached(uid, newest)
  const [toldUntil, setToldUntil] = useState(readTold)
  const arrival = (now: number) => dueArrival(rows ?? [], toldUntil, now)
  const now = useServerNow((now) => arrival(now).nextAt)
  const { due } = arrival(now)
  const arrived = newArrival(rows ?? [], now)

  const noteTold = useCallback((until: number) => {
    deviceStore.set('arrivalsTold', until)
    setToldUntil(until)
  }, [])
  // A noted time in the future was written by a clock that is ahead. Nothing of that time was announced.
  useEffect(() => {
    if (toldUntil > now) noteTold(now)
  }, [toldUntil, now, noteTold])
  const dismiss = (row: KeptTransaction) => noteTold(row.estimatedArrival)
  // Always there, so that assistive technology hears what comes into it.
  return (
    <div role="status" className={classes.place} data-passing>
      {arrived ? (
        <Notice
          key={`arrived ${arrived.row.id}`}
          title={<Arrived at={arrived.arrivedAt} now={now} />}
          onOpen={() => onOpen(arrived.row)}
          onDismiss={() => noteArrivalTold(uid, arrived.row.id)}
        >
          <Trans>
            Votre transfert de {formatMoney(amountsOf(arrived.row).gross, language)} a été remis au{' '}
            {groupPhone(arrived.row.recipientPhone)}.
          </Trans>
        </Notice>
      ) : (
        due && (
          <Notice
            key={due.id}
            title={<Expected at={due.estimatedArrival} now={now} />}
            onOpen={() => onOpen(due)}
            onDismiss={() => dismiss(due)}
          >
            <Trans>
              Votre transfert de {formatMoney(amountsOf(due).gross, language)} vers le{' '}
              {groupPhone(due.recipientPhone)} devrait être arrivé. Vérifiez avec le bénéficiaire.
            </Trans>
          </Notice>
        )
      )}
    </div>
  )
}

function Notice({
  title,
  children,
  onOpen,
  onDismiss,
}: {
  title: ReactNode
  children: ReactNode
  onOpen: () => void
  onDismiss: () => void
}) {
  // Each notice has a key of its own, also where it says of the same transfer that it has arrived after all: its time begins anew.
  const [since] = useState(() => performance.now())
  const isRead = ({ timeStamp }: MouseEvent) => timeStamp - since >= UNREAD
  return (
    <div className={classes.notice}>
      <strong>{title}</strong>
      <p>{children}</p>
      <div className={classes.buttons}>
        <Button
          variant="default"
          onClick={(event) => {
            if (!isRead(event)) return
            onDismiss()
            onOpen()
          }}
        >
          <Trans>Voir le transfert</Trans>
        </Button>
        <PassingButton variant="subtle" onClick={(event) => isRead(event) && onDismiss()}>
          <Trans>C’est noté</Trans>
        </PassingButton>
      </div>
    </div>
  )
}

function Expected({ at, now }: { at: number; now: number }) {
  const { isToday, text } = asOfText(at, now, useLanguage())
  return isToday ? <Trans>Arrivée prévue à {text}</Trans> : <Trans>Arrivée prévue le {text}</Trans>
}

function Arrived({ at, now }: { at: number; now: number }) {
  const { isToday, text } = asOfText(at, now, useLanguage())
  return isToday ? <Trans>Arrivé à {text}</Trans> : <Trans>Arrivé le {text}</Trans>
}

/** A device that announces for the first time says nothing of earlier transfers. */
function readTold(): number {
  const told = deviceStore.get('arrivalsTold')
  if (told) return told
  const now = serverNow()
  deviceStore.set('arrivalsTold', now)
  return now
}
