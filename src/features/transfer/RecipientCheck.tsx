import { Trans } from '@lingui/react/macro'
import { memo, useCallback, useLayoutEffect, useState } from 'react'
import { doubtAbout } from '../../../domain/numberPlan.ts'
import { checkRecipientPhone, groupPhone, readPhone, spellPhone } from '../../../domain/phone.ts'
import { type Acquaintance, acquaintanceOf, wasSent } from '../../../domain/recipient.ts'
import type { TransferDraft } from '../../../domain/transfer.ts'
import { type Wallet, walletOfNumber } from '../../../domain/wallets.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { withPages } from '../../ui/i18n.ts'
import { useLazyComponent } from '../../ui/lazyComponent.ts'
import { PassingButton } from '../../ui/PassingButton.tsx'
import { useCached } from '../../ui/useCached.ts'
import { NumberQuestion } from './NumberQuestion.tsx'
import classes from './RecipientCheck.module.css'

/** Of a wallet whose provider can tell whose it is. Without the setting nothing is left of it in a build. */
const loadHolder =
  import.meta.env.VITE_HOLDER_NAMES === 'on'
    ? async () => (await withPages(import('./WalletHolder.tsx'))).WalletHolder
    : null

/**
 * Shows whose number it is, right before it is confirmed. A contact has its name. A number that this device does not know stands large and in
 * groups, and screen readers read it digit by digit.
 */
export const RecipientCheck = memo(function RecipientCheck({
  uid,
  phone,
  country,
  receivingMethod,
  isClosed,
  onChange,
  onQuestion,
}: Pick<TransferDraft, 'phone' | 'country' | 'receivingMethod'> & {
  uid: string
  isClosed: boolean
  onChange: (patch: Partial<TransferDraft>) => void
  /** Told whether there is a question about the number that has no answer yet. */
  onQuestion: (isOpen: boolean) => void
}) {
  const WalletHolder = useLazyComponent(loadHolder)
  // The names of contacts are needed all over the home screen.
  useRefreshContacts(uid)
  const checked = checkRecipientPhone(readPhone(phone, country), country)
  const number = checked.ok ? checked.value : null
  const known = useCached(
    uid,
    useCallback((database: UserDatabase) => findAcquaintance(database, number), [number]),
  )
  const [meant, setMeant] = useState<readonly string[]>([])
  const doubt = number === null || meant.includes(number) ? null : doubtAbout(number)
  // Who has sent to it before has answered before.
  const isSettled = doubt === null || (known?.number === number && known.isPaid)
  // Before anything can be pressed.
  useLayoutEffect(() => onQuestion(!isSettled), [isSettled, onQuestion])

  const wallet = number === null ? null : walletOfNumber(number)
  // What was found may still be that of the earlier number.
  if (!known || known.number !== number) return null
  const answer = () => {
    setMeant([...meant, known.number])
    // The button that was pressed is gone.
    document.querySelector<HTMLElement>('form [name=phoneConfirmed]')?.focus()
  }
  return (
    <>
      <Acquainted known={known} />
      {wallet && wallet.id !== receivingMethod && (
        <OtherWallet wallet={wallet} isClosed={isClosed} onChange={onChange} />
      )}
      {/* Who has sent to it before knows whose it is. */}
      {WalletHolder && receivingMethod === 'mtn_money' && isSettled && !known.isPaid && (
        <WalletHolder phone={known.number} receivingMethod={receivingMethod} />
      )}
      {doubt && !isSettled && <NumberQuestion doubt={doubt} onYes={answer} />}
    </>
  )
})

/** Proposes the wallet that goes with the number. */
function OtherWallet({
  wallet: { id, name, operator },
  isClosed,
  onChange,
}: {
  wallet: Wallet
  isClosed: boolean
  onChange: (patch: Partial<TransferDraft>) => void
}) {
  const operatorName = operator?.name
  return (
    <p role="status">
      <Trans>Ce numéro semble être chez {operatorName}.</Trans>
      <PassingButton variant="subtle" disabled={isClosed} onClick={() => onChange({ receivingMethod: id })}>
        <Trans>Choisir plutôt : {name}</Trans>
      </PassingButton>
    </p>
  )
}

function Acquainted({ known }: { known: Acquaintance & { readonly number: string } }) {
  switch (known.kind) {
    case 'contact': {
      const { name } = known
      return (
        <p className={classes.contact}>
          <Trans>
            Pour <strong className={classes.name}>{name}</strong>, votre contact
          </Trans>
        </p>
      )
    }
    case 'sentBefore':
      return null
    case 'firstTime':
      return (
        <div className={classes.firstTime}>
          <p>
            <Trans>Premier envoi à ce numéro. Relisez chaque chiffre :</Trans>
          </p>
          <p className={classes.number} aria-hidden="true">
            {groupPhone(known.number)
              .split(' ')
              .map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number stay in their places
                <span key={index}>{group}</span>
              ))}
          </p>
          <p className="unseen">{spellPhone(known.number)}</p>
        </div>
      )
  }
}

async function findAcquaintance({ contacts, transactions }: UserDatabase, number: string | null) {
  if (number === null) return null
  const [people, transfers] = await Promise.all([
    contacts.where('phone').equals(number).toArray(),
    transactions.where('recipientPhone').equals(number).toArray(),
  ])
  const isPaid = transfers.some(({ status }) => wasSent(status))
  return { number, isPaid, ...acquaintanceOf(number, people, transfers) }
}
