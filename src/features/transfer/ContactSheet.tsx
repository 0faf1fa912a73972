import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import type { CountryCode } from '../../../domain/numbers/destinations.ts'
import { checkRecipientPhone, groupPhone } from '../../../domain/numbers/phone.ts'
import type { Contact } from '../../../domain/people/contact.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { AddContact } from '../../ui/contacts/AddContact.tsx'
import { useContactSearch, useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { Row, Rows } from '../../ui/Row.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { RefreshProblem } from '../../ui/StaleNotice.tsx'
import classes from './ContactSheet.module.css'

/** Specification, section 2. */
export function ContactSheet({
  uid,
  country,
  onChoose,
  onClose,
}: {
  uid: string
  country: CountryCode
  onChoose: (contact: Contact) => void
  onClose: () => void
}) {
  const [isAdding, setAdding] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const leaveAdding = () => {
    setAdding(false)
    // The pressed button is unmounted, so the list takes the focus.
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
        <>
          <AddContact uid={uid} country={country} onAdded={onChoose} onBusy={setBusy} />
          <Button variant="subtle" onClick={leaveAdding} disabled={isBusy}>
            <Trans>Revenir à la liste</Trans>
          </Button>
        </>
      ) : (
        <div ref={list} className={classes.list}>
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
  const { t } = useLingui()
  const { problem, isFetched, isAsking, ask } = useRefreshContacts(uid)
  const { contacts, found, text, setText } = useContactSearch(uid)
  const isEmpty = contacts?.length === 0
  return (
    <>
      <RefreshProblem problem={problem} isAsking={isAsking} onRetry={ask} />
      {contacts && !isEmpty && (
        <SearchField
          label={t`Rechercher un contact`}
          hint={t`Nom ou numéro`}
          value={text}
          onChange={setText}
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
      <Rows>
        {found?.map((contact) => (
          <ContactRow key={contact.id} contact={contact} onChoose={() => onChoose(contact)} />
        ))}
      </Rows>
      <Button variant="light" onClick={onAdd}>
        <Trans>Ajouter un contact</Trans>
      </Button>
    </>
  )
}

function ContactRow({ contact: { name, phone }, onChoose }: { contact: Contact; onChoose: () => void }) {
  const isReachable = checkRecipientPhone(phone).ok
  return (
    <Row
      picture={<Avatar name={name} phone={phone} />}
      title={name}
      note={
        <>
          {groupPhone(phone)}
          {!isReachable && (
            <>
              <br />
              <Trans>Pas de transfert possible vers ce numéro</Trans>
            </>
          )}
        </>
      }
      hasArrow={false}
      isDisabled={!isReachable}
      onOpen={onChoose}
    />
  )
}
