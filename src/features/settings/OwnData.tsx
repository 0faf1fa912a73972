import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../../domain/failure.ts'
import type { OwnReceipts } from '../../../domain/ownData.ts'
import { save } from '../../browser/saveFile.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { type Shared, shareFile } from '../../browser/shareFile.ts'
import { standsAlone } from '../../browser/standsAlone.ts'
import sections from '../../ui/account/Section.module.css'
import { Notice } from '../../ui/Notice.tsx'
import { useAnnounced } from '../../ui/notifications.ts'
import { toast } from '../../ui/toast.ts'
import { useIsHere } from '../../ui/useIsHere.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

const CUT_OFF = msg`Le réseau s’est coupé avant la fin, et aucun fichier n’a été fait. Réessayez quand il est revenu.`
const NOT_READ = msg`Vos données n’ont pas toutes pu être lues, et aucun fichier n’a été fait. Réessayez dans un moment.`

/** The installed app of iOS saves no file by itself: it is handed to an app, such as that of the files. */
async function handOver(file: File): Promise<Shared> {
  if (standsAlone()) return shareFile(file)
  save(file, file.name)
  return 'saved'
}

const told = ({ kind }: Failure) => (kind === 'network' ? CUT_OFF : NOT_READ)

/** A copy of all that the product keeps of the person, as a file. `loadReceipts`: what the receipts say of it. */
export function OwnData({
  uid,
  loadReceipts,
}: {
  uid: string
  loadReceipts: (name: string) => Promise<OwnReceipts>
}) {
  const { t } = useLingui()
  const isHere = useIsHere()
  const announcements = { arrival: useAnnounced('arrival'), version: useAnnounced('version') }
  const [count, setCount] = useState(0)
  const [file, setFile] = useState<File | null>(null)
  const { isBusy, problem, submit } = useSubmit(async () => {
    setCount(0)
    const { makeOwnFile } = await import('./ownFile.ts')
    const made = await makeOwnFile(uid, {
      loadReceipts,
      announcements,
      now: serverNow(),
      onProgress: setCount,
    })
    const isReady = (await handOver(made)) === 'ready'
    setFile(isReady ? made : null)
    // The file goes with the page on which the other tap was wanted.
    if (isReady && !isHere())
      toast('info', t`La page était fermée : aucun fichier n’a été enregistré. Redemandez vos données.`)
  }, told)
  return (
    <section className={sections.section} aria-labelledby="own">
      <h2 id="own">
        <Trans>Mes données</Trans>
      </h2>
      <div className={sections.form}>
        <p>
          <Trans>
            Une copie de votre profil, de vos contacts, de vos transferts, de vos factures payées et de leurs
            reçus.
          </Trans>
        </p>
        <p role="status">
          {isBusy ? (
            <Plural value={count} one="# paiement lu…" other="# paiements lus…" />
          ) : (
            file && <Trans>Le fichier est prêt.</Trans>
          )}
        </p>
        {problem && <Notice kind="error">{problem}</Notice>}
        {file ? (
          <Button
            onClick={() =>
              handOver(file).then(
                () => setFile(null),
                // The file is still here, for another tap.
                () => undefined,
              )
            }
          >
            <Trans>Enregistrer le fichier</Trans>
          </Button>
        ) : (
          <Button variant="default" onClick={submit} loading={isBusy}>
            <Trans>Télécharger mes données (JSON)</Trans>
          </Button>
        )}
      </div>
    </section>
  )
}
