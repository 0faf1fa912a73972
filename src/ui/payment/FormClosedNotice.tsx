import { Trans } from '@lingui/react/macro'

/**
 * Says that a form ignores input during its payment. Always in the page, because screen readers announce only
 * changes of a status that was there before.
 */
export function FormClosedNotice({ isClosed }: { isClosed: boolean }) {
  return (
    <p role="status" className={isClosed ? undefined : 'unseen'}>
      {isClosed && <Trans>Vous ne pouvez pas modifier ce formulaire pendant votre paiement.</Trans>}
    </p>
  )
}
