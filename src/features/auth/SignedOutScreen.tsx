import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { keepPaintedQuote } from '../../browser/wantedQuote.ts'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { LegalLinks } from '../../ui/LegalLinks.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import { lazyComponent } from '../../ui/lazyComponent.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { AuthCard } from './AuthCard.tsx'
import { authStart } from './authStart.ts'
import classes from './SignedOutScreen.module.css'

const Calculator = lazyComponent(async () => (await import('./Calculator.tsx')).Calculator)

// The same element at each render: its painted form stays as it is until its code is there.
const CALCULATOR = <Calculator />

/** The way in: what the product promises beside the card to sign in or up. Specification, section 2. */
export function SignedOutScreen() {
  const { t } = useLingui()
  const language = useLanguage()
  const price = useRef<HTMLElement>(null)
  const [start] = useState(authStart)
  const [mode, setMode] = useState(start.mode)
  const isSent = useRef(false)
  const signUp = () => {
    isSent.current = true
    setMode('signUp')
  }
  useEffect(() => {
    if (isSent.current) document.querySelector<HTMLElement>('main [name=name]')?.focus()
    isSent.current = false
  })
  return (
    <div className={classes.screen}>
      <header className={classes.header}>
        <Wordmark />
        <LanguageSwitch onSwitch={() => price.current && keepPaintedQuote(price.current)} />
      </header>
      <section className={classes.promise} aria-labelledby="promise">
        <h1 id="promise">
          <span>
            <Trans>Votre argent traverse.</Trans>
          </span>{' '}
          <span>
            <Trans>Vous savez ce qui arrive.</Trans>
          </span>
        </h1>
        <p className={classes.lead}>
          <Trans>
            Depuis l’Europe ou le Canada, vers un numéro de téléphone en Guinée, en France ou au Canada.
          </Trans>
        </p>
      </section>
      <section ref={price} className={classes.price} aria-label={t`Le prix`}>
        {/* What is painted in one language can't be taken over in another. */}
        <Suspense key={language} fallback={<div className={classes.coming} />}>
          {CALCULATOR}
        </Suspense>
        <Button variant="default" onClick={signUp}>
          <Trans>Envoyer cette somme</Trans>
        </Button>
      </section>
      <main className={classes.card}>
        <AuthCard start={start} mode={mode} onMode={setMode} />
      </main>
      <section className={classes.points} aria-label="Passerelle">
        <BridgeScene />
        <ul>
          <li>
            <strong>
              <Trans>Sécurité de niveau bancaire</Trans>
            </strong>
            <Trans>
              Vous saisissez votre carte chez notre prestataire de paiement. Nous ne la voyons jamais.
            </Trans>
          </li>
          <li>
            <strong>
              <Trans>Transferts instantanés</Trans>
            </strong>
            <Trans>Votre paiement part à l’instant ; l’arrivée est prévue une heure après.</Trans>
          </li>
          <li>
            <strong>
              <Trans>Ouvert 24 h/24, 7 j/7</Trans>
            </strong>
            <Trans>Envoyez à toute heure. Notre assistance vous répond en semaine, de 9 h à 19 h.</Trans>
          </li>
        </ul>
        <LegalLinks />
      </section>
    </div>
  )
}
