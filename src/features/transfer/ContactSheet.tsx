import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Contact } from '../../../domain/contact.ts'
import { destinationOf } from '../../../domain/destinations.ts'
import { checkRecipientPhone, groupPhone } from '../../../domain/phone.ts'
import { AddContact } from '../../ui/contacts/AddContact.tsx'
import { useContactSearch, useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { Flag } from '../../ui/Flag.tsx'
import { NotFresh } from '../../ui/NotFresh.tsx'
import rowButton from '../../ui/RowButton.module.css'
import { Sheet } from '../../ui/Sheet.tsx'
import classes from './ContactSheet.module.css'

/** Who of the contacts receives: chosen from the list, or added to it. Specification, section 2. */
export function ContactSheet({
  uid,
  onChoose,
  onClose,
}: {
  uid: string
  onChoose: (contact: Contact) => void
  onClose: () => void
}) {
  const [isAdding, setAdding] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const leaveAdding = () => {
    setAdding(false)
    // The button that was pressed is gone.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('input, button')?.focus())
  }
  return (
    <Sheet
      title={isAdding ? <Trans>Nouveau contact</Trans> : <Trans>Vos contacts</Trans>}
      onClose={onClose}
      isClosable={!isBusy}
      returnTo="[name=phone]"
    >
      {isAdding ? (
        <div className={classes.sheet}>
          <AddContact uid={uid} onAdded={onChoose} onBusy={setBusy} />
          <Button variant="subtle" onClick={leaveAdding} disabled={isBusy}>
            <Trans>Revenir à la liste</Trans>
          </Button>
        </div>
      ) : (
        <div ref={list}>
          <ContactList uid={uid} onChoose={onChoose} onAdd={() => setAdding(true)} />
        </div>
      )}
    </Sheet>
  )
}

function ContactList({
  uid,
  onChoose,
  onAdd,
}: {
  uid: string
  onChoose: (contact: Contact) => void
  onAdd: () => void
}) {
  const { t, i18n } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshContacts(uid)
  const { contacts, found, text, setText } = useContactSearch(uid)
  const isEmpty = contacts?.length === 0
  return (
    <div className={classes.sheet}>
      {problem && (
        <NotFresh isAsking={isAsking} onRetry={ask}>
          {i18n._(problem)}
        </NotFresh>
      )}
      {contacts && !isEmpty && (
        <TextInput
          type="search"
          label={t`Rechercher un contact`}
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <p role="status" className={classes.said}>
        {isEmpty
          ? isFetched &&
            !problem && (
              <Trans>Aucun contact pour l’instant. Ajoutez les numéros que vous utilisez souvent.</Trans>
            )
          : found?.length === 0 && <Trans>Aucun contact ne correspond à votre recherche.</Trans>}
      </p>
      <ul className={classes.list}>
        {found?.map((contact) => (
          <li key={contact.id}>
            <Row contact={contact} onChoose={() => onChoose(contact)} />
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={onAdd}>
        <Trans>Ajouter un contact</Trans>
      </Button>
    </div>
  )
}

function Row({ contact: { name, phone }, onChoose }: { contact: Contact; onChoose: () => void }) {
  const destination = destinationOf(phone)
  const isReachable = checkRecipientPhone(phone).ok
  return (
    <button type="button" className={rowButton.row} onClick={onChoose} disabled={!isReachable}>
      {destination && <Flag code={destination.code} />}
      <span className={classes.who}>
        <span className={classes.name}>{name}</span>
        <span className={classes.phone}>{groupPhone(phone)}</span>
        {!isReachable && (
          <span className={classes.phone}>
            <Trans>Pas de transfert possible vers ce numéro</Trans>
          </span>
        )}
      </span>
    </button>
  )
}
