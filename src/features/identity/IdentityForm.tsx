import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  checkIdentityForm,
  type DocumentProblem,
  ID_TYPES,
  IDENTITY_MAX_LENGTHS,
  type IdentityField,
  type IdentityFormValues,
  type IdentityItem,
} from '../../../domain/account/identity.ts'
import type { Submission } from '../../../machines/identityUpload.ts'
import {
  type ChosenDocument,
  createIdentityUploadLogic,
  fetchSubmittedDetails,
} from '../../actors/identityUpload.ts'
import { readSavedForm, saveForm, toTextOrEmpty } from '../../browser/savedForms.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { Choice } from '../../ui/Choice.tsx'
import { focusField } from '../../ui/useForm.ts'
import { DocumentField } from './DocumentField.tsx'
import { ErrorSummary } from './ErrorSummary.tsx'
import classes from './IdentityPage.module.css'
import { IdentitySteps } from './IdentitySteps.tsx'
import { DOCUMENT_PROBLEM_TEXTS, getIdentityProblemText, ID_TYPE_NAMES } from './identityText.ts'
import { SubmissionProgress } from './SubmissionProgress.tsx'

const EMPTY: IdentityFormValues = {
  fullName: '',
  idType: null,
  idNumber: '',
  issuedBy: '',
  expirationDate: '',
  dateOfBirth: '',
}

/** The document's number is not kept because it is sensitive. */
function readKeptValues(owner: string): IdentityFormValues | null {
  const kept = readSavedForm('identity', owner)
  return (
    kept && {
      fullName: toTextOrEmpty(kept.fullName),
      idType: ID_TYPES.find((one) => one === kept.idType) ?? null,
      idNumber: '',
      issuedBy: toTextOrEmpty(kept.issuedBy),
      expirationDate: toTextOrEmpty(kept.expirationDate),
      dateOfBirth: toTextOrEmpty(kept.dateOfBirth),
    }
  )
}

/** Specification, section 5. */
export function IdentityForm({
  uid,
  missing,
  previousId,
  onUnderWay,
  onDone,
}: {
  uid: string
  missing: 'everything' | IdentityItem
  /** Null for a first submission. */
  previousId: string | null
  onUnderWay: (isUnderWay: boolean) => void
  onDone: (previousId: string | null) => void
}) {
  const { t, i18n } = useLingui()
  // Values typed for one rejection are not offered for the next.
  const owner = `${uid} ${missing} ${previousId}`
  const [values, setValues] = useState(() => readKeptValues(owner) ?? EMPTY)
  useEffect(() => {
    const { idNumber: _secret, ...kept } = values
    saveForm('identity', owner, values === EMPTY ? null : kept)
  }, [owner, values])
  useEffect(() => () => saveForm('identity', owner, null), [owner])
  const [document, setDocument] = useState<ChosenDocument | null>(null)
  // The former document must not be sent in place of the one just chosen.
  const [isReading, setReading] = useState(false)
  const [wrongDocument, setWrongDocument] = useState<DocumentProblem['kind'] | null>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const needsDetails = missing !== 'document'
  const needsDocument = missing !== 'details'

  const upload = useRef<ChosenDocument>(null)
  const [machine] = useState(() => createIdentityUploadLogic(() => upload.current))
  const actor = useActorRef(machine, { input: { uid } })
  const isChoosing = useSelector(actor, (snapshot) => snapshot.matches('choosing'))
  const isDone = useSelector(actor, (snapshot) => snapshot.status === 'done')
  useEffect(() => onUnderWay(!isChoosing && !isDone), [isChoosing, isDone, onUnderWay])
  useEffect(() => {
    if (isDone) onDone(previousId)
  }, [isDone, onDone, previousId])

  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (isChoosing && wasUnderWay.current) submitButton.current?.focus()
    wasUnderWay.current = !isChoosing
  }, [isChoosing])

  // The rejected details come from the server, never from this device.
  useEffect(() => {
    if (missing !== 'details' || previousId === null) return
    let isGone = false
    fetchSubmittedDetails(previousId)
      .then(({ fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth }) => {
        const sent = { fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth }
        if (!isGone)
          setValues((typed) =>
            typed === EMPTY ? sent : { ...typed, idNumber: typed.idNumber || sent.idNumber },
          )
      })
      .catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [missing, previousId])

  const checked = checkIdentityForm(values, serverNow())
  const fieldProblems = needsDetails && !checked.ok ? checked.error : []
  const documentProblem = !needsDocument ? null : (wrongDocument ?? (document ? null : 'documentRequired'))
  const problems = [
    ...fieldProblems.map((problem) => ({
      field: problem.field as string,
      text: i18n._(getIdentityProblemText(problem)),
    })),
    ...(documentProblem
      ? [{ field: 'document', text: i18n._(DOCUMENT_PROBLEM_TEXTS[documentProblem]) }]
      : []),
  ]
  const getError = (field: IdentityField) =>
    isSubmitted ? problems.find((problem) => problem.field === field)?.text : undefined

  const goTo = (field: string) => focusField(form.current, field)
  const change = (patch: Partial<IdentityFormValues>) => setValues((old) => ({ ...old, ...patch }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (problems[0]) return goTo(problems[0].field)
    upload.current = document
    const details = needsDetails && checked.ok ? checked.value : null
    const submission: Submission = { hasDocument: needsDocument, details, previousId }
    actor.send({ type: 'submission.send', submission })
  }

  const text = (field: Exclude<IdentityField, 'idType'>, label: string, input: TextInputProps) => (
    <TextInput
      name={field}
      label={label}
      autoComplete="off"
      value={values[field]}
      onChange={({ currentTarget: { value } }) => change({ [field]: value })}
      error={getError(field)}
      {...input}
    />
  )

  return (
    <>
      <IdentitySteps
        done={{
          details: !isChoosing || !needsDetails || checked.ok,
          document: !isChoosing || documentProblem === null,
          review: false,
        }}
      />
      {!isChoosing && <SubmissionProgress actor={actor} document={document} />}
      {/* The form stays mounted, so that the typed values are still there if the submission fails. */}
      <section className={classes.column} hidden={!isChoosing}>
        <h2 className={missing === 'everything' ? 'unseen' : undefined}>
          {missing === 'everything' && <Trans>Votre pièce d’identité</Trans>}
          {missing === 'document' && <Trans>Envoyez un nouveau document</Trans>}
          {missing === 'details' && <Trans>Corrigez vos informations</Trans>}
        </h2>
        <form ref={form} onSubmit={submit} noValidate className={classes.form}>
          {isSubmitted && problems.length > 0 && <ErrorSummary problems={problems} onGo={goTo} />}
          {needsDetails && (
            <>
              {text('fullName', t`Nom et prénoms, comme sur la pièce`, {
                maxLength: IDENTITY_MAX_LENGTHS.fullName,
                autoComplete: 'name',
              })}
              <Choice
                legend={t`Type de document`}
                name="idType"
                value={values.idType}
                options={ID_TYPES.map((value) => ({ value, label: i18n._(ID_TYPE_NAMES[value]) }))}
                onChange={(idType) => change({ idType })}
                error={getError('idType')}
              />
              <div className={classes.pair}>
                {text('idNumber', t`Numéro du document`, { maxLength: IDENTITY_MAX_LENGTHS.idNumber })}
                {text('issuedBy', t`Délivré par`, { maxLength: IDENTITY_MAX_LENGTHS.issuedBy })}
              </div>
              <div className={classes.pair}>
                {text('expirationDate', t`Date d’expiration`, { type: 'date' })}
                {text('dateOfBirth', t`Date de naissance`, { type: 'date', autoComplete: 'bday' })}
              </div>
            </>
          )}
          {needsDocument && (
            <DocumentField
              document={document}
              problem={isSubmitted || wrongDocument ? documentProblem : null}
              onRead={() => setReading(true)}
              onChoose={(next, problem) => {
                setReading(false)
                setDocument(next)
                setWrongDocument(problem)
              }}
            />
          )}
          <Button ref={submitButton} type="submit" fullWidth loading={isReading}>
            <Trans>Envoyer pour vérification</Trans>
          </Button>
        </form>
      </section>
    </>
  )
}
