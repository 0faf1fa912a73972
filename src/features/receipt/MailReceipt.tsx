import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatWait } from '../../../domain/common/wait.ts'
import type { Failure } from '../../../domain/errors/failure.ts'
import { toFailure } from '../../browser/failure.ts'
import { getFailureText } from '../../ui/failureText.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

const NOT_SENT = msg`L’e-mail n’est pas parti. Votre paiement n’est pas touché : réessayez plus tard, ou téléchargez le reçu.`
const NO_ANSWER = msg`Pas de réponse du réseau : l’e-mail est peut-être parti. Réessayez : vous ne le recevrez qu’une fois.`
const NO_ADDRESS = msg`Votre compte n’a pas d’adresse e-mail vérifiée. Ajoutez-en une dans votre profil, ou téléchargez le reçu.`

const isNotSent = (failure: Failure) => failure.kind === 'function' && failure.code === 'mailNotSent'

function getMailFailureText(failure: Failure) {
  if (failure.kind === 'network') return NO_ANSWER
  if (failure.kind === 'function' && failure.code === 'emailUnverified') return NO_ADDRESS
  if (failure.kind === 'function' && failure.code === 'tooManyRequests') {
    const wait = formatWait(failure.details.retryAfterSeconds, currentLanguage())
    return msg`Le reçu est peut-être déjà en route. Réessayez dans ${wait}.`
  }
  return getFailureText(failure, NOT_SENT)
}

/** A build without mail (`VITE_MAIL_FROM`) does not show it. */
export function MailReceipt({ id }: { id: string }) {
  const language = useLanguage()
  const isOnline = useOnline()
  const [address, setAddress] = useState<string | null>(null)
  // Pressing again repeats the same request, which mails the receipt once.
  const press = useRef<string>(null)
  const { isBusy, problem, submit } = useSubmit(async () => {
    setAddress(null)
    press.current ??= crypto.randomUUID()
    try {
      const { mailReceipt } = await import('../../services/mailedReceipts.ts')
      setAddress(await mailReceipt(id, press.current, language))
      press.current = null
    } catch (error) {
      if (isNotSent(toFailure(error))) press.current = null
      throw error
    }
  }, getMailFailureText)
  if (!isOnline)
    return (
      <p>
        <Trans>Le reçu par e-mail demande le réseau. Le PDF se télécharge aussi sans réseau.</Trans>
      </p>
    )
  return (
    <>
      <Button variant="light" onClick={submit} loading={isBusy}>
        <Trans>Recevoir par e-mail</Trans>
      </Button>
      {isBusy && (
        <p role="status" className="unseen">
          <Trans>Envoi de l’e-mail…</Trans>
        </p>
      )}
      {address && (
        <Notice kind="success" isCalling>
          <Trans>Le reçu est parti à {address}.</Trans>
        </Notice>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
    </>
  )
}
