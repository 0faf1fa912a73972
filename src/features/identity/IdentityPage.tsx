import { Trans, useLingui } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { askedFor, type IdentityFile, identityStanding } from '../../../domain/identity.ts'
import { localeOf } from '../../../domain/language.ts'
import { failureOf } from '../../browser/failure.ts'
import { failureText } from '../../ui/failureText.ts'
import { focusHeading } from '../../ui/focusHeading.ts'
import { NotFresh } from '../../ui/NotFresh.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { IdentityForm } from './IdentityForm.tsx'
import classes from './IdentityPage.module.css'
import { FILES_NOT_READ } from './identityText.ts'
import { useIdentity } from './useIdentity.ts'

/** Where the person's identity stands, and what is asked for. Specification, sections 2, 3 and 5. */
export function IdentityPage({ uid }: { uid: string }) {
  const { known, error, isAsking, ask } = useIdentity(uid)
  const { i18n } = useLingui()
  const [isUnderWay, setUnderWay] = useState(false)
  const [files, setFiles] = useState(known?.files)
  // What is being handed in may come back as a file before its own answer: the form stays, and then says that it was sent.
  if (known && known.files !== files && !isUnderWay) setFiles(known.files)
  const failure = error === null ? null : failureOf(error)
  const notRead = failure && (
    <NotFresh title={i18n._(FILES_NOT_READ)} isAsking={isAsking} onRetry={ask}>
      {failure.kind === 'network' && i18n._(failureText(failure))}
    </NotFresh>
  )
  /** The file that was the newest one when another was handed in; null when there was none. */
  const [sentAfter, setSentAfter] = useState<{ readonly id: string | null }>()
  const onDone = useCallback(
    (id: string | null) => {
      setSentAfter({ id })
      ask()
    },
    [ask],
  )
  // The form has gone, and with it whatever had the focus.
  useEffect(() => {
    if (sentAfter) focusHeading()
  }, [sentAfter])

  // Before the server has answered, nobody knows whether something was handed in already.
  if (!files) return <div className={classes.page}>{notRead ?? <Loader />}</div>
  const standing = identityStanding(files)
  const asked = askedFor(standing)
  const previousId = standing.kind === 'rejected' ? standing.file.id : null
  const isSent = asked !== null && sentAfter?.id === previousId
  return (
    <div className={classes.page}>
      {notRead}
      {isSent ? (
        <Notice kind="success" title={<Trans>Votre dossier est envoyé</Trans>} isCalling>
          <Trans>Nous l’examinons. Le résultat s’affichera ici.</Trans>
        </Notice>
      ) : (
        <>
          {standing.kind === 'none' && (
            <p>
              <Trans>
                Une pièce d’identité valable suffit. Envoyez-la une fois ; nous la vérifions, et une coche
                verte apparaît dans votre menu.
              </Trans>
            </p>
          )}
          {standing.kind !== 'none' && <Standing file={standing.file} />}
          {asked && (
            <IdentityForm
              key={previousId}
              uid={uid}
              asked={asked}
              previousId={previousId}
              onUnderWay={setUnderWay}
              onDone={onDone}
            />
          )}
        </>
      )}
    </div>
  )
}

/** What became of a file. */
function Standing({
  file: { status, fileName, createdAt, rejectedItem, rejectionReason },
}: {
  file: IdentityFile
}) {
  const day = new Date(createdAt).toLocaleDateString(localeOf(useLanguage()), { dateStyle: 'long' })
  switch (status) {
    case 'pending':
      return (
        <Notice kind="info" title={<Trans>Vérification en cours</Trans>}>
          <p>
            <Trans>
              Votre document <bdi>{fileName}</bdi>, envoyé le {day}, est entre nos mains. Le résultat
              s’affichera ici.
            </Trans>
          </p>
        </Notice>
      )
    case 'approved':
      return (
        <Notice kind="success" title={<Trans>Votre identité est vérifiée</Trans>}>
          <p>
            <Trans>Document envoyé le {day}. Vous n’avez rien d’autre à faire.</Trans>
          </p>
        </Notice>
      )
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
