import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { checkRecipientPhone, groupPhone } from '../../../domain/numbers/phone.ts'
import type { Contact } from '../../../domain/people/contact.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import { buildRecipientDraft } from '../../../domain/transfers/transfer.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { AddContact } from '../../ui/contacts/AddContact.tsx'
import { useContactSearch, useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { Lens } from '../../ui/drawings/Lens.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { PlusIcon } from '../../ui/icons/common.ts'
import { EditIcon } from '../../ui/icons/lists.ts'
import { SendIcon } from '../../ui/icons/navigation.ts'
import { Rows } from '../../ui/Row.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RefreshProblem } from '../../ui/StaleNotice.tsx'
import classes from './ContactsPage.module.css'
import { EditContact } from './EditContact.tsx'
import { People } from './People.tsx'

const ADD_BUTTON = 'add-contact'

/** Specification, sections 1, 2 and 8. */
export function ContactsPage({
  uid,
  onSend,
}: {
  uid: string
  onSend: (draft: Partial<TransferDraft>) => void
}) {
  const { t } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshContacts(uid)
  const { contacts, found, text, setText } = useContactSearch(uid)
  const [isAdding, setAdding] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [edited, setEdited] = useState<Contact | null>(null)
  const isEmpty = contacts?.length === 0 && isFetched && !problem
  const isNothingFound = contacts !== undefined && contacts.length > 0 && found?.length === 0
  const add = () => setAdding(true)
  return (
    <div className={classes.contacts}>
      <RefreshProblem problem={problem} isAsking={isAsking} onRetry={ask} />
      <div className={classes.head}>
        {contacts && contacts.length > 0 && (
          <SearchField
            label={t`Rechercher un contact`}
            hint={t`Nom ou numéro`}
            value={text}
            onChange={setText}
          />
        )}
        {!isEmpty && (
          <IconButton isMain id={ADD_BUTTON} icon={PlusIcon} label={t`Ajouter un contact`} onClick={add} />
        )}
      </div>
      <p role="status" className="unseen">
        {isNothingFound && <Trans>Aucun contact ne correspond à votre recherche.</Trans>}
      </p>
      {isNothingFound && <EmptyState drawing={<Lens />} title={<Trans>Personne de ce nom</Trans>} />}
      {isEmpty && (
        <EmptyState
          drawing={<People />}
          title={<Trans>Aucun contact pour l’instant</Trans>}
          action={
            <Button id={ADD_BUTTON} variant="light" onClick={add}>
              <Trans>Ajouter un contact</Trans>
            </Button>
          }
        >
          <Trans>Ajoutez les numéros que vous utilisez souvent.</Trans>
        </EmptyState>
      )}
      {!contacts && <Skeleton />}
      <Rows>
        {found?.map((contact) => (
          <ContactRow
            key={contact.id}
            contact={contact}
            onSend={() => onSend(buildRecipientDraft(contact.phone))}
            onEdit={() => setEdited(contact)}
          />
        ))}
      </Rows>
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

function ContactRow({
  contact: { id, name, phone },
  onSend,
  onEdit,
}: {
  contact: Contact
  onSend: () => void
  onEdit: () => void
}) {
  const { t } = useLingui()
  const isReachable = checkRecipientPhone(phone).ok
  return (
    <li className={classes.row}>
      <Avatar name={name} phone={phone} />
      <p id={id} className={classes.who}>
        <strong>{name}</strong>
        <span>{groupPhone(phone)}</span>
        {!isReachable && (
          <span>
            <Trans>Pas de transfert possible vers ce numéro</Trans>
          </span>
        )}
      </p>
      <IconButton icon={EditIcon} label={t`Modifier`} onClick={onEdit} aria-describedby={id} />
      {isReachable && (
        <IconButton isMain icon={SendIcon} label={t`Envoyer`} onClick={onSend} aria-describedby={id} />
      )}
    </li>
  )
}
