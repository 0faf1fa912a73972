import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Contact, type ContactForm, type ContactProblem, checkContact } from '../../../domain/contact.ts'
import { NAME_MAX_LENGTH } from '../../../domain/name.ts'
import { groupPhone, writtenOut } from '../../../domain/phone.ts'
import { askToKeep } from '../../pwa/keeping.ts'
import { chooseFromAddressBook, hasAddressBook } from '../../services/addressBook.ts'
import { Notice } from '../Notice.tsx'
import { toast } from '../toast.ts'
import { useCached } from '../useCached.ts'
import { useForm } from '../useForm.ts'
import { useSubmit } from '../useSubmit.ts'
import classes from './AddContact.module.css'
import { changeText, contactFieldText } from './contactText.ts'
import { everyContact } from './useContacts.ts'

/** A new contact: typed, or chosen from the phone's own address book. Specification, sections 2, 5 and 8. */
export function AddContact({
  uid,
  phone: known,
  onAdded,
  onBusy,
}: {
  uid: string
  /** The number of a contact that lacks nothing but a name. */
  phone?: string
  /** Not called once the form was left: the person has gone on, perhaps to another recipient. */
  onAdded: (contact: Contact) => void
  onBusy?: (isBusy: boolean) => void
}) {
  const { t, i18n } = useLingui()
  const contacts = useCached(uid, everyContact)
  const { form, values, change, fill, report, findProblem } = useForm<ContactForm, ContactProblem>({
    name: '',
    phone: known ?? '',
  })
  const [isBookClosed, setBookClosed] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const { isBusy, problem, submit } = useSubmit(
    async () => {
      const checked = checkContact(values, contacts ?? [])
      if (!checked.ok) return
      const { addContact } = await import('./contactBook.ts')
      const added = await addContact(uid, checked.value)
      toast('success', t`Contact ajouté`)
      // The field is gone once the form was left.
      if (nameField.current) onAdded(added)
      askToKeep()
    },
    changeText('addContact'),
    onBusy,
  )

  // The button that led here may be gone.
  useEffect(() => nameField.current?.focus(), [])

  const errorOf = (field: ContactProblem['field']) => {
    const found = findProblem(field)
    return found && contactFieldText(found, i18n)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    // React would tell the form of the page behind of this event too.
    event.stopPropagation()
    const checked = checkContact(values, contacts ?? [])
    if (report(checked.ok ? [] : checked.error)) submit()
  }
  const chooseFromPhone = () => {
    setBookClosed(false)
    chooseFromAddressBook()
      .then((chosen) => chosen && change(chosen))
      .catch(() => setBookClosed(true))
  }

  return (
    <form ref={form} className={classes.form} onSubmit={send} noValidate>
      {problem && <Notice kind="error">{problem}</Notice>}
      {known === undefined && hasAddressBook() && (
        <Button variant="default" onClick={chooseFromPhone}>
          <Trans>Choisir dans le répertoire du téléphone</Trans>
        </Button>
      )}
      {isBookClosed && (
        <Notice kind="warning">
          <Trans>Le répertoire n’a pas pu s’ouvrir. Saisissez le contact ici.</Trans>
        </Notice>
      )}
      <TextInput
        ref={nameField}
        data-autofocus
        name="name"
        label={t`Nom du contact`}
        autoComplete="off"
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errorOf('name')}
        maxLength={NAME_MAX_LENGTH}
      />
      {known === undefined ? (
        <TextInput
          name="phone"
          type="tel"
          label={t`Numéro de téléphone`}
          description={t`Avec l’indicatif du pays : +224 620 00 00 00`}
          inputMode="tel"
          autoComplete="off"
          value={values.phone}
          onChange={(event) => change({ phone: event.currentTarget.value })}
          onBlur={() => fill({ phone: writtenOut(values.phone) })}
          error={errorOf('phone')}
          maxLength={60}
        />
      ) : (
        <p className={classes.number}>{groupPhone(known)}</p>
      )}
      <Button type="submit" loading={isBusy}>
        <Trans>Ajouter le contact</Trans>
      </Button>
    </form>
  )
}
