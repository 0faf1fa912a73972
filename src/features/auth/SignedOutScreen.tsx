import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { BoltIcon, ClockIcon, ShieldIcon } from '../../ui/icons/common.ts'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import { LegalLinks } from '../../ui/LegalLinks.tsx'
import { createLazyComponent } from '../../ui/lazyComponent.ts'
import { savePrerenderedQuote } from '../../ui/quote/wantedQuote.ts'
import { ScreenPart } from '../../ui/ScreenPart.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { AuthCard } from './AuthCard.tsx'
import { AuthHeader } from './AuthHeader.tsx'
import { readInitialAuthState } from './readAuthStart.ts'
import classes from './SignedOutScreen.module.css'

const PriceCalculator = createLazyComponent(
  async () => (await import('./PriceCalculator.tsx')).PriceCalculator,
)

// A constant element, so that React keeps the prerendered markup until the screen's chunk has loaded.
const CALCULATOR = <PriceCalculator />

/** Specification, section 2. */
export function SignedOutScreen() {
  const { t } = useLingui()
  const language = useLanguage()
  const price = useRef<HTMLElement>(null)
  const [start] = useState(readInitialAuthState)
  const [mode, setMode] = useState(start.mode)
  return (
    <div className={classes.screen}>
      <AuthHeader onSwitch={() => price.current && savePrerenderedQuote(price.current)} />
      <section className={classes.promise} aria-labelledby="promise">
        <h1 id="promise">
          <span>
            <Trans>Votre argent traverse.</Trans>
          </span>{' '}
          <span>
            <Trans>Vous savez ce qui arrive.</Trans>
          </span>
        </h1>
      </section>
      <section ref={price} className={classes.price} aria-label={t`Le prix`}>
        {/* Markup prerendered in one language can't be hydrated in another. */}
        <Suspense key={language} fallback={<div className={classes.coming} />}>
          {CALCULATOR}
        </Suspense>
      </section>
      <main className={classes.card}>
        <ScreenPart>
          <AuthCard start={start} mode={mode} onMode={setMode} />
        </ScreenPart>
      </main>
      <section className={classes.points} aria-label="Passerelle">
        <ul>
          <Point icon={ShieldIcon} title={<Trans>Sécurité de niveau bancaire</Trans>}>
            <Trans>
              Votre numéro de carte va directement à notre prestataire de paiement. Nous ne le voyons jamais.
            </Trans>
          </Point>
          <Point icon={BoltIcon} title={<Trans>Transferts instantanés</Trans>}>
            <Trans>Le paiement est immédiat ; l’heure d’arrivée est affichée avec le prix.</Trans>
          </Point>
          <Point icon={ClockIcon} title={<Trans>Ouvert 24 h/24, 7 j/7</Trans>}>
            <Trans>Envoyez à toute heure. Notre assistance vous répond en semaine, de 9 h à 19 h.</Trans>
          </Point>
        </ul>
        <LegalLinks />
      </section>
    </div>
  )
}

function Point({ icon: Icon, title, children }: { icon: Icon; title: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Icon />
      <strong>{title}</strong>
      <span>{children}</span>
    </li>
  )
}
