import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { formatMoney } from '../../../domain/money/money.ts'
import type { ReceiptCodeProblem, ReceiptFacts, ReceiptState } from '../../../domain/transfers/receiptCode.ts'
import { createInstantFormat } from '../../../print/receiptContent.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'

const STATES: Record<ReceiptState, MessageDescriptor> = {
  paid: msg`Payé ; l’argent n’était pas encore arrivé`,
  handedOver: msg`Confié au service de paiement ; l’argent n’était pas encore arrivé`,
  delivered: msg`Arrivé`,
  goingBack: msg`Non remis ; l’argent repartait vers la personne qui l’a envoyé`,
  wentBack: msg`Non remis ; l’argent est retourné à la personne qui l’a envoyé`,
}

/** Green would promise an arrival. */
const KINDS = {
  paid: 'info',
  handedOver: 'info',
  delivered: 'success',
  goingBack: 'warning',
  wentBack: 'warning',
} as const

export function GenuineReceipt({ facts, text }: { facts: ReceiptFacts; text: string | null }) {
  const { i18n, t } = useLingui()
  const language = useLanguage()
  const instant = createInstantFormat(language).format(facts.at)
  return (
    <>
      <Notice kind={KINDS[facts.state]} isCalling title={<Trans>Reçu authentique</Trans>}>
        <Trans>Passerelle a signé ces informations. Comparez-les au reçu qu’on vous montre.</Trans>
      </Notice>
      <Facts>
        <Fact label={t`État`}>{i18n._(STATES[facts.state])}</Fact>
        <Fact label={t`À la date du`}>{instant}</Fact>
        <Fact label={t`Montant`}>{formatMoney(facts.amount, language)}</Fact>
        <Fact label={t`Téléphone du bénéficiaire`}>{facts.maskedPhone}</Fact>
        <Fact label={t`Numéro du transfert`}>{facts.id}</Fact>
      </Facts>
      <p>
        <Trans>
          Ce code ne sait pas ce qui a suivi le {instant} : une annulation, un remboursement ou une
          contestation est possible.
        </Trans>
      </p>
      <CurrentState text={text} />
    </>
  )
}

/** On this site, whatever address the code names. */
const CurrentState = ({ text }: { text: string | null }) =>
  text && (
    <p>
      <a href={text.replace(/^https?:\/\/[^/]*/, '')}>
        <Trans>Voir l’état actuel, avec Internet</Trans>
      </a>
    </p>
  )

export function RefusedReceipt({ refusal, text }: { refusal: ReceiptCodeProblem; text: string | null }) {
  switch (refusal.kind) {
    case 'altered':
      return (
        <Notice kind="error" isCalling title={<Trans>Reçu non authentique</Trans>}>
          <Trans>Ce code a été modifié ou abîmé. Il ne prouve rien.</Trans>
        </Notice>
      )
    case 'otherDeployment': {
      const { deployment } = refusal
      return (
        <Notice kind="error" isCalling title={<Trans>Reçu d’une autre installation</Trans>}>
          <Trans>Ce code dit venir de {deployment}, et non de ce service. Il ne prouve rien ici.</Trans>
        </Notice>
      )
    }
    case 'unknownKey':
      return (
        <>
          <Notice kind="warning" isCalling title={<Trans>Signature inconnue</Trans>}>
            <Trans>
              Cette version de l’application ne connaît pas la clé de ce reçu : il est faux, ou plus récent
              qu’elle. Fermez Passerelle, rouvrez-la avec Internet, puis réessayez.
            </Trans>
          </Notice>
          <CurrentState text={text} />
        </>
      )
    case 'notReceipt':
      return (
        <Notice kind="warning" isCalling title={<Trans>Ce n’est pas le code d’un reçu</Trans>}>
          <Trans>Cherchez le code carré d’un reçu Passerelle.</Trans>
        </Notice>
      )
  }
}
