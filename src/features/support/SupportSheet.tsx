import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { getLocale } from '../../../domain/common/language.ts'
import { getSupportHours, SUPPORT_CLOSES_AT, SUPPORT_OPENS_AT } from '../../../domain/common/supportHours.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { RECEIPT_CHECK_PATH } from '../../browser/receiptCheckPath.ts'
import { support } from '../../services/support.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CallIcon, ChatIcon } from '../../ui/icons/account.ts'
import { CheckIcon, ClockIcon, ForwardIcon, MailIcon, ShieldIcon } from '../../ui/icons/common.ts'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import rows from '../../ui/Row.module.css'
import { Sheet } from '../../ui/Sheet.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './SupportSheet.module.css'

/** Specification, section 2. */
export function SupportSheet({ onClose }: { onClose: () => void }) {
  const [box, host] = support.email.split('@')
  const address = (
    <>
      {box}@<wbr />
      {host}
    </>
  )
  return (
    <Sheet title={<Trans>Nous contacter</Trans>} onClose={onClose} returnTo="header [aria-haspopup]">
      <OpenNow />
      <ul className={rows.rows}>
        <Way
          href={`tel:${support.phone}`}
          icon={CallIcon}
          title={
            <Trans>
              Appeler le <span className={classes.number}>{groupPhone(support.phone)}</span>
            </Trans>
          }
        >
          <Trans>
            Du lundi au vendredi, de {SUPPORT_OPENS_AT} h à {SUPPORT_CLOSES_AT} h, heure de Paris.
          </Trans>
        </Way>
        <Way href={`mailto:${support.email}`} icon={MailIcon} title={<Trans>Écrire à {address}</Trans>}>
          <Trans>À toute heure ; nous répondons aux heures d’ouverture.</Trans>
        </Way>
        <Way href={support.chatUrl} isPage icon={ChatIcon} title={<Trans>Ouvrir la discussion</Trans>}>
          <Trans>Dans une nouvelle fenêtre.</Trans>
        </Way>
        <Way href={RECEIPT_CHECK_PATH} icon={ShieldIcon} title={<Trans>Vérifier un reçu</Trans>}>
          <Trans>Sans compte et sans connexion.</Trans>
        </Way>
      </ul>
      <p className={classes.advice}>
        <ShieldIcon />
        <span>
          <Trans>
            Nous ne vous demanderons jamais votre mot de passe, un code reçu par SMS ou votre numéro de carte.
          </Trans>
        </span>
      </p>
    </Sheet>
  )
}

function Way({
  href,
  isPage = false,
  icon: WayIcon,
  title,
  children,
}: {
  href: string
  /** A web page opens in its own window instead of replacing the app. */
  isPage?: boolean
  icon: Icon
  title: ReactNode
  children: ReactNode
}) {
  return (
    <li>
      <a
        href={href}
        className={`${rows.row} ${classes.way}`}
        {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}
      >
        <span className={rows.icon}>
          <WayIcon />
        </span>
        <span className={rows.lines}>
          <strong>{title}</strong>
          <span className={rows.note}>{children}</span>
        </span>
        <span className={rows.arrow}>
          <ForwardIcon isSmall />
        </span>
      </a>
    </li>
  )
}

function OpenNow() {
  const now = useServerNow((now) => getSupportHours(now).until)
  const { isOpen, until } = getSupportHours(now)
  const locale = getLocale(useLanguage())
  const turns = new Date(until)
  const time = turns.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  const day = turns.toLocaleDateString(locale, { weekday: 'long' })
  const isToday = turns.toDateString() === new Date(now).toDateString()
  return (
    <p>
      <Badge kind={isOpen ? 'success' : 'warning'} icon={isOpen ? CheckIcon : ClockIcon}>
        {isOpen ? (
          <Trans>Ouvert maintenant, jusqu’à {time} à votre heure.</Trans>
        ) : isToday ? (
          <Trans>Fermé pour l’instant ; ouvre à {time} à votre heure.</Trans>
        ) : (
          <Trans>
            Fermé pour l’instant ; ouvre {day} à {time} à votre heure.
          </Trans>
        )}
      </Badge>
    </p>
  )
}
