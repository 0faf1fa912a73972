import { useLingui } from '@lingui/react/macro'
import { DEFAULT_FEE_PERCENT, type FeeRule } from '../../../domain/prices/fees.ts'

export function useFeeReason(rule: FeeRule, coupon: string): string {
  const { t } = useLingui()
  switch (rule) {
    case 'coupon':
      return coupon.trim().toUpperCase()
    case 'premium':
      return t`forfait Premium`
    case 'basic':
      return t`forfait Basic`
    case 'default':
      return t`${DEFAULT_FEE_PERCENT} %`
  }
}
