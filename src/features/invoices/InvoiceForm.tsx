import { Trans, useLingui } from '@lingui/react/macro'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { Failure } from '../../../domain/errors/failure.ts'
import {
  checkInvoiceLookup,
  type InvoiceDraft,
  type InvoiceLookup,
  type InvoiceProblem,
  isSameInvoice,
} from '../../../domain/invoices/invoice.ts'
import { findSupplier, getSuppliers, INVOICE_TYPES, SUPPLIERS } from '../../../domain/invoices/suppliers.ts'
import { toFailure } from '../../browser/failure.ts'
import { CheckIcon } from '../../ui/icons/common.ts'
import { Notice } from '../../ui/Notice.tsx'
import { FormClosedNotice } from '../../ui/payment/FormClosedNotice.tsx'
import { focusField } from '../../ui/useForm.ts'
import { useOnline } from '../../ui/useOnline.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import classes from './InvoicesPage.module.css'
import {
  getInvoiceLookupFailureText,
  getInvoiceProblemText,
  INVOICE_LOOKUP_INCOMPLETE,
} from './invoiceMessages.ts'
import { INVOICE_TYPE_ICONS, INVOICE_TYPE_NAMES } from './invoiceTypes.ts'

/** Specification, sections 2 and 5. */
export function InvoiceForm({
  draft,
  isBusy,
  isClosed,
  isFound,
  onChange,
}: {
  draft: InvoiceDraft
  isBusy: boolean
  /** Changes would be lost during the payment of the invoice. */
  isClosed: boolean
  /** The main button then pays the found invoice. */
  isFound: boolean
  onChange: (patch: Partial<InvoiceDraft>) => void
}) {
  const { t, i18n } = useLingui()
  const isOnline = useOnline()
  const [problems, setProblems] = useState<readonly InvoiceProblem[]>([])
  const [lookupFailure, setLookupFailure] = useState<{ asked: InvoiceLookup; failure: Failure } | null>(null)
  const [isLooking, setLooking] = useState(false)
  const noteFocus = useRestoreFocus(isLooking)
  const form = useRef<HTMLFormElement>(null)
  const { type, supplier, reference } = draft

  const findProblem = (field: 'supplier' | 'reference') => problems.find((problem) => problem.field === field)
  const change = (patch: Partial<InvoiceDraft>) => {
    setProblems(problems.filter(({ field }) => !(field in patch) && !('type' in patch)))
    setLookupFailure(null)
    onChange(patch)
  }

  const lookUp = async (event: FormEvent) => {
    event.preventDefault()
    if (isLooking) return
    const checked = checkInvoiceLookup(draft)
    setProblems(checked.ok ? [] : checked.error)
    setLookupFailure(null)
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
      setLookupFailure({ asked: draft, failure: toFailure(error) })
    } finally {
      setLooking(false)
    }
  }

  const isIncomplete = problems.some(
    ({ kind }) => kind === 'invoiceFieldsRequired' || kind === 'supplierUnknown',
  )
  // A problem with one invoice must not be shown for another.
  const explanation =
    lookupFailure &&
    isSameInvoice(lookupFailure.asked, draft) &&
    getInvoiceLookupFailureText(lookupFailure.failure, isOnline, i18n)
  const suppliers = type === null ? SUPPLIERS : getSuppliers(type)
  const example = findSupplier(supplier)?.example
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={lookUp}
      noValidate
      aria-labelledby="invoice"
      data-closed={isClosed || undefined}
    >
      <h2 id="invoice" className="unseen">
        <Trans>Payer une facture</Trans>
      </h2>
      <fieldset className={classes.types}>
        <legend className="unseen">
          <Trans>Type de facture</Trans>
        </legend>
        {INVOICE_TYPES.map((each) => {
          const TypeIcon = INVOICE_TYPE_ICONS[each]
          return (
            <label key={each} className={classes.type}>
              <input
                type="radio"
                name="type"
                value={each}
                checked={each === type}
                aria-disabled={isClosed}
                onChange={() => !isClosed && change({ type: each })}
              />
              <span className={classes.tile}>
                <TypeIcon />
              </span>
              <span>{i18n._(INVOICE_TYPE_NAMES[each])}</span>
            </label>
          )
        })}
      </fieldset>
      <NativeSelect
        name="supplier"
        label={t`Fournisseur`}
        value={supplier}
        disabled={isClosed}
        data={[
          { value: '', label: t`Choisissez…` },
          ...suppliers.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          change({ type: findSupplier(value)?.type ?? type, supplier: value })
        }
        error={getInvoiceProblemText(findProblem('supplier'), i18n)}
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
        error={getInvoiceProblemText(findProblem('reference'), i18n)}
        rightSection={
          isFound && (
            <span className={classes.found}>
              <CheckIcon />
            </span>
          )
        }
      />
      {isIncomplete && <Notice kind="error" title={i18n._(INVOICE_LOOKUP_INCOMPLETE)} />}
      {explanation && (
        <Notice kind={explanation.kind} title={explanation.title} isCalling>
          {explanation.text}
        </Notice>
      )}
      <Button type="submit" variant={isFound ? 'subtle' : 'filled'} loading={isLooking} disabled={isBusy}>
        <Trans>Voir la facture</Trans>
      </Button>
      <FormClosedNotice isClosed={isClosed} />
    </form>
  )
}
