import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { deviceStore } from '../../browser/storage.ts'
import { Notice } from '../../ui/Notice.tsx'

/**
 * Says that the session was ended elsewhere, and what became of the money. `isExpected`: the person has ended it by opening the link of a
 * new address, and another notice says so.
 */
export function EndedNotice({ isExpected }: { isExpected: boolean }) {
  const [ended] = useState(() => deviceStore.get('ended'))
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
          Elle a été fermée ailleurs. Votre paiement a peut-être été pris : ne payez pas une seconde fois.
          Reconnectez-vous, et vous verrez le reçu, ou que rien n’a été débité.
        </Trans>
      )}
    </Notice>
  )
}
