import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import type { Contact } from '../../../domain/people/contact.ts'
import { checkName, NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import { contactChangeFailureText, getContactProblemText } from '../../ui/contacts/contactText.ts'
import { Notice } from '../../ui/Notice.tsx'
import numbers from '../../ui/PhoneNumber.module.css'
import { Sheet } from '../../ui/Sheet.tsx'
import { showToast } from '../../ui/toast.ts'
import { focusField } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'
import classes from './ContactsPage.module.css'

const loadBook = () => import('../../ui/contacts/contactBook.ts')

/** The number of a contact is fixed: another number is another recipient. */
export function EditContact({
  uid,
  contact,
  returnTo,
  onDone,
}: {
  uid: string
  contact: Contact
  returnTo: string
  onDone: () => void
}) {
  // A typed name survives the question whether to delete the contact.
  const [name, setName] = useState(contact.name)
  const [isDeleting, setDeleting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  return (
    <Sheet
      title={isDeleting ? <Trans>Supprimer le contact</Trans> : <Trans>Modifier le contact</Trans>}
      onClose={onDone}
      isClosable={!isBusy}
      returnTo={returnTo}
    >
      {isDeleting ? (
        <DeleteContact
          uid={uid}
          contact={contact}
          onBusy={setBusy}
          onDone={onDone}
          onKeep={() => setDeleting(false)}
        />
      ) : (
        <RenameContact
          uid={uid}
          contact={contact}
          name={name}
          onName={setName}
          onBusy={setBusy}
          onDone={onDone}
          onDelete={() => setDeleting(true)}
        />
      )}
    </Sheet>
  )
}

function RenameContact({
  uid,
  contact,
  name,
  onName,
  onBusy,
  onDone,
  onDelete,
}: {
  uid: string
  contact: Contact
  name: string
  onName: (name: string) => void
  onBusy: (isBusy: boolean) => void
  onDone: () => void
  onDelete: () => void
}) {
  const { t, i18n } = useLingui()
  const [isWrong, setWrong] = useState(false)
  const checked = checkName(name)
  const rename = useSubmit(
    async () => {
      if (!checked.ok) return
      await (await loadBook()).setContactName(uid, contact.id, checked.value)
      showToast('success', t`Le nom du contact est changé.`)
      onDone()
    },
    contactChangeFailureText('renameContact'),
    onBusy,
  )

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setWrong(!checked.ok)
    if (checked.ok) rename.submit()
    else focusField(event.currentTarget, 'name')
  }

  return (
    <form className={classes.form} onSubmit={send} noValidate>
      {rename.problem && <Notice kind="error">{rename.problem}</Notice>}
      <p>
        <strong className={numbers.phone}>{groupPhone(contact.phone)}</strong>
      </p>
      <TextInput
        data-autofocus
        name="name"
        label={t`Nom du contact`}
        autoComplete="off"
        value={name}
        onChange={(event) => {
          onName(event.currentTarget.value)
          setWrong(false)
        }}
        error={isWrong && getContactProblemText({ field: 'name', kind: 'nameRequired' }, i18n)}
        maxLength={NAME_MAX_LENGTH}
      />
      <Button type="submit" loading={rename.isBusy}>
        <Trans>Enregistrer le nom</Trans>
      </Button>
      <Button variant="danger" onClick={onDelete} disabled={rename.isBusy}>
        <Trans>Supprimer ce contact</Trans>
      </Button>
    </form>
  )
}

function DeleteContact({
  uid,
  contact: { id, name, phone },
  onBusy,
  onDone,
  onKeep,
}: {
  uid: string
  contact: Contact
  onBusy: (isBusy: boolean) => void
  onDone: () => void
  onKeep: () => void
}) {
  const { t } = useLingui()
  const { isBusy, problem, submit } = useSubmit(
    async () => {
      await (await loadBook()).removeContact(uid, id)
      showToast('success', t`Le contact est supprimé.`)
      onDone()
    },
    contactChangeFailureText('deleteContact'),
    onBusy,
  )
  const question = useRef<HTMLParagraphElement>(null)
  // The pressed button is unmounted, so the question takes the focus.
  useEffect(() => question.current?.focus(), [])
  const number = <strong className={numbers.phone}>{groupPhone(phone)}</strong>
  return (
    <>
      {problem && <Notice kind="error">{problem}</Notice>}
      <p ref={question} tabIndex={-1} className={classes.question}>
        <Trans>
          Supprimer <strong>{name}</strong> ({number}) de vos contacts ? Vos transferts et leurs reçus
          restent.
        </Trans>
      </p>
      <Button variant="light" onClick={onKeep} disabled={isBusy}>
        <Trans>Garder ce contact</Trans>
      </Button>
      <Button variant="danger" onClick={submit} loading={isBusy}>
        <Trans>Supprimer</Trans>
      </Button>
    </>
  )
}
