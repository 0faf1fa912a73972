import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { parseReturnAddress } from '../../browser/returnAddress.ts'
import { deviceStore } from '../../browser/storage.ts'
import { Notice } from '../../ui/Notice.tsx'

/** `isExpected`: the user ended the session by opening the link that confirms a new address. */
export function SessionEndedNotice({ isExpected }: { isExpected: boolean }) {
  const [ended] = useState(() => deviceStore.get('ended'))
  const [isReturn] = useState(() => parseReturnAddress() !== null)
  if (!ended && isReturn)
    return (
      <Notice kind="warning" title={<Trans>Nous vérifions votre paiement</Trans>} isCalling>
        <Trans>
          Ne payez pas une seconde fois. Connectez-vous : vous verrez ce qui a été payé, ou que rien n’a été
          débité.
        </Trans>
      </Notice>
    )
  if (!ended || (isExpected && ended.payment === 'none')) return null
  return (
    <Notice
      kind={ended.payment === 'maybePaid' ? 'warning' : 'info'}
      title={<Trans>Votre session a pris fin</Trans>}
      isCalling
    >
      {ended.payment === 'none' && (
        <Trans>
          Elle a été fermée ailleurs, par exemple par un nouveau mot de passe. Reconnectez-vous pour
          continuer.
        </Trans>
      )}
      {ended.payment === 'unpaid' && (
        <Trans>
          Elle a été fermée ailleurs. Votre carte n’a pas été débitée. Reconnectez-vous pour reprendre votre
          paiement.
        </Trans>
      )}
      {ended.payment === 'maybePaid' && (
        <Trans>
          Elle a été fermée ailleurs. Votre carte a peut-être été débitée : ne payez pas une seconde fois.
          Reconnectez-vous : vous verrez le reçu, ou que rien n’a été débité.
        </Trans>
      )}
    </Notice>
  )
}
