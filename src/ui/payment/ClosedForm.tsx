import { Trans } from '@lingui/react/macro'

/**
 * Says, to the eye and to the ear, that a form takes nothing while what it holds is being paid. It is always in the page, because
 * screen readers tell of what comes into a status that they know.
 */
export function ClosedForm({ isClosed }: { isClosed: boolean }) {
  return (
    <p role="status" className={isClosed ? undefined : 'unseen'}>
      {isClosed && <Trans>Ce formulaire est fermé le temps de votre paiement.</Trans>}
    </p>
  )
}
