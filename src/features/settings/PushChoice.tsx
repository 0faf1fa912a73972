import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Checkbox } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import type { PushProblem } from '../../../machines/push.ts'
import { pushLogic } from '../../actors/push.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import sections from '../../ui/account/SettingSection.module.css'
import { Notice } from '../../ui/Notice.tsx'
import check from './Check.module.css'
import classes from './Settings.module.css'

const PROBLEMS: Record<PushProblem, MessageDescriptor> = {
  dismissed: msg`Vous n’avez pas répondu à la question du navigateur. Cochez la case pour la revoir.`,
  noService: msg`Ce navigateur ne peut pas recevoir nos notifications. Essayez avec un autre navigateur récent.`,
  serviceOff: msg`Ce navigateur n’a pas de service de notifications, ou l’a désactivé. Dans Brave, activez « Utiliser les services Google pour les messages push » dans Paramètres, Confidentialité et sécurité. Sinon, prenez un autre navigateur récent.`,
  failed: msg`Votre choix n’a pas pu être enregistré. Vérifiez votre connexion, puis réessayez.`,
}

/** Specification, section 2. */
export function PushChoice({ uid }: { uid: string }) {
  const { t, i18n } = useLingui()
  const actor = useActorRef(pushLogic, { input: { uid } })
  const state = useSelector(actor, (snapshot) => snapshot)
  const { problem } = state.context
  useEffect(() => {
    const show = () => document.visibilityState === 'visible' && actor.send({ type: 'page.shown' })
    document.addEventListener('visibilitychange', show)
    return () => document.removeEventListener('visibilitychange', show)
  }, [actor])
  const isBusy = state.hasTag('busy')
  const isOn = state.matches('on') || state.matches('unsubscribing')
  return (
    <section className={sections.section} aria-labelledby="push">
      <h2 id="push">
        <Trans>Quand l’application est fermée</Trans>
      </h2>
      <div className={classes.choices} data-closed={state.matches('blocked') || undefined}>
        {state.matches('unsupported') ? (
          <p>
            <Trans>
              Ce navigateur ne reçoit pas de notifications quand l’application est fermée. Essayez avec un
              autre navigateur récent.
            </Trans>
          </p>
        ) : state.matches('notInstalled') ? (
          <p>
            <Trans>
              Sur iPhone et iPad, ajoutez d’abord Passerelle à l’écran d’accueil depuis le menu Partager.
              Ouvrez-la ensuite de là, et revenez ici.
            </Trans>
          </p>
        ) : (
          <Checkbox
            checked={isOn}
            // A disabled box would lose the focus while the browser asks.
            aria-disabled={isBusy || state.matches('blocked')}
            aria-busy={isBusy}
            onChange={() => actor.send({ type: isOn ? 'push.disable' : 'push.enable' })}
            label={t`Transfert remis ou remboursé`}
            description={
              isBusy ? (
                <Trans>Un instant…</Trans>
              ) : (
                <Trans>
                  Les notifications de cet appareil affichent le montant et la fin du numéro. Elles s’arrêtent
                  quand vous vous déconnectez.
                </Trans>
              )
            }
            classNames={{ ...check, description: classes.note ?? '' }}
          />
        )}
        {state.matches('blocked') && (
          <Notice kind="warning">
            <Trans>
              Votre navigateur bloque nos notifications. Autorisez-les pour ce site dans ses réglages, puis
              revenez ici.
            </Trans>
          </Notice>
        )}
        {problem && !isBusy && !state.matches('blocked') && (
          <Notice key={problem} kind="error" isCalling>
            {i18n._(PROBLEMS[problem])}
          </Notice>
        )}
      </div>
    </section>
  )
}
