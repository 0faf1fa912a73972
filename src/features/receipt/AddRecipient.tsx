import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import type { UserDatabase } from '../../cache/database.ts'
import { contactOf } from '../../cache/queries.ts'
import { AddContact } from '../../ui/contacts/AddContact.tsx'
import { useCached } from '../../ui/useCached.ts'
import classes from './AddRecipient.module.css'

/** Gives the number that received the money a name, which the receipt then has too; nothing where it has one. */
export function AddRecipient({ uid, phone }: { uid: string; phone: string }) {
  const [isAdding, setAdding] = useState(false)
  const [isAdded, setAdded] = useState(false)
  const found = useCached(
    uid,
    useCallback(async (database: UserDatabase) => ({ contact: await contactOf(database, phone) }), [phone]),
  )
  const line = useRef<HTMLDivElement>(null)
  const leave = (isDone: boolean) => {
    setAdding(false)
    setAdded(isDone)
    // The button that was pressed is gone.
    line.current?.focus({ preventScroll: true })
  }
  if (!found) return null
  const { contact } = found
  return (
    <div ref={line} tabIndex={-1} className={classes.line}>
      {isAdded ? (
        <p>
          <Trans>Ce numéro est dans vos contacts.</Trans>
        </p>
      ) : isAdding ? (
        // Also once this device has the contact: the form hears later that it was added, and then leads on.
        <section className={classes.add}>
          <h3>
            <Trans>Nouveau contact</Trans>
          </h3>
          <AddContact uid={uid} phone={phone} onAdded={() => leave(true)} />
          <Button variant="subtle" onClick={() => leave(false)}>
            <Trans>Annuler</Trans>
          </Button>
        </section>
      ) : contact ? null : (
        <Button variant="default" fullWidth onClick={() => setAdding(true)}>
          <Trans>Ajouter aux contacts</Trans>
        </Button>
      )}
    </div>
  )
}
