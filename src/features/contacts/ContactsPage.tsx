import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Contact } from '../../../domain/contact.ts'
import { destinationOf } from '../../../domain/destinations.ts'
import { checkRecipientPhone, groupPhone } from '../../../domain/phone.ts'
import { draftTo, type TransferDraft } from '../../../domain/transfer.ts'
import { BridgeScene } from '../../ui/BridgeScene.tsx'
import { AddContact } from '../../ui/contacts/AddContact.tsx'
import { useContactSearch, useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { Flag } from '../../ui/Flag.tsx'
import { NotFresh } from '../../ui/NotFresh.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import classes from './ContactsPage.module.css'
import { EditContact } from './EditContact.tsx'

const ADD_BUTTON = 'add-contact'

/** Everybody whom the person sends to, from the rows on this device. Specification, sections 1, 2 and 8. */
export function ContactsPage({
  uid,
  onSend,
}: {
  uid: string
  /** Opens the transfer form for somebody. */
  onSend: (draft: Partial<TransferDraft>) => void
}) {
  const { t, i18n } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshContacts(uid)
  const { contacts, found, text, setText } = useContactSearch(uid)
  const [isAdding, setAdding] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [edited, setEdited] = useState<Contact | null>(null)
  const isEmpty = contacts?.length === 0
  return (
    <div className={classes.contacts}>
      {problem && (
        <NotFresh isAsking={isAsking} onRetry={ask}>
          {i18n._(problem)}
        </NotFresh>
      )}
      <Button id={ADD_BUTTON} variant="default" onClick={() => setAdding(true)}>
        <Trans>Ajouter un contact</Trans>
      </Button>
      {contacts && !isEmpty && (
        <TextInput
          type="search"
          label={t`Rechercher un contact`}
          description={t`Nom ou numéro`}
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <p role="status" className={classes.said}>
        {!isEmpty && found?.length === 0 && <Trans>Aucun contact ne correspond à votre recherche.</Trans>}
      </p>
      {isEmpty && isFetched && !problem && (
        <div className={classes.empty}>
          <BridgeScene />
          <p>
            <Trans>Aucun contact pour l’instant. Ajoutez les numéros que vous utilisez souvent.</Trans>
          </p>
        </div>
      )}
      <ul className={classes.list}>
        {found?.map((contact) => (
          <Row
            key={contact.id}
            contact={contact}
            onSend={() => onSend(draftTo(contact.phone))}
            onEdit={() => setEdited(contact)}
          />
        ))}
      </ul>
      {isAdding && (
        <Sheet
          title={<Trans>Nouveau contact</Trans>}
          onClose={() => setAdding(false)}
          isClosable={!isBusy}
          returnTo={`#${ADD_BUTTON}`}
        >
          <AddContact uid={uid} onAdded={() => setAdding(false)} onBusy={setBusy} />
        </Sheet>
      )}
      {edited && (
        <EditContact uid={uid} contact={edited} returnTo={`#${ADD_BUTTON}`} onDone={() => setEdited(null)} />
      )}
    </div>
  )
}

function Row({
  contact: { id, name, phone },
  onSend,
  onEdit,
}: {
  contact: Contact
  onSend: () => void
  onEdit: () => void
}) {
  const destination = destinationOf(phone)
  const isReachable = checkRecipientPhone(phone).ok
  return (
    <li className={classes.row}>
      <p id={id} className={classes.who}>
        {destination && <Flag code={destination.code} />}
        <span className={classes.name}>{name}</span>
        <span className={classes.phone}>{groupPhone(phone)}</span>
        {!isReachable && (
          <span className={classes.phone}>
            <Trans>Pas de transfert possible vers ce numéro</Trans>
          </span>
        )}
      </p>
      <span className={classes.actions}>
        {isReachable && (
          <Button variant="default" onClick={onSend} aria-describedby={id}>
            <Trans>Envoyer</Trans>
          </Button>
        )}
        <Button variant="subtle" onClick={onEdit} aria-describedby={id}>
          <Trans>Modifier</Trans>
        </Button>
      </span>
    </li>
  )
}
