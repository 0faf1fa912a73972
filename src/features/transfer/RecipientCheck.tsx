import { Trans } from '@lingui/react/macro'
import { memo, useCallback, useLayoutEffect, useState } from 'react'
import { checkRecipientPhone, groupPhone, parsePhone, spellPhone } from '../../../domain/numbers/phone.ts'
import { findPhoneWarning } from '../../../domain/numbers/phoneWarning.ts'
import { findWalletByPhone, getWalletProvider, type Wallet } from '../../../domain/numbers/wallets.ts'
import type { RecipientFacts } from '../../../domain/people/recipientName.ts'
import {
  buildRecipientFacts,
  getRecipientHistory,
  type RecipientHistory,
  wasSent,
} from '../../../domain/transfers/recipient.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { DisappearingButton } from '../../ui/DisappearingButton.tsx'
import { loadWithPageMessages } from '../../ui/i18n.ts'
import { useLazyComponent } from '../../ui/lazyComponent.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import classes from './RecipientCheck.module.css'
import type { FormPart } from './RecipientFields.tsx'

/** A build without `VITE_HOLDER_NAMES` doesn't contain this code. */
const loadHolder =
  import.meta.env.VITE_HOLDER_NAMES === 'on'
    ? async () => (await loadWithPageMessages(import('./WalletHolder.tsx'))).WalletHolder
    : null

const IS_NAME_REQUIRED = import.meta.env.VITE_RECIPIENT_NAME_REQUIRED === 'on'

const loadQuestion = async () =>
  (await loadWithPageMessages(import('./PhoneWarningConfirmation.tsx'))).PhoneWarningConfirmation

/** An unknown number is shown in groups of digits, which screen readers read one by one. */
export const RecipientCheck = memo(function RecipientCheck({
  uid,
  phone,
  country,
  receivingMethod,
  isClosed,
  onChange,
  onFacts,
  onQuestion,
}: Pick<TransferDraft, 'phone' | 'country' | 'receivingMethod'> &
  FormPart & {
    uid: string
    onFacts: (facts: RecipientFacts) => void
    onQuestion: (isOpen: boolean) => void
  }) {
  const WalletHolder = useLazyComponent(loadHolder)
  const PhoneWarningConfirmation = useLazyComponent(loadQuestion)
  // The whole home screen shows contacts' names, so this part refreshes them.
  useRefreshContacts(uid)
  const check = checkRecipientPhone(parsePhone(phone, country), country)
  const number = check.ok ? check.value : null
  const history = useLiveQuery(
    uid,
    useCallback((database: UserDatabase) => findRecipientHistory(database, number), [number]),
  )
  const [confirmations, setConfirmations] = useState<readonly string[]>([])
  const doubt = number === null || confirmations.includes(number) ? null : findPhoneWarning(number)
  // A paid transfer to this number answers the question.
  const isSettled = doubt === null || (history?.number === number && history.isPaid)
  const isNameChecked = !IS_NAME_REQUIRED || number === null || history?.number === number
  const isQuestioned = !isSettled || !isNameChecked
  // The user can press before an effect runs.
  useLayoutEffect(() => onQuestion(isQuestioned), [isQuestioned, onQuestion])
  useLayoutEffect(() => {
    if (history) onFacts(buildRecipientFacts(history.number, history, IS_NAME_REQUIRED))
  }, [history, onFacts])

  const wallet = number === null ? null : findWalletByPhone(number)
  const provider = getWalletProvider(receivingMethod)
  // The result may still be that of the previous number.
  if (!history || history.number !== number) return null
  const answer = () => {
    setConfirmations([...confirmations, history.number])
    // The pressed button is unmounted, so the confirmation takes the focus.
    document.querySelector<HTMLElement>('form [name=phoneConfirmed]')?.focus()
  }
  return (
    <>
      <RecipientHistoryNote history={history} />
      {wallet && wallet.id !== receivingMethod && (
        <OtherWallet wallet={wallet} isClosed={isClosed} onChange={onChange} />
      )}
      {/* A user who has sent money to this number knows its holder. */}
      {WalletHolder && receivingMethod && provider && isSettled && !history.isPaid && (
        <WalletHolder
          key={`${history.number} ${receivingMethod}`}
          phone={history.number}
          receivingMethod={receivingMethod}
          provider={provider.name}
        />
      )}
      {PhoneWarningConfirmation && doubt && !isSettled && (
        <PhoneWarningConfirmation doubt={doubt} onYes={answer} />
      )}
    </>
  )
})

function OtherWallet({ wallet: { id, name, operator }, isClosed, onChange }: FormPart & { wallet: Wallet }) {
  const operatorName = operator?.name
  return (
    <p role="status" className={classes.otherWallet}>
      <span>
        <Trans>Ce numéro semble être chez {operatorName}.</Trans>
      </span>
      <DisappearingButton
        variant="subtle"
        disabled={isClosed}
        onClick={() => onChange({ receivingMethod: id })}
      >
        <Trans>Choisir plutôt : {name}</Trans>
      </DisappearingButton>
    </p>
  )
}

function RecipientHistoryNote({ history }: { history: RecipientHistory & { readonly number: string } }) {
  switch (history.kind) {
    case 'contact': {
      const { name } = history
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
            {groupPhone(history.number)
              .split(' ')
              .map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a number's groups keep their order
                <span key={index}>{group}</span>
              ))}
          </p>
          <p className="unseen">{spellPhone(history.number)}</p>
        </div>
      )
  }
}

async function findRecipientHistory({ contacts, transactions }: UserDatabase, number: string | null) {
  if (number === null) return null
  const [people, transfers] = await Promise.all([
    contacts.where('phone').equals(number).toArray(),
    transactions.where('recipientPhone').equals(number).toArray(),
  ])
  const isPaid = transfers.some(({ status }) => wasSent(status))
  return { number, isPaid, ...getRecipientHistory(number, people, transfers) }
}
