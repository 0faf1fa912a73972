import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { storageProblem } from '../../cache/deviceStorage.ts'
import { howKept, type Keeping } from '../../pwa/keeping.ts'
import sections from '../../ui/account/Section.module.css'
import { useStore } from '../../ui/useStore.ts'

/** What is kept here, and what the browser said about that. Where nothing can be kept, the bar above says why. */
export function OnThisDevice() {
  const isBroken = useStore(storageProblem) !== null
  const [keeping, setKeeping] = useState<Keeping | null>(null)
  useEffect(() => void howKept().then(setKeeping), [])
  if (isBroken || !keeping) return null
  return (
    <section className={sections.section} aria-labelledby="kept">
      <h2 id="kept">
        <Trans>Sur cet appareil</Trans>
      </h2>
      <div className={sections.form}>
        <p>
          <Trans>
            Vos transferts, vos reçus et vos contacts sont gardés ici jusqu’à votre déconnexion, pour s’ouvrir
            sans réseau.
          </Trans>
        </p>
        <p>
          {keeping === 'kept' ? (
            <Trans>Votre navigateur s’est engagé à ne pas les effacer, même si la place manque.</Trans>
          ) : keeping === 'mayGo' ? (
            <Trans>
              Si la place manque, votre navigateur peut les effacer. Rien n’est perdu : ils reviennent avec le
              réseau.
            </Trans>
          ) : (
            <Trans>
              Après votre premier reçu ou contact, nous demanderons à votre navigateur de ne pas les effacer
              si la place manque.
            </Trans>
          )}
        </p>
      </div>
    </section>
  )
}
