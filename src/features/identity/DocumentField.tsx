import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { DOCUMENT_TYPES, type DocumentProblem, sanitizeFileName } from '../../../domain/account/identity.ts'
import { getLocale } from '../../../domain/common/language.ts'
import type { ChosenDocument } from '../../actors/identityUpload.ts'
import controls from '../../ui/controls.module.css'
import { currentLanguage } from '../../ui/i18n.ts'
import { CameraIcon, FileIcon } from '../../ui/icons/lists.ts'
import { formatFileSize, readDocument } from './chosenDocument.ts'
import classes from './IdentityPage.module.css'
import { DOCUMENT_PROBLEM_TEXTS } from './identityText.ts'

/** Specification, section 5. */
export function DocumentField({
  document,
  problem,
  onRead,
  onChoose,
}: {
  document: ChosenDocument | null
  problem: DocumentProblem['kind'] | null
  /** The file is being read, which may take seconds. */
  onRead: () => void
  onChoose: (document: ChosenDocument | null, problem: DocumentProblem['kind'] | null) => void
}) {
  const { i18n } = useLingui()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const lastChosen = useRef<File>(null)

  const choose = async (file: File | undefined) => {
    if (!file) return
    lastChosen.current = file
    onRead()
    const result = await readDocument(file)
    if (lastChosen.current !== file) return
    if (result.ok) onChoose(result.value, null)
    else onChoose(null, result.error.kind)
  }

  return (
    <fieldset className={classes.document} aria-describedby={`${id}-rule${problem ? ` ${id}-error` : ''}`}>
      <legend className="unseen">
        <Trans>Photo ou copie du document</Trans>
      </legend>
      {document && (
        <DocumentPreview document={document} onUnreadable={() => onChoose(null, 'fileTypeUnsupported')} />
      )}
      <input
        ref={input}
        type="file"
        accept={DOCUMENT_TYPES.join(',')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Choosing the same file again would otherwise fire no change event.
          currentTarget.value = ''
          choose(file)
        }}
        hidden
      />
      <button
        type="button"
        translate="no"
        name="document"
        className={classes.drop}
        aria-describedby={problem ? `${id}-error` : undefined}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          choose(event.dataTransfer.files[0])
        }}
      >
        <span className={classes.picture}>
          <CameraIcon />
        </span>
        <strong>
          {document ? (
            <Trans>Choisir un autre fichier</Trans>
          ) : (
            <Trans>Photographier ou choisir un fichier</Trans>
          )}
        </strong>
        <span id={`${id}-rule`} className={classes.quiet}>
          <Trans>JPEG, PNG ou PDF, 5 Mo au plus. Le document entier doit être lisible.</Trans>
        </span>
      </button>
      {problem && (
        <p id={`${id}-error`} className={controls.error}>
          {i18n._(DOCUMENT_PROBLEM_TEXTS[problem])}
        </p>
      )}
    </fieldset>
  )
}

export function DocumentPreview({
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
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file, type])
  const name = sanitizeFileName(file.name)
  return (
    <figure className={classes.preview}>
      {address ? (
        <img src={address} alt={t`Aperçu de votre document`} onError={onUnreadable} />
      ) : (
        <FileIcon />
      )}
      <figcaption>
        <bdi>{name}</bdi> <span>{formatFileSize(file.size, getLocale(currentLanguage()))}</span>
      </figcaption>
    </figure>
  )
}
