import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { FileButton } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { ReadingProblem } from '../../../machines/receiptCheck.ts'
import { createReceiptCheckLogic } from '../../actors/receiptCheck.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { DisappearingButton } from '../../ui/DisappearingButton.tsx'
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './ReceiptCheckPage.module.css'
import { GenuineReceipt, RefusedReceipt } from './Verdict.tsx'

const PROBLEMS: Record<ReadingProblem, MessageDescriptor> = {
  refused: msg`La caméra est refusée. Autorisez-la dans les réglages du navigateur, ou choisissez une image du reçu.`,
  missing: msg`Aucune caméra n’est disponible ici. Choisissez une image du reçu.`,
  failed: msg`La caméra ne répond pas. Fermez les applications qui l’utilisent, ou choisissez une image du reçu.`,
  noCode: msg`Aucun code n’a été trouvé dans cette image. Choisissez une image nette, où tout le code est visible.`,
  unreadable: msg`Ce fichier n’est pas une image lisible. Choisissez une photo ou une capture d’écran du reçu.`,
  notLoaded: msg`La vérification n’a pas eu lieu, et rien n’est prouvé. Réessayez.`,
}

/** Works without an account and without a network. */
export function ReceiptCheckPage() {
  const { t, i18n } = useLingui()
  const video = useRef<HTMLVideoElement>(null)
  const picture = useRef<File>(null)
  // Without it, the same file could not be chosen again.
  const resetField = useRef<() => void>(null)
  const [logic] = useState(() =>
    createReceiptCheckLogic(
      () => video.current,
      () => picture.current,
    ),
  )
  // The service worker shows this page at the address of a code if there is no network.
  const text = location.pathname.startsWith('/t/') ? location.pathname : null
  const actor = useActorRef(logic, { input: { text } })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { facts, refusal, problem, torch } = state.context
  const title = t`Vérifier un reçu`
  useEffect(() => {
    document.title = `${title} · Passerelle`
  }, [title])
  const isScanning = state.matches('scanning')
  const isOver = facts !== null || refusal !== null
  return (
    <>
      <header className={classes.header}>
        <a href="/">
          <Wordmark />
        </a>
        <LanguageSwitch />
      </header>
      <main className={classes.page}>
        <h1>{title}</h1>
        {facts && <GenuineReceipt facts={facts} text={state.context.text} />}
        {refusal && <RefusedReceipt refusal={refusal} text={state.context.text} />}
        {!isOver && !isScanning && (
          <p>
            <Trans>
              Lisez le code d’un reçu avec la caméra ou depuis une image. Rien n’est envoyé : la vérification
              marche sans connexion.
            </Trans>
          </p>
        )}
        {problem && (
          <Notice kind="warning" isCalling>
            {i18n._(PROBLEMS[problem])}
          </Notice>
        )}
        <div className={classes.camera} hidden={!isScanning}>
          <video ref={video} muted playsInline aria-label={t`Image de la caméra`} />
          <p role="status">
            {state.matches({ scanning: 'opening' }) && (
              <Trans>Autorisez la caméra si votre navigateur le demande.</Trans>
            )}
            {state.matches({ scanning: 'looking' }) && (
              <Trans>Tenez la caméra au-dessus du code du reçu.</Trans>
            )}
            {state.matches({ scanning: 'hinting' }) && (
              <Trans>
                Pas encore de code. Rapprochez-vous, évitez les reflets et éclairez le reçu, ou choisissez une
                image.
              </Trans>
            )}
          </p>
          {torch && isScanning && (
            <DisappearingButton variant="light" onClick={() => actor.send({ type: 'torch.toggle' })}>
              {torch === 'on' ? <Trans>Éteindre la lampe</Trans> : <Trans>Allumer la lampe</Trans>}
            </DisappearingButton>
          )}
        </div>
        <div className={classes.actions}>
          {isOver ? (
            // Without the key, React would turn the focused camera button into this one.
            <DisappearingButton key="again" onClick={() => actor.send({ type: 'check.restart' })}>
              <Trans>Vérifier un autre reçu</Trans>
            </DisappearingButton>
          ) : (
            <>
              <DisappearingButton
                loading={state.matches('readingPicture')}
                variant={isScanning ? 'light' : 'filled'}
                onClick={() => actor.send({ type: isScanning ? 'camera.stop' : 'camera.start' })}
              >
                {isScanning ? <Trans>Fermer la caméra</Trans> : <Trans>Ouvrir la caméra</Trans>}
              </DisappearingButton>
              <FileButton
                accept="image/*"
                resetRef={resetField}
                inputProps={{ 'aria-label': t`Image du reçu` }}
                onChange={(file) => {
                  picture.current = file
                  if (file) actor.send({ type: 'picture.choose' })
                  resetField.current?.()
                }}
              >
                {(props) => (
                  <DisappearingButton {...props} variant="light">
                    <Trans>Choisir une image</Trans>
                  </DisappearingButton>
                )}
              </FileButton>
            </>
          )}
        </div>
      </main>
    </>
  )
}
