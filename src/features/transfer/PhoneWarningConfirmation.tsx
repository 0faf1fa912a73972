import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { getLocale, listAlternatives } from '../../../domain/common/language.ts'
import type { PhoneWarning } from '../../../domain/numbers/phoneWarning.ts'
import { listWalletNames } from '../../../domain/numbers/wallets.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'

export function PhoneWarningConfirmation({ doubt, onYes }: { doubt: PhoneWarning; onYes: () => void }) {
  return (
    <Notice
      kind="warning"
      title={<Trans>Est-ce bien ce numéro ?</Trans>}
      action={
        <Button variant="light" onClick={onYes}>
          <Trans>Oui, c’est bien ce numéro</Trans>
        </Button>
      }
    >
      <Reason doubt={doubt} />
    </Notice>
  )
}

function Reason({ doubt }: { doubt: PhoneWarning }) {
  const language = useLanguage()
  switch (doubt.kind) {
    case 'notCanadian': {
      const { area } = doubt
      const place =
        doubt.place &&
        'DisplayNames' in Intl &&
        new Intl.DisplayNames(getLocale(language), { type: 'region' }).of(doubt.place)
      return (
        <>
          {place ? (
            <Trans>
              L’indicatif {area} n’est pas canadien ({place}).
            </Trans>
          ) : (
            <Trans>L’indicatif {area} n’est pas canadien.</Trans>
          )}{' '}
          <Trans>Interac ne verse que sur un compte au Canada.</Trans>
        </>
      )
    }
    case 'noSuchNumber':
      return doubt.country === 'CA' ? (
        <Trans>Aucun numéro canadien ne s’écrit ainsi. Relisez chaque chiffre.</Trans>
      ) : (
        <Trans>Aucun numéro de mobile français ne commence ainsi. Relisez chaque chiffre.</Trans>
      )
    case 'notMobile': {
      const wallets = listWalletNames(doubt.country, language)
      const beginnings = listAlternatives(doubt.beginnings, language)
      return (
        <>
          <Trans>Ce n’est pas un numéro de mobile : les mobiles commencent par {beginnings}.</Trans>{' '}
          <Trans>L’argent arrive sur un mobile, par {wallets}.</Trans>
        </>
      )
    }
  }
}
