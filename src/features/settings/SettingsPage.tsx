import { Trans, useLingui } from '@lingui/react/macro'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/limits.ts'
import { formatMoneyShort, money } from '../../../domain/money.ts'
import { formatDay, nextMonthStart } from '../../../domain/month.ts'
import { serverNow } from '../../browser/serverTime.ts'
import sections from '../../ui/account/Section.module.css'
import { LANGUAGE_NAMES, LANGUAGES } from '../../ui/i18n.ts'
import { LegalLinks } from '../../ui/LegalLinks.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useSetLanguage } from '../../ui/useSetLanguage.ts'
import { OnThisDevice } from './OnThisDevice.tsx'

const PLANS = 'plans'

/** What a person can choose, and the way to the rest. What belongs to other features comes from outside. Specification, section 2. */
export function SettingsPage({
  plans,
  ownData,
  onNotifications,
  onSecurity,
  onContact,
}: {
  plans: ReactNode
  ownData: ReactNode
  onNotifications: () => void
  onSecurity: () => void
  onContact: () => void
}) {
  const { t, i18n } = useLingui()
  const setLanguage = useSetLanguage()
  // The address of the way back from a checkout, and of whoever asks for the plans elsewhere.
  const [arePlansShown, setPlansShown] = useState(() => location.pathname === '/settings')
  const language = useLanguage()
  const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
  const nextMonth = formatDay(nextMonthStart(serverNow()), language)
  return (
    <div className={sections.sections}>
      <section className={sections.section} aria-labelledby="cap">
        <h2 id="cap">
          <Trans>Plafond mensuel</Trans>
        </h2>
        <p>
          <Trans>
            Vous pouvez envoyer jusqu’à {cap} par mois, frais compris. Le prochain mois commence le{' '}
            {nextMonth}.
          </Trans>
        </p>
      </section>
      <section className={sections.section} aria-labelledby={PLANS}>
        <h2 id={PLANS}>
          <Trans>Forfaits</Trans>
        </h2>
        <div className={sections.form}>
          <Button
            variant="default"
            aria-expanded={arePlansShown}
            onClick={() => setPlansShown((shown) => !shown)}
          >
            {arePlansShown ? <Trans>Masquer les forfaits</Trans> : <Trans>Voir les forfaits</Trans>}
          </Button>
          {arePlansShown && plans}
        </div>
      </section>
      <section className={sections.section} aria-labelledby="language">
        <h2 id="language">
          <Trans>Langue</Trans>
        </h2>
        <NativeSelect
          label={t`Langue de l’application`}
          value={i18n.locale}
          onChange={({ currentTarget: { value } }) => {
            const chosen = LANGUAGES.find((language) => language === value)
            if (chosen) setLanguage(chosen)
          }}
          data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
      </section>
      <Rows>
        <Row onOpen={onNotifications} note={<Trans>Alertes dans l’application</Trans>}>
          <Trans>Notifications</Trans>
        </Row>
        <Row onOpen={onSecurity} note={<Trans>Mot de passe, autres appareils, suppression du compte</Trans>}>
          <Trans>Sécurité</Trans>
        </Row>
        <Row onOpen={onContact} note={<Trans>Téléphone, e-mail, discussion</Trans>}>
          <Trans>Aide et assistance</Trans>
        </Row>
      </Rows>
      <section className={sections.section} aria-labelledby="legal">
        <h2 id="legal">
          <Trans>Informations légales</Trans>
        </h2>
        <LegalLinks />
      </section>
      {ownData}
      {/* This stands last, because the browser's answer comes a moment later and must push nothing away from under a finger. */}
      <OnThisDevice />
    </div>
  )
}
