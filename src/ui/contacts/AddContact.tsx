import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { CountryCode } from '../../../domain/numbers/destinations.ts'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import {
  type Contact,
  type ContactForm,
  type ContactProblem,
  checkContact,
} from '../../../domain/people/contact.ts'
import { NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import { requestPersistence } from '../../pwa/persistence.ts'
import { chooseFromAddressBook, hasAddressBook } from '../../services/addressBook.ts'
import { Notice } from '../Notice.tsx'
import numbers from '../PhoneNumber.module.css'
import { showToast } from '../toast.ts'
import { useForm } from '../useForm.ts'
import { useLiveQuery } from '../useLiveQuery.ts'
import { useSubmit } from '../useSubmit.ts'
import classes from './AddContact.module.css'
import { contactChangeFailureText, getContactProblemText } from './contactText.ts'
import { PhoneChoices } from './PhoneChoices.tsx'
import { useAskedPhone } from './useAskedPhone.ts'
import { listContacts } from './useContacts.ts'

/** Specification, sections 2, 5 and 8. */
export function AddContact({
  uid,
  phone: fixedPhone,
  country,
  onAdded,
  onBusy,
}: {
  uid: string
  /** Set if the user only has to name the contact. */
  phone?: string
  country?: CountryCode
  /** After the form was left, the user may have moved on to another recipient. */
  onAdded: (contact: Contact) => void
  onBusy?: (isBusy: boolean) => void
}) {
  const { t, i18n } = useLingui()
  const contacts = useLiveQuery(uid, listContacts)
  const { form, values, change, fill, report, bind } = useForm<ContactForm, ContactProblem>(
    { name: '', phone: fixedPhone ?? '' },
    (problem) => getContactProblemText(problem, i18n),
  )
  const [isBookClosed, setBookClosed] = useState(false)
  const { meant, leave, ask } = useAskedPhone(values.phone)
  const nameField = useRef<HTMLInputElement>(null)
  const { isBusy, problem, submit } = useSubmit(
    async () => {
      const checked = checkContact(values, contacts ?? [])
      if (!checked.ok) return
      const { addContact } = await import('./contactBook.ts')
      const contact = await addContact(uid, checked.value)
      showToast('success', t`Contact ajouté`)
      // The field is unmounted once the form was left.
      if (nameField.current) onAdded(contact)
      requestPersistence()
    },
    contactChangeFailureText('addContact'),
    onBusy,
  )

  // The button that opened the form may be unmounted.
  useEffect(() => nameField.current?.focus(), [])

  const send = (event: FormEvent) => {
    event.preventDefault()
    // React would bubble this event to the form of the page behind.
    event.stopPropagation()
    const checked = checkContact(values, contacts ?? [])
    if (report(checked.ok ? [] : checked.error)) submit()
  }
  const chooseFromPhone = () => {
    setBookClosed(false)
    chooseFromAddressBook()
      .then((entry) => {
        if (!entry) return
        change(entry)
        ask(entry.phone)
      })
      .catch(() => setBookClosed(true))
  }

  return (
    <form ref={form} className={classes.form} onSubmit={send} noValidate>
      {problem && <Notice kind="error">{problem}</Notice>}
      {fixedPhone === undefined && hasAddressBook() && (
        <Button variant="light" onClick={chooseFromPhone}>
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
        {...bind('name')}
        label={t`Nom du contact`}
        autoComplete="off"
        maxLength={NAME_MAX_LENGTH}
      />
      {fixedPhone === undefined ? (
        <TextInput
          {...bind('phone')}
          type="tel"
          label={t`Numéro de téléphone`}
          description={t`Avec l’indicatif du pays : +224 620 00 00 00`}
          inputMode="tel"
          autoComplete="off"
          onBlur={() => fill({ phone: leave() })}
          maxLength={60}
        />
      ) : (
        <p>
          <strong className={numbers.phone}>{groupPhone(fixedPhone)}</strong>
        </p>
      )}
      <PhoneChoices phones={meant} country={country} onChoose={(phone) => change({ phone })} />
      <Button type="submit" loading={isBusy}>
        <Trans>Ajouter le contact</Trans>
      </Button>
    </form>
  )
}
