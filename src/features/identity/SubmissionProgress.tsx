import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { getLocale } from '../../../domain/common/language.ts'
import type { identityUploadMachine } from '../../../machines/identityUpload.ts'
import type { ChosenDocument } from '../../actors/identityUpload.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { DocumentPreview } from './DocumentField.tsx'
import classes from './IdentityPage.module.css'
import { getSubmissionProblemText } from './identityText.ts'

/** Specification, sections 7 to 9. */
export function SubmissionProgress({
  actor,
  document,
}: {
  actor: ActorRefFrom<typeof identityUploadMachine>
  document: ChosenDocument | null
}) {
  const { i18n, t } = useLingui()
  const state = useSelector(actor, (snapshot) => snapshot)
  const isOnline = useOnline()
  const { uploadedShare, name, problem, isStored, submission } = state.context
  const isUploading = state.matches('uploading')
  const isLost = state.matches({ uploading: 'retrying' }) || (isUploading && !isOnline)
  const isUnanswered =
    problem?.kind === 'network' || (problem?.kind === 'storage' && problem.code === 'retry-limit-exceeded')
  const isMaybeRecorded = isUnanswered && name !== null && (isStored || !submission?.hasDocument)
  const percent = Math.floor(uploadedShare * 100)
  const shown = (percent / 100).toLocaleString(getLocale(useLanguage()), { style: 'percent' })

  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (window.document.activeElement === window.document.body)
      heading.current?.focus({ preventScroll: true })
  })

  const step = (): ReactNode => {
    if (state.matches('opening')) return <Trans>Préparation de l’envoi…</Trans>
    if (isUploading) return <Trans>{shown} envoyés</Trans>
    if (state.matches('discarding')) return <Trans>Annulation…</Trans>
    return <Trans>Enregistrement de votre dossier…</Trans>
  }

  return (
    <section className={classes.card}>
      <h2 ref={heading} tabIndex={-1}>
        {problem ? <Trans>L’envoi n’a pas abouti</Trans> : <Trans>Envoi de votre dossier</Trans>}
      </h2>
      {submission?.hasDocument && document && <DocumentPreview document={document} />}
      {problem ? (
        <>
          <Notice kind="error" title={i18n._(getSubmissionProblemText(problem))} isCalling>
            {isMaybeRecorded ? (
              <Trans>
                Nous ne savons pas encore si votre dossier est enregistré. Réessayez, c’est sans risque.
              </Trans>
            ) : isStored ? (
              <Trans>Votre document est arrivé, mais votre dossier n’est pas encore enregistré.</Trans>
            ) : (
              <Trans>Rien n’a été enregistré. Ce que vous avez saisi est toujours là.</Trans>
            )}
          </Notice>
          <div className={classes.actions}>
            <Button onClick={() => actor.send({ type: 'submission.retry' })}>
              <Trans>Réessayer</Trans>
            </Button>
            <Button variant="light" onClick={() => actor.send({ type: 'submission.cancel' })}>
              <Trans>Modifier le dossier</Trans>
            </Button>
          </div>
        </>
      ) : (
        <>
          <div
            className={classes.progress}
            role="progressbar"
            aria-label={t`Envoi de votre dossier`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className={classes.bar} style={{ transform: `scaleX(${uploadedShare})` }} />
          </div>
          <p className={classes.quiet}>{step()}</p>
          {isLost && (
            <Notice kind="warning" title={<Trans>La connexion est coupée ou très lente</Trans>}>
              <Trans>L’envoi reprend tout seul dès qu’elle revient. Gardez cette page ouverte.</Trans>
            </Notice>
          )}
          {(isUploading || state.matches('opening')) && (
            <Button variant="light" onClick={() => actor.send({ type: 'submission.cancel' })}>
              <Trans>Annuler l’envoi</Trans>
            </Button>
          )}
        </>
      )}
    </section>
  )
}
