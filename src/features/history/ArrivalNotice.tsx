import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type MouseEvent, type ReactNode, useCallback, useEffect, useState } from 'react'
import { formatMoney } from '../../../domain/money/money.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { formatTimeOrDate } from '../../../domain/records/history.ts'
import { findDueArrival, findNewArrival } from '../../../domain/transfers/arrival.ts'
import { getAmounts } from '../../../domain/transfers/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { deviceStore } from '../../browser/storage.ts'
import type { StoredTransaction, UserDatabase } from '../../cache/database.ts'
import { useIsAnnouncementEnabled } from '../../ui/announcements.ts'
import { DisappearingButton } from '../../ui/DisappearingButton.tsx'
import { CheckIcon, ClockIcon } from '../../ui/icons/common.ts'
import type { Icon as IconType } from '../../ui/icons/createIcon.tsx'
import { markArrivalSeen } from '../../ui/markArrivalSeen.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './ArrivalNotice.module.css'

/** Includes every transfer expected within a day. */
const NEWEST = 20

const readNewestTransfers = ({ transactions }: UserDatabase) =>
  transactions.orderBy('createdAt').reverse().limit(NEWEST).toArray()

/** In milliseconds: the notice may have replaced another one under a finger that taps twice. */
const UNREAD = 500

interface Props {
  uid: string
  onOpen: (transaction: StoredTransaction) => void
}

export const ArrivalNotice = (props: Props) => useIsAnnouncementEnabled('arrival') && <Announced {...props} />

function Announced({ uid, onOpen }: Props) {
  const language = useLanguage()
  const rows = useLiveQuery(uid, readNewestTransfers)
  const [announcedUntil, setAnnouncedUntil] = useState(readAnnouncedUntil)
  const arrival = (now: number) => findDueArrival(rows ?? [], announcedUntil, now)
  const now = useServerNow((now) => arrival(now).nextAt)
  const { due } = arrival(now)
  const arrived = findNewArrival(rows ?? [], now)

  const noteAnnounced = useCallback((until: number) => {
    deviceStore.set('arrivalsTold', until)
    setAnnouncedUntil(until)
  }, [])
  // A time in the future was stored while the clock was ahead. Arrivals until then have not been announced.
  useEffect(() => {
    if (announcedUntil > now) noteAnnounced(now)
  }, [announcedUntil, now, noteAnnounced])
  // Screen readers announce a notice that appears in an existing element.
  return (
    <div role="status" className={classes.place} data-passing>
      {arrived ? (
        <Notice
          key={`arrived ${arrived.row.id}`}
          icon={CheckIcon}
          title={<Arrived at={arrived.arrivedAt} now={now} />}
          onOpen={() => onOpen(arrived.row)}
          onDismiss={() => markArrivalSeen(uid, arrived.row.id)}
        >
          <Trans>
            Votre transfert de {markUntranslated(formatMoney(getAmounts(arrived.row).gross, language))} a été
            remis au {markUntranslated(groupPhone(arrived.row.recipientPhone))}.
          </Trans>
        </Notice>
      ) : (
        due && (
          <Notice
            key={due.id}
            icon={ClockIcon}
            title={<Expected at={due.estimatedArrival} now={now} />}
            onOpen={() => onOpen(due)}
            onDismiss={() => noteAnnounced(due.estimatedArrival)}
          >
            <Trans>
              Votre transfert de {markUntranslated(formatMoney(getAmounts(due).gross, language))} vers le{' '}
              {markUntranslated(groupPhone(due.recipientPhone))} devrait être arrivé. Vérifiez avec le
              bénéficiaire.
            </Trans>
          </Notice>
        )
      )}
    </div>
  )
}

function Notice({
  icon: Icon,
  title,
  children,
  onOpen,
  onDismiss,
}: {
  icon: IconType
  title: ReactNode
  children: ReactNode
  onOpen: () => void
  onDismiss: () => void
}) {
  // The time restarts for another notice about the same transfer.
  const [since] = useState(() => performance.now())
  const isRead = ({ timeStamp }: MouseEvent) => timeStamp - since >= UNREAD
  return (
    <div className={classes.notice}>
      <strong className={classes.title}>
        <Icon isSmall />
        {title}
      </strong>
      <p>{children}</p>
      <div className={classes.buttons}>
        <Button
          variant="light"
          onClick={(event) => {
            if (!isRead(event)) return
            onDismiss()
            onOpen()
          }}
        >
          <Trans>Voir le transfert</Trans>
        </Button>
        <DisappearingButton variant="subtle" onClick={(event) => isRead(event) && onDismiss()}>
          <Trans>C’est noté</Trans>
        </DisappearingButton>
      </div>
    </div>
  )
}

function Expected({ at, now }: { at: number; now: number }) {
  const { isToday, text } = formatTimeOrDate(at, now, useLanguage())
  return isToday ? <Trans>Arrivée prévue à {text}</Trans> : <Trans>Arrivée prévue le {text}</Trans>
}

function Arrived({ at, now }: { at: number; now: number }) {
  const { isToday, text } = formatTimeOrDate(at, now, useLanguage())
  return isToday ? <Trans>Arrivé à {text}</Trans> : <Trans>Arrivé le {text}</Trans>
}

/** UTC ms; now on first use, so that earlier transfers are not announced. */
function readAnnouncedUntil(): number {
  const announcedUntil = deviceStore.get('arrivalsTold')
  if (announcedUntil) return announcedUntil
  const now = serverNow()
  deviceStore.set('arrivalsTold', now)
  return now
}
