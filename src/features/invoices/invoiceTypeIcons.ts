import type { InvoiceType } from '../../../domain/invoices/suppliers.ts'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import { ElectricityIcon, InternetIcon, MobileIcon, SchoolIcon, WaterIcon } from './supplierIcons.ts'

export const INVOICE_TYPE_ICONS: Record<InvoiceType, Icon> = {
  electricity: ElectricityIcon,
  water: WaterIcon,
  phone: MobileIcon,
  internet: InternetIcon,
  school: SchoolIcon,
}
