import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../../domain/errors/failure.ts'
import { buildTimeline, isKnownLate } from '../../../domain/transfers/timeline.ts'
import { buildInvoiceReceiptContent, buildReceiptContent } from '../../../print/receiptContent.ts'
import { isStandalone } from '../../browser/isStandalone.ts'
import { saveFile } from '../../browser/saveFile.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { shareFile } from '../../browser/shareFile.ts'
import { operator } from '../../services/operator.ts'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { useIsAnnouncementEnabled } from '../../ui/announcements.ts'
import { DataIcon } from '../../ui/icons/account.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { showToast } from '../../ui/toast.ts'
import { useIsMounted } from '../../ui/useIsMounted.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

const CUT_OFF = msg`Le réseau s’est coupé avant la fin, et aucun fichier n’a été créé. Réessayez quand il sera revenu.`
const NOT_READ = msg`Vos données n’ont pas toutes pu être lues, et aucun fichier n’a été créé. Réessayez dans un moment.`
const UNREADABLE = msg`Cette version de l’application ne peut pas lire tous vos paiements, et aucun fichier n’a été créé. Mettez l’application à jour, ou écrivez à notre assistance.`

function getExportFailureText(failure: Failure) {
  if (failure.kind === 'network') return CUT_OFF
  return failure.kind === 'data' && failure.cause === 'unreadable' ? UNREADABLE : NOT_READ
}

export const OwnDataExport = ({ uid }: { uid: string }) => (
  <SheetRow
    icon={DataIcon}
    title={<Trans>Mes données</Trans>}
    note={<Trans>Profil, transferts, reçus, contacts</Trans>}
    sheet={(close) => <ExportSheet uid={uid} onClose={close} />}
  />
)

/** Another opening makes a newer file. */
function ExportSheet({ uid, onClose }: { uid: string; onClose: () => void }) {
  const { t } = useLingui()
  const reader = { language: useLanguage(), operator, timeZone: 'UTC' }
  const isHere = useIsMounted()
  const announcements = {
    arrival: useIsAnnouncementEnabled('arrival'),
    version: useIsAnnouncementEnabled('version'),
  }
  const [count, setCount] = useState(0)
  const [file, setFile] = useState<File | null>(null)
  const { isBusy, problem, submit } = useSubmit(async () => {
    setCount(0)
    const { createOwnDataFile } = await import('./ownDataFile.ts')
    const newFile = await createOwnDataFile(uid, {
      receipts: {
        ofTransfer: (row) =>
          buildReceiptContent(row, { ...reader, isLate: isKnownLate(buildTimeline(row, serverNow())) }),
        ofInvoice: (payment) => buildInvoiceReceiptContent(payment, reader),
      },
      announcements,
      now: serverNow(),
      onProgress: setCount,
    })
    if (!isStandalone()) return saveFile(newFile, newFile.name)
    setFile(newFile)
    // Not awaited, because in some browsers the share promise never settles.
    handOver(newFile)
  }, getExportFailureText)
  /** Shares the file, because the installed app on iOS can't save one. */
  const handOver = async (newFile: File) => {
    const isReady = (await shareFile(newFile).catch(() => 'ready')) === 'ready'
    if (!isReady) setFile(null)
    else if (!isHere())
      showToast('info', t`La page était fermée : aucun fichier n’a été enregistré. Redemandez vos données.`)
  }
  return (
    <Sheet
      title={<Trans>Mes données</Trans>}
      onClose={onClose}
      foot={
        file ? (
          <Button onClick={() => handOver(file)} fullWidth>
            <Trans>Enregistrer le fichier</Trans>
          </Button>
        ) : (
          <Button onClick={submit} loading={isBusy} fullWidth>
            <Trans>Télécharger mes données (JSON)</Trans>
          </Button>
        )
      }
    >
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
    </Sheet>
  )
}
