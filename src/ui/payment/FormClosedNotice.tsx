import { Trans } from '@lingui/react/macro'

/** Screen readers announce only changes of a status that was there before. */
export function FormClosedNotice({ isClosed }: { isClosed: boolean }) {
  return (
    <p role="status" className={isClosed ? undefined : 'unseen'}>
      {isClosed && <Trans>Vous ne pouvez pas modifier ce formulaire pendant votre paiement.</Trans>}
    </p>
  )
}
