import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { HolderAnswer } from '../../../domain/api.ts'
import type { ReceivingMethod } from '../../../domain/wallets.ts'
import { afterPress } from '../../browser/press.ts'
import { askHolder } from '../../services/holders.ts'
import { useOnline } from '../../ui/useOnline.ts'
import classes from './WalletHolder.module.css'

/** How long a number has to stand before it is asked about, in milliseconds: a slip of the finger is no question. */
const RESTS = 500

/**
 * Whose wallet a whole number is, as a question, or that there is none: that warns and keeps nobody from sending, because whoever says so
 * may be wrong. Silence, a refusal and no network show nothing. Nothing is kept longer than the form shows the number.
 */
export function WalletHolder({
  phone,
  receivingMethod,
}: {
  phone: string
  receivingMethod: ReceivingMethod
}) {
  const isOnline = useOnline()
  const [known, setKnown] = useState<{ readonly of: string; readonly answer: HolderAnswer } | null>(null)
  const answer = known?.of === phone ? known.answer : null
  const isAsked = isOnline && answer === null
  useEffect(() => {
    if (!isAsked) return
    let isOver = false
    const timer = setTimeout(async () => {
      const answer = await askHolder(phone, receivingMethod)
      afterPress(() => {
        if (!isOver) setKnown({ of: phone, answer })
      })
    }, RESTS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isAsked, phone, receivingMethod])
  return (
    <div className={classes.place}>
      {/* The place of the longest answer: what comes in late moves nothing that somebody is about to touch. */}
      <p className={classes.reserved} aria-hidden="true">
        <NoWallet />
      </p>
      <p role="status" data-holder={answer?.kind}>
        {answer?.kind === 'named' && <Named name={answer.name} />}
        {answer?.kind === 'none' && <NoWallet />}
      </p>
    </div>
  )
}

function Named({ name }: { name: string }) {
  return (
    <Trans>
      Est-ce bien{' '}
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      ? C’est le nom que MTN a pour ce numéro.
    </Trans>
  )
}

function NoWallet() {
  return (
    <>
      <strong>
        <Trans>MTN ne connaît aucun portefeuille à ce numéro.</Trans>
      </strong>{' '}
      <Trans>Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.</Trans>
    </>
  )
}
