import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { localeOf } from '../../../domain/language.ts'
import type { NumberDoubt } from '../../../domain/numberPlan.ts'
import { walletNames } from '../../../domain/wallets.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'

/** Asks once whether a number is meant that money can hardly arrive at. */
export function NumberQuestion({ doubt, onYes }: { doubt: NumberDoubt; onYes: () => void }) {
  return (
    <Notice
      kind="warning"
      title={<Trans>Est-ce bien ce numéro ?</Trans>}
      action={
        <Button variant="default" onClick={onYes}>
          <Trans>Oui, c’est bien ce numéro</Trans>
        </Button>
      }
    >
      <Reason doubt={doubt} />
    </Notice>
  )
}

function Reason({ doubt }: { doubt: NumberDoubt }) {
  const language = useLanguage()
  switch (doubt.kind) {
    case 'notCanadian': {
      const { area } = doubt
      const place =
        doubt.place && new Intl.DisplayNames(localeOf(language), { type: 'region' }).of(doubt.place)
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
      return <Trans>Aucun numéro du Canada ne s’écrit ainsi. Relisez chaque chiffre.</Trans>
    case 'notMobile': {
      const wallets = walletNames(doubt.country, language)
      const beginnings = new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(
        doubt.beginnings,
      )
      return (
        <>
          <Trans>Ce n’est pas un numéro de mobile : il commencerait par {beginnings}.</Trans>{' '}
          <Trans>L’argent arrive sur un mobile, par {wallets}.</Trans>
        </>
      )
    }
  }
}
