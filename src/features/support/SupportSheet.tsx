import { Trans } from '@lingui/react/macro'
import { getLocale } from '../../../domain/common/language.ts'
import { getSupportHours, SUPPORT_CLOSES_AT, SUPPORT_OPENS_AT } from '../../../domain/common/supportHours.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { RECEIPT_CHECK_PATH } from '../../browser/receiptCheckPath.ts'
import { support } from '../../services/support.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CallIcon, ChatIcon } from '../../ui/icons/account.ts'
import { CheckIcon, ClockIcon, MailIcon, ShieldIcon } from '../../ui/icons/common.ts'
import numbers from '../../ui/PhoneNumber.module.css'
import { Row, Rows } from '../../ui/Row.tsx'
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
      <Rows>
        <Row
          link={{ href: `tel:${support.phone}` }}
          icon={CallIcon}
          title={
            <Trans>
              Appeler le <span className={numbers.phone}>{groupPhone(support.phone)}</span>
            </Trans>
          }
          note={
            <Trans>
              Du lundi au vendredi, de {SUPPORT_OPENS_AT} h à {SUPPORT_CLOSES_AT} h, heure de Paris.
            </Trans>
          }
        />
        <Row
          link={{ href: `mailto:${support.email}` }}
          icon={MailIcon}
          title={<Trans>Écrire à {address}</Trans>}
          note={<Trans>À toute heure ; nous répondons aux heures d’ouverture.</Trans>}
        />
        <Row
          link={{ href: support.chatUrl, target: '_blank', rel: 'noopener noreferrer' }}
          icon={ChatIcon}
          title={<Trans>Ouvrir la discussion</Trans>}
          note={<Trans>Dans une nouvelle fenêtre.</Trans>}
        />
        <Row
          link={{ href: RECEIPT_CHECK_PATH }}
          icon={ShieldIcon}
          title={<Trans>Vérifier un reçu</Trans>}
          note={<Trans>Sans compte et sans connexion.</Trans>}
        />
      </Rows>
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
