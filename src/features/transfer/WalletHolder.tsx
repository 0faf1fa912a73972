import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { WalletHolderAnswer } from '../../../domain/api/api.ts'
import type { ReceivingMethod } from '../../../domain/numbers/wallets.ts'
import { runAfterPress } from '../../browser/press.ts'
import { fetchWalletHolder } from '../../services/holders.ts'
import { useOnline } from '../../ui/useOnline.ts'
import classes from './WalletHolder.module.css'

/** In milliseconds. */
const PAUSE = 500

/** A result belongs to its number and wallet, so callers pass both as the key. */
export function WalletHolder({
  phone,
  receivingMethod,
  provider,
}: {
  phone: string
  receivingMethod: ReceivingMethod
  provider: string
}) {
  const isOnline = useOnline()
  const [answer, setAnswer] = useState<WalletHolderAnswer | null>(null)
  const name = answer?.kind === 'named' && answer.name
  const isMissing = isOnline && answer === null
  useEffect(() => {
    if (!isMissing) return
    let isOver = false
    const timer = setTimeout(async () => {
      const response = await fetchWalletHolder(phone, receivingMethod)
      runAfterPress(() => {
        if (!isOver) setAnswer(response)
      })
    }, PAUSE)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isMissing, phone, receivingMethod])
  return (
    <div className={classes.place}>
      {/* A late result does not shift the form. */}
      <p className={classes.reserved} aria-hidden="true">
        <NoWallet provider={provider} />
      </p>
      <p role="status" data-holder={answer?.kind}>
        {name && (
          <Trans>
            Est-ce bien{' '}
            <strong>
              <bdi>{name}</bdi>
            </strong>{' '}
            ? C’est le nom que {provider} a pour ce numéro.
          </Trans>
        )}
        {answer?.kind === 'none' && <NoWallet provider={provider} />}
      </p>
    </div>
  )
}

function NoWallet({ provider }: { provider: string }) {
  return (
    <>
      <strong>
        <Trans>{provider} ne connaît aucun portefeuille à ce numéro.</Trans>
      </strong>{' '}
      <Trans>Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.</Trans>
    </>
  )
}
