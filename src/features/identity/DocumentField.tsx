import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import { DOCUMENT_TYPES, type DocumentProblem, safeFileName } from '../../../domain/identity.ts'
import { localeOf } from '../../../domain/language.ts'
import type { ChosenDocument } from '../../actors/identityUpload.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { formatSize, readDocument } from './chosenDocument.ts'
import classes from './IdentityPage.module.css'
import { DOCUMENT_MESSAGES } from './identityText.ts'

/** The document: the person chooses it from the device and sees it before it is sent. Specification, section 5. */
export function DocumentField({
  document,
  problem,
  onChoose,
}: {
  document: ChosenDocument | null
  problem: DocumentProblem['kind'] | null
  onChoose: (document: ChosenDocument | null, problem: DocumentProblem['kind'] | null) => void
}) {
  const { i18n } = useLingui()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const lastChosen = useRef<File>(null)

  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    // Choosing the same file again counts as a choice too.
    currentTarget.value = ''
    if (!file) return
    lastChosen.current = file
    const read = await readDocument(file)
    if (lastChosen.current !== file) return
    if (read.ok) onChoose(read.value, null)
    else onChoose(null, read.error.kind)
  }

  return (
    <fieldset className={classes.document} aria-describedby={`${id}-rule${problem ? ` ${id}-error` : ''}`}>
      <legend>
        <Trans>Photo ou copie du document</Trans>
      </legend>
      <p id={`${id}-rule`} className={classes.rule}>
        <Trans>JPEG, PNG ou PDF, 5 Mo au plus. Le document entier doit être lisible.</Trans>
      </p>
      {document && <Preview document={document} onUnreadable={() => onChoose(null, 'fileTypeUnsupported')} />}
      <input ref={input} type="file" accept={DOCUMENT_TYPES.join(',')} onChange={choose} hidden />
      <Button
        variant="default"
        name="document"
        aria-describedby={problem ? `${id}-error` : undefined}
        onClick={() => input.current?.click()}
      >
        {document ? <Trans>Choisir un autre fichier</Trans> : <Trans>Choisir un fichier</Trans>}
      </Button>
      {problem && (
        <p id={`${id}-error`} className={classes.error}>
          {i18n._(DOCUMENT_MESSAGES[problem])}
        </p>
      )}
    </fieldset>
  )
}

/** The image itself, or the name of a PDF. */
export function Preview({
  document: { file, type },
  onUnreadable,
}: {
  document: ChosenDocument
  onUnreadable?: () => void
}) {
  const { t } = useLingui()
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (type === 'application/pdf') return setAddress(null)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file, type])
  const name = safeFileName(file.name)
  return (
    <figure className={classes.preview}>
      {address ? (
        <img src={address} alt={t`Aperçu de votre document`} onError={onUnreadable} />
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 15.500h6" />
        </svg>
      )}
      <figcaption>
        <bdi>{name}</bdi> <span>{formatSize(file.size, localeOf(currentLanguage()))}</span>
      </figcaption>
    </figure>
  )
}
