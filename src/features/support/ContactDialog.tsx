import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { localeOf } from '../../../domain/language.ts'
import { groupPhone } from '../../../domain/phone.ts'
import { SUPPORT_CLOSES_AT, SUPPORT_OPENS_AT, supportHours } from '../../../domain/supportHours.ts'
import { support } from '../../services/support.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import classes from './ContactDialog.module.css'

/** How to reach the support; each way opens the app that it belongs to. Specification, section 2. */
export function ContactDialog({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title={<Trans>Nous contacter</Trans>} onClose={onClose} returnTo="header [aria-haspopup]">
      <ul className={classes.ways}>
        <li>
          <Way
            href={`tel:${support.phone}`}
            drawing="M6 4h3l2 5-2.500 1.500a11 11 0 0 0 5 5L15 13l5 2v3a2 2 0 0 1-2 2A15 15 0 0 1 4 6a2 2 0 0 1 2-2"
            title={
              <Trans>
                Appeler le <span className={classes.number}>{groupPhone(support.phone)}</span>
              </Trans>
            }
          >
            <Hours />
          </Way>
        </li>
        <li>
          <Way
            href={`mailto:${support.email}`}
            drawing="M3 6h18v12H3zm0 0 9 7 9-7"
            title={<Trans>Écrire à {support.email}</Trans>}
          >
            <Trans>À toute heure ; nous répondons aux heures d’ouverture.</Trans>
          </Way>
        </li>
        <li>
          <Way
            href={support.chatUrl}
            isPage
            drawing="M4 5h16v11H9l-5 4z"
            title={<Trans>Ouvrir la discussion</Trans>}
          >
            <Trans>Dans une nouvelle fenêtre.</Trans>
          </Way>
        </li>
      </ul>
      <p className={classes.advice}>
        <Trans>
          Nous ne vous demanderons jamais votre mot de passe, un code reçu par SMS ou votre numéro de carte.
        </Trans>
      </p>
    </Sheet>
  )
}

function Way({
  href,
  isPage = false,
  drawing,
  title,
  children,
}: {
  href: string
  /** Whether the way is a web page. It then opens in a window of its own, not in the place of the app. */
  isPage?: boolean
  drawing: string
  title: ReactNode
  children: ReactNode
}) {
  return (
    <a href={href} className={classes.way} {...(isPage && { target: '_blank', rel: 'noopener noreferrer' })}>
      <svg viewBox="0 0 24 24" className={classes.picture} aria-hidden="true">
        <path d={drawing} />
      </svg>
      <span>
        <strong>{title}</strong>
        <span className={classes.note}>{children}</span>
      </span>
    </a>
  )
}

/** The hours in Paris, and what they mean where the device is, now. */
function Hours() {
  const now = useServerNow((now) => supportHours(now).until)
  const { isOpen, until } = supportHours(now)
  const locale = localeOf(useLanguage())
  const turns = new Date(until)
  const time = turns.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  const day = turns.toLocaleDateString(locale, { weekday: 'long' })
  const isToday = turns.toDateString() === new Date(now).toDateString()
  return (
    <>
      <span>
        <Trans>
          Du lundi au vendredi, de {SUPPORT_OPENS_AT} h à {SUPPORT_CLOSES_AT} h, heure de Paris.
        </Trans>
      </span>{' '}
      <span data-open={isOpen} className={classes.now}>
        {isOpen ? (
          <Trans>Ouvert maintenant, jusqu’à {time} à votre heure.</Trans>
        ) : isToday ? (
          <Trans>Fermé pour l’instant ; ouvre à {time} à votre heure.</Trans>
        ) : (
          <Trans>
            Fermé pour l’instant ; ouvre {day} à {time} à votre heure.
          </Trans>
        )}
      </span>
    </>
  )
}
