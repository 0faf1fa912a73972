import { Trans } from '@lingui/react/macro'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import { AuthCard } from './AuthCard.tsx'
import classes from './SignedOutScreen.module.css'

/** The way in: what the product promises beside the card to sign in or up. Specification, section 2. */
export function SignedOutScreen() {
  return (
    <div className={classes.screen}>
      <header className={classes.header}>
        <Wordmark />
        <LanguageSwitch />
      </header>
      <section className={classes.promise} aria-labelledby="promise">
        <h1 id="promise">
          <span>
            <Trans>Votre argent traverse.</Trans>
          </span>{' '}
          <span>
            <Trans>Vous savez combien arrive.</Trans>
          </span>
        </h1>
        <p className={classes.lead}>
          <Trans>
            Depuis l’Europe ou le Canada, vers un numéro de téléphone en Guinée, en France ou au Canada.
          </Trans>
        </p>
      </section>
      <main className={classes.card}>
        <AuthCard />
      </main>
      <section className={classes.points} aria-label="Passerelle">
        <BridgeScene />
        <ul>
          <li>
            <strong>
              <Trans>Sécurité de niveau bancaire</Trans>
            </strong>
            <Trans>
              Votre carte est saisie chez notre prestataire de paiement. Nous ne la voyons jamais.
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
      </section>
    </div>
  )
}
