import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { useSelector } from '@xstate/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  checkIdentityForm,
  type DocumentProblem,
  ID_TYPES,
  IDENTITY_LENGTHS,
  type IdentityField,
  type IdentityForm as IdentityFormValues,
  type IdentityItem,
} from '../../../domain/identity.ts'
import type { Submission } from '../../../machines/identityUpload.ts'
import { type ChosenDocument, identityUpload, submittedDetails } from '../../actors/identityUpload.ts'
import { keepForm, keptForm, textOf } from '../../browser/keptForms.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { useActorRef } from '../../inspection/useActorRef.ts'
import { Choice } from '../../ui/Choice.tsx'
import { ErrorSummary } from '../../ui/ErrorSummary.tsx'
import { focusField } from '../../ui/useForm.ts'
import { DocumentField } from './DocumentField.tsx'
import classes from './IdentityPage.module.css'
import { DOCUMENT_MESSAGES, fieldMessage, ID_TYPE_NAMES } from './identityText.ts'
import { SubmissionProgress } from './SubmissionProgress.tsx'

const EMPTY: IdentityFormValues = {
  fullName: '',
  idType: null,
  idNumber: '',
  issuedBy: '',
  expirationDate: '',
  dateOfBirth: '',
}

/** What was typed before the page was loaded again. The number of the document is not kept, because somebody else could do harm with it. */
function keptValues(owner: string): IdentityFormValues | null {
  const kept = keptForm('identity', owner)
  return (
    kept && {
      fullName: textOf(kept.fullName),
      idType: ID_TYPES.find((one) => one === kept.idType) ?? null,
      idNumber: '',
      issuedBy: textOf(kept.issuedBy),
      expirationDate: textOf(kept.expirationDate),
      dateOfBirth: textOf(kept.dateOfBirth),
    }
  )
}

/** What is asked for: all of it, or the one item that was rejected. Specification, section 5. */
export function IdentityForm({
  uid,
  asked,
  previousId,
  onUnderWay,
  onDone,
}: {
  uid: string
  asked: 'everything' | IdentityItem
  /** The rejected file. */
  previousId: string | null
  /** Hears when something is being handed in, and when it is no more. */
  onUnderWay: (isUnderWay: boolean) => void
  onDone: (previousId: string | null) => void
}) {
  const { t, i18n } = useLingui()
  // The name of the kept form contains what is asked for: what was typed for one rejection is not offered for the next.
  const owner = `${uid} ${asked} ${previousId}`
  const [values, setValues] = useState(() => keptValues(owner) ?? EMPTY)
  useEffect(() => {
    const { idNumber: _secret, ...kept } = values
    keepForm('identity', owner, values === EMPTY ? null : kept)
  }, [owner, values])
  useEffect(() => () => keepForm('identity', owner, null), [owner])
  const [document, setDocument] = useState<ChosenDocument | null>(null)
  const [wrongDocument, setWrongDocument] = useState<DocumentProblem['kind'] | null>(null)
  const [isAsked, setAsked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const needsDetails = asked !== 'document'
  const needsDocument = asked !== 'details'

  const chosen = useRef<ChosenDocument>(null)
  const [machine] = useState(() => identityUpload(() => chosen.current))
  const actor = useActorRef(machine, { input: { uid } })
  const isChoosing = useSelector(actor, (snapshot) => snapshot.matches('choosing'))
  const isDone = useSelector(actor, (snapshot) => snapshot.status === 'done')
  useEffect(() => onUnderWay(!isChoosing && !isDone), [isChoosing, isDone, onUnderWay])
  useEffect(() => {
    if (isDone) onDone(previousId)
  }, [isDone, onDone, previousId])

  // A person who gives up an upload goes on at the button that had sent it.
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (isChoosing && wasUnderWay.current) submitButton.current?.focus()
    wasUnderWay.current = !isChoosing
  }, [isChoosing])

  // Most of the rejected details are right, so the form shows them to be corrected. They come from the server, never from this device.
  useEffect(() => {
    if (asked !== 'details' || previousId === null) return
    let isGone = false
    submittedDetails(previousId)
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
  }, [asked, previousId])

  const checked = checkIdentityForm(values, serverNow())
  const fieldProblems = needsDetails && !checked.ok ? checked.error : []
  const documentProblem = !needsDocument ? null : (wrongDocument ?? (document ? null : 'documentRequired'))
  const problems = [
    ...fieldProblems.map((problem) => ({
      field: problem.field as string,
      text: i18n._(fieldMessage(problem)),
    })),
    ...(documentProblem ? [{ field: 'document', text: i18n._(DOCUMENT_MESSAGES[documentProblem]) }] : []),
  ]
  const errorOf = (field: IdentityField) =>
    isAsked ? problems.find((problem) => problem.field === field)?.text : undefined

  const goTo = (field: string) => focusField(form.current, field)
  const change = (patch: Partial<IdentityFormValues>) => setValues((old) => ({ ...old, ...patch }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (problems[0]) return goTo(problems[0].field)
    chosen.current = document
    const details = needsDetails && checked.ok ? checked.value : null
    const submission: Submission = { hasDocument: needsDocument, details, previousId }
    actor.send({ type: 'submission.send', submission })
  }

  const text = (field: 'fullName' | 'idNumber' | 'issuedBy', label: string, autoComplete = 'off') => (
    <TextInput
      name={field}
      label={label}
      autoComplete={autoComplete}
      value={values[field]}
      onChange={({ currentTarget: { value } }) => change({ [field]: value })}
      error={errorOf(field)}
      maxLength={IDENTITY_LENGTHS[field]}
    />
  )
  const date = (field: 'expirationDate' | 'dateOfBirth', label: string, autoComplete = 'off') => (
    <TextInput
      type="date"
      name={field}
      label={label}
      autoComplete={autoComplete}
      value={values[field]}
      onChange={({ currentTarget: { value } }) => change({ [field]: value })}
      error={errorOf(field)}
    />
  )

  return (
    <>
      {!isChoosing && <SubmissionProgress actor={actor} document={document} />}
      {/* Kept as it is while it is under way: what was typed is there if it fails. */}
      <section className={classes.card} hidden={!isChoosing}>
        <h2>
          {asked === 'everything' && <Trans>Votre pièce d’identité</Trans>}
          {asked === 'document' && <Trans>Envoyez un nouveau document</Trans>}
          {asked === 'details' && <Trans>Corrigez vos informations</Trans>}
        </h2>
        <form ref={form} onSubmit={submit} noValidate className={classes.form}>
          {isAsked && problems.length > 0 && <ErrorSummary problems={problems} onGo={goTo} />}
          {needsDetails && (
            <>
              {text('fullName', t`Nom et prénoms, comme sur la pièce`, 'name')}
              <Choice
                legend={t`Type de document`}
                name="idType"
                value={values.idType}
                options={ID_TYPES.map((value) => ({ value, label: i18n._(ID_TYPE_NAMES[value]) }))}
                onChange={(idType) => change({ idType })}
                error={errorOf('idType')}
              />
              {text('idNumber', t`Numéro du document`)}
              {text('issuedBy', t`Délivré par`)}
              <div className={classes.dates}>
                {date('expirationDate', t`Date d’expiration`)}
                {date('dateOfBirth', t`Date de naissance`, 'bday')}
              </div>
            </>
          )}
          {needsDocument && (
            <DocumentField
              document={document}
              problem={isAsked || wrongDocument ? documentProblem : null}
              onChoose={(next, problem) => {
                setDocument(next)
                setWrongDocument(problem)
              }}
            />
          )}
          <p className={classes.quiet}>
            <Trans>
              Votre document sert à vérifier votre identité, et à rien d’autre. Il n’est pas gardé sur cet
              appareil.
            </Trans>
          </p>
          <Button ref={submitButton} type="submit" fullWidth>
            <Trans>Envoyer pour vérification</Trans>
          </Button>
        </form>
      </section>
    </>
  )
}
