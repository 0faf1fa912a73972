import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../../domain/errors/failure.ts'
import type { SignInMethod } from '../../services/accountChanges.ts'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { type RunWithReauthentication, useReauthentication } from '../../ui/account/useReauthentication.tsx'
import { getFailureText, UNKNOWN_CODE_TEXTS } from '../../ui/failureText.ts'
import { DeleteIcon } from '../../ui/icons/account.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { showToast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/useSubmit.ts'
import check from './Check.module.css'
import classes from './Settings.module.css'

const REFUSAL_TEXTS: Record<string, MessageDescriptor> = {
  paymentOpen: msg`Un paiement est encore en cours. Rien n’est supprimé. Réessayez quand il est terminé, dans une heure au plus tard.`,
  planRunning: msg`Votre forfait court encore. Rien n’est supprimé. Résiliez-le d’abord dans le portefeuille.`,
}

const NO_ANSWER = msg`Pas de réponse du réseau : nous ne savons pas si la suppression a commencé. Réessayez, c’est sans risque.`

const DELETED = [
  msg`votre profil et votre accès à Passerelle`,
  msg`vos contacts`,
  msg`les cartes que notre prestataire de paiement garde pour vous`,
  msg`vos documents d’identité, si vous n’avez jamais rien payé ici`,
  msg`ce que cet appareil garde, reçus compris : téléchargez-les avant`,
]
const KEPT = [
  msg`vos transferts et vos factures payées, que la loi nous demande de garder. Les noms, les numéros et votre adresse e-mail restent cinq ans, puis sont supprimés`,
  msg`vos documents d’identité, si vous avez déjà payé ici. La loi nous demande de les garder cinq ans. Nous seuls pouvons les ouvrir, puis ils sont supprimés`,
  msg`ce que vous avez envoyé ce mois-ci, jusqu’à la fin du mois : un nouveau compte garde ce plafond`,
]

/** `onDone` signs out on this device. */
export function DeleteAccount({
  methods,
  phone,
  onDone,
}: {
  methods: readonly SignInMethod[]
  phone: string | null
  onDone: () => void
}) {
  const { proven, proof } = useReauthentication(methods, phone)
  return (
    <>
      <SheetRow
        icon={DeleteIcon}
        title={<Trans>Supprimer mon compte…</Trans>}
        note={<Trans>Vous verrez d’abord ce qui disparaît et ce qui reste.</Trans>}
        sheet={(close) => (
          <DeletionSheet proven={proven} isHidden={Boolean(proof)} onDone={onDone} onClose={close} />
        )}
      />
      {proof}
    </>
  )
}

function DeletionSheet({
  proven,
  isHidden,
  onDone,
  onClose,
}: {
  proven: RunWithReauthentication
  /** Another sheet asks the user to re-authenticate. */
  isHidden: boolean
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const [isUnderstood, setUnderstood] = useState(false)
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { deleteAccount } = await import('../../services/accountEnd.ts')
    if (!(await proven(deleteAccount))) return
    showToast('success', t`Votre compte est supprimé.`)
    onDone()
  }, getDeletionFailureText)
  if (isHidden) return null
  return (
    <Sheet
      title={<Trans>Supprimer votre compte ?</Trans>}
      onClose={onClose}
      isClosable={!isBusy}
      foot={
        <Button variant="danger" disabled={!isUnderstood} loading={isBusy} onClick={submit} fullWidth>
          <Trans>Supprimer définitivement</Trans>
        </Button>
      }
    >
      <Consequences />
      {problem && (
        <Notice kind="error" isCalling>
          {problem}
        </Notice>
      )}
      <Checkbox
        label={t`Je comprends que c’est définitif`}
        checked={isUnderstood}
        classNames={check}
        onChange={({ currentTarget: { checked } }) => setUnderstood(checked)}
      />
    </Sheet>
  )
}

function Consequences() {
  const { i18n } = useLingui()
  const list = (items: readonly MessageDescriptor[]) => (
    <ul className={classes.list}>
      {items.map((item) => (
        <li key={item.id}>{i18n._(item)}</li>
      ))}
    </ul>
  )
  return (
    <>
      <div>
        <strong>
          <Trans>Ce qui est supprimé</Trans>
        </strong>
        {list(DELETED)}
      </div>
      <div>
        <strong>
          <Trans>Ce qui reste</Trans>
        </strong>
        {list(KEPT)}
      </div>
      <p>
        <Trans>Un forfait déjà résilié s’arrête aussitôt, même si le mois est payé.</Trans>
      </p>
    </>
  )
}

function getDeletionFailureText(failure: Failure) {
  const obstacle = failure.kind === 'function' && REFUSAL_TEXTS[failure.code]
  if (obstacle) return obstacle
  return failure.kind === 'network' ? NO_ANSWER : getFailureText(failure, UNKNOWN_CODE_TEXTS.deleteAccount)
}
