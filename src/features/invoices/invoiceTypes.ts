import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { InvoiceType } from '../../../domain/invoices/suppliers.ts'

export const INVOICE_TYPE_NAMES: Record<InvoiceType, MessageDescriptor> = {
  electricity: msg`Électricité`,
  water: msg`Eau`,
  phone: msg`Téléphone`,
  internet: msg`Internet`,
  school: msg`École`,
}
