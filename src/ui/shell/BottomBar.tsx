import { Trans, useLingui } from '@lingui/react/macro'
import classes from './BottomBar.module.css'

/** The parts of the home screen under the thumb of who holds a phone. Specification, section 2. */
export function BottomBar({ onHistory }: { onHistory: () => void }) {
  const { t } = useLingui()
  return (
    <nav className={classes.bar} aria-label={t`Navigation`}>
      <button type="button" onClick={goToForm}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 17c1-8 5-11 8-11s7 3 8 11M3 17h18M12 6V3m0 0L9.500 5.500M12 3l2.500 2.500" />
        </svg>
        <Trans>Envoyer</Trans>
      </button>
      <button type="button" onClick={onHistory}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 6h14M5 12h14M5 18h9" />
        </svg>
        <Trans>Activité</Trans>
      </button>
    </nav>
  )
}

function goToForm() {
  const heading = document.getElementById('send')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
