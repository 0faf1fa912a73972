import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useState } from 'react'
import {
  getMissingIdentity,
  getSubmissionState,
  type SubmissionState,
} from '../../../domain/account/identity.ts'
import { getLocale } from '../../../domain/common/language.ts'
import { getNextDayStart } from '../../../domain/common/month.ts'
import { toFailure } from '../../browser/failure.ts'
import { Crossing } from '../../ui/drawings/Crossing.tsx'
import { Letter } from '../../ui/drawings/Letter.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { getFailureText, OPERATION_FAILURE_TEXTS } from '../../ui/failureText.ts'
import { focusHeading } from '../../ui/focusHeading.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StaleNotice } from '../../ui/StaleNotice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { IdentityForm } from './IdentityForm.tsx'
import classes from './IdentityPage.module.css'
import { IdentitySteps } from './IdentitySteps.tsx'
import { useIdentity } from './useIdentity.ts'

/** Specification, sections 2, 3 and 5. */
export function IdentityPage({ uid }: { uid: string }) {
  const { identity, error, isAsking, ask } = useIdentity(uid)
  const { i18n } = useLingui()
  const now = useServerNow(getNextDayStart)
  const [isUnderWay, setUnderWay] = useState(false)
  const [files, setFiles] = useState(identity?.files)
  // A submitted file may arrive here before the response to its submission, which the form reports.
  if (identity && identity.files !== files && !isUnderWay) setFiles(identity.files)
  const failure = error === null ? null : toFailure(error)
  const notRead = failure && (
    <StaleNotice title={i18n._(OPERATION_FAILURE_TEXTS.fetchFiles)} isAsking={isAsking} onRetry={ask}>
      {failure.kind === 'network' && i18n._(getFailureText(failure))}
    </StaleNotice>
  )
  /** `id`: the replaced file; null if there was none. */
  const [sentAfter, setSentAfter] = useState<{ readonly id: string | null }>()
  const onDone = useCallback(
    (id: string | null) => {
      setSentAfter({ id })
      ask()
    },
    [ask],
  )
  // The form is unmounted, which loses the focus.
  useEffect(() => {
    if (sentAfter) focusHeading()
  }, [sentAfter])

  // An earlier submission may exist until the files have been read.
  if (!files) return <div className={classes.page}>{notRead ?? <Skeleton />}</div>
  const standing = getSubmissionState(files, now)
  const missing = getMissingIdentity(standing)
  const previousId = missing && standing.kind !== 'none' ? standing.file.id : null
  const isSent = missing !== null && sentAfter?.id === previousId
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        {notRead}
        {(isSent || !missing) && (
          <IdentitySteps done={{ details: true, document: true, review: standing.kind === 'approved' }} />
        )}
        {isSent ? (
          <Notice kind="success" title={<Trans>Votre dossier est envoyé</Trans>} isCalling>
            <Trans>Nous l’examinons. Le résultat s’affichera ici.</Trans>
          </Notice>
        ) : (
          <>
            {standing.kind !== 'none' && <Standing {...standing} />}
            {missing && (
              <IdentityForm
                key={previousId}
                uid={uid}
                missing={missing}
                previousId={previousId}
                onUnderWay={setUnderWay}
                onDone={onDone}
              />
            )}
          </>
        )}
      </div>
      {missing && !isSent && (
        <div className={classes.column}>
          <Notice kind="info" title={<Trans>Votre document reste entre nous</Trans>}>
            <Trans>
              Il sert à vérifier votre identité, et à rien d’autre. Il n’est pas gardé sur cet appareil.
            </Trans>
          </Notice>
        </div>
      )}
    </div>
  )
}

function Standing({
  kind,
  file: { fileName, createdAt, rejectedItem, rejectionReason, expirationDate },
}: Exclude<SubmissionState, { readonly kind: 'none' }>) {
  const locale = getLocale(useLanguage())
  const day = new Date(createdAt).toLocaleDateString(locale, { dateStyle: 'long' })
  switch (kind) {
    case 'pending':
      return (
        <div className={classes.card}>
          <EmptyState drawing={<Letter />} title={<Trans>Vérification en cours</Trans>}>
            <Trans>
              Nous avons bien reçu votre document <bdi>{fileName}</bdi>, envoyé le {day}. Le résultat
              s’affichera ici.
            </Trans>
          </EmptyState>
        </div>
      )
    case 'approved':
      return (
        <div className={classes.card}>
          <EmptyState drawing={<Crossing />} title={<Trans>Votre identité est vérifiée</Trans>}>
            <Trans>Document envoyé le {day}. Vous n’avez rien d’autre à faire.</Trans>
          </EmptyState>
        </div>
      )
    case 'expired':
      return (
        <Notice kind="warning" title={<Trans>Votre document a expiré</Trans>}>
          <Trans>Votre identité était vérifiée. Pour qu’elle le reste, envoyez un document valable.</Trans>
        </Notice>
      )
    case 'expiring': {
      const end = new Date(expirationDate).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
      return (
        <Notice kind="warning" title={<Trans>Votre document expire bientôt</Trans>}>
          <Trans>Il expire le {end} et compte jusque-là. Envoyez-en un nouveau dès maintenant.</Trans>
        </Notice>
      )
    }
    case 'rejected':
      return (
        <Notice kind="warning" title={<Trans>Votre dossier n’a pas été accepté</Trans>}>
          {rejectionReason && (
            <p>
              <Trans>Motif :</Trans> <bdi>{rejectionReason}</bdi>
            </p>
          )}
          <p>
            {rejectedItem === 'document' && (
              <Trans>Seul le document est à renvoyer. Vos informations restent valables.</Trans>
            )}
            {rejectedItem === 'details' && (
              <Trans>Seules vos informations sont à corriger. Le document reste valable.</Trans>
            )}
            {rejectedItem === null && (
              <Trans>Envoyez vos informations et un document une nouvelle fois.</Trans>
            )}
          </p>
        </Notice>
      )
  }
}
