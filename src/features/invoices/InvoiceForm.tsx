import { Trans, useLingui } from '@lingui/react/macro'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { Failure } from '../../../domain/failure.ts'
import {
  checkInvoiceLookup,
  type InvoiceDraft,
  type InvoiceLookup,
  type InvoiceProblem,
  isSameInvoice,
} from '../../../domain/invoice.ts'
import {
  INVOICE_TYPES,
  type InvoiceType,
  SUPPLIERS,
  supplierById,
  suppliersOf,
} from '../../../domain/suppliers.ts'
import { failureOf } from '../../browser/failure.ts'
import { Choice } from '../../ui/Choice.tsx'
import { INVOICE_TYPE_NAMES } from '../../ui/invoiceTypes.ts'
import { Notice } from '../../ui/Notice.tsx'
import { ClosedForm } from '../../ui/payment/ClosedForm.tsx'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { focusField } from '../../ui/useForm.ts'
import { useOnline } from '../../ui/useOnline.ts'
import classes from './InvoicesPage.module.css'
import { fieldText, LOOKUP_INCOMPLETE, lookupText } from './invoiceMessages.ts'
import { TypeIcon } from './TypeIcon.tsx'

/** Which invoice it is, and the way to see it before anything is paid. Specification, sections 2 and 5. */
export function InvoiceForm({
  draft,
  isBusy,
  isClosed,
  isSettled,
  onChange,
}: {
  draft: InvoiceDraft
  isBusy: boolean
  /** Whether the form takes nothing, because what is typed would be lost. The focus is at the payment of the invoice, or goes there. */
  isClosed: boolean
  /** Whether the invoice is in sight, and paying it comes next. */
  isSettled: boolean
  onChange: (patch: Partial<InvoiceDraft>) => void
}) {
  const { t, i18n } = useLingui()
  const isOnline = useOnline()
  const [problems, setProblems] = useState<readonly InvoiceProblem[]>([])
  const [failed, setFailed] = useState<{ asked: InvoiceLookup; failure: Failure } | null>(null)
  const [isLooking, setLooking] = useState(false)
  const noteFocus = useFocusBack(isLooking)
  const form = useRef<HTMLFormElement>(null)
  const { type, supplier, reference } = draft

  const problemOf = (field: 'supplier' | 'reference') => problems.find((problem) => problem.field === field)
  const change = (patch: Partial<InvoiceDraft>) => {
    setProblems(problems.filter(({ field }) => !(field in patch) && !('type' in patch)))
    setFailed(null)
    onChange(patch)
  }

  const lookUp = async (event: FormEvent) => {
    event.preventDefault()
    if (isLooking) return
    const checked = checkInvoiceLookup(draft)
    setProblems(checked.ok ? [] : checked.error)
    setFailed(null)
    if (!checked.ok) {
      const [first] = checked.error
      if (first) focusField(form.current, first.field)
      return
    }
    noteFocus()
    setLooking(true)
    onChange({ invoice: null })
    try {
      const { lookUpInvoice } = await import('../../services/invoices.ts')
      onChange({ invoice: await lookUpInvoice(checked.value) })
    } catch (error) {
      setFailed({ asked: draft, failure: failureOf(error) })
    } finally {
      setLooking(false)
    }
  }

  const isIncomplete = problems.some(
    ({ kind }) => kind === 'invoiceFieldsRequired' || kind === 'supplierUnknown',
  )
  // The fields can be changed while the server is asked. Its answer about one invoice must not be shown for another.
  const told = failed && isSameInvoice(failed.asked, draft) && lookupText(failed.failure, isOnline, i18n)
  const offered = type === null ? SUPPLIERS : suppliersOf(type)
  const chosen = supplierById(supplier)
  const example = chosen?.example
  return (
    <form
      ref={form}
      className={classes.card}
      onSubmit={lookUp}
      noValidate
      aria-labelledby="invoice"
      data-closed={isClosed || undefined}
    >
      <h2 id="invoice">
        <Trans>Payer une facture</Trans>
      </h2>
      {isIncomplete && <Notice kind="error" title={i18n._(LOOKUP_INCOMPLETE)} />}
      {told && (
        <Notice kind={told.kind} title={told.title} isCalling>
          {told.text}
        </Notice>
      )}
      <Choice<InvoiceType>
        legend={t`Type de facture`}
        name="type"
        value={type}
        options={INVOICE_TYPES.map((each) => ({
          value: each,
          label: i18n._(INVOICE_TYPE_NAMES[each]),
          picture: <TypeIcon type={each} />,
        }))}
        isClosed={isClosed}
        onChange={(next) => change({ type: next })}
      />
      <NativeSelect
        name="supplier"
        label={t`Fournisseur`}
        value={supplier}
        disabled={isClosed}
        data={[
          { value: '', label: t`Choisissez…` },
          ...offered.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          change({ type: supplierById(value)?.type ?? type, supplier: value })
        }
        error={fieldText(problemOf('supplier'), i18n)}
      />
      <TextInput
        name="reference"
        label={t`Numéro de référence`}
        description={
          example
            ? t`Il est imprimé sur la facture, par exemple ${example}`
            : t`Il est imprimé sur la facture`
        }
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={60}
        value={reference}
        readOnly={isClosed}
        onChange={({ currentTarget: { value } }) => change({ reference: value })}
        error={fieldText(problemOf('reference'), i18n)}
      />
      <Button type="submit" variant={isSettled ? 'default' : 'filled'} loading={isLooking} disabled={isBusy}>
        <Trans>Voir la facture</Trans>
      </Button>
      <ClosedForm isClosed={isClosed} />
    </form>
  )
}
