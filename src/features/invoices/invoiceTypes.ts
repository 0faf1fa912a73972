import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { InvoiceType } from '../../../domain/invoices/suppliers.ts'
import { BoltIcon, PhoneIcon } from '../../ui/icons/common.ts'
import { createIcon, type Icon } from '../../ui/icons/createIcon.tsx'

export const INVOICE_TYPE_NAMES: Record<InvoiceType, MessageDescriptor> = {
  electricity: msg`Électricité`,
  water: msg`Eau`,
  phone: msg`Téléphone`,
  internet: msg`Internet`,
  school: msg`École`,
}

export const INVOICE_TYPE_ICONS: Record<InvoiceType, Icon> = {
  electricity: BoltIcon,
  water: createIcon('M12 3.5c3.5 4 5.5 7 5.5 10a5.5 5.5 0 0 1-11 0c0-3 2-6 5.5-10z'),
  phone: PhoneIcon,
  internet: createIcon(
    'M3.5 9.5a13 13 0 0 1 17 0M6.5 13a8.5 8.5 0 0 1 11 0M9.5 16.3a4 4 0 0 1 5 0M12 19.5v.1',
  ),
  school: createIcon('M12 5 2.5 9.5 12 14l9.5-4.5zM6 11.5V16c2 2 10 2 12 0v-4.5M21.5 9.5V15'),
}
