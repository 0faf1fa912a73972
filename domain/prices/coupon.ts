import { cleanCode } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

export type CouponProblem = { readonly kind: 'couponInvalid' }

/** Accents are valid in either Unicode form. Returns null without a coupon. Specification, section 5. */
export function checkCoupon(text: string): Result<string | null, CouponProblem> {
  const coupon = cleanCode(text)
  if (coupon === '') return ok(null)
  return /^[\p{L}0-9_-]{2,32}$/u.test(coupon) ? ok(coupon) : err({ kind: 'couponInvalid' })
}

/** Specification, section 9. */
export function isZeroCoupon(coupon: string | null): boolean {
  return coupon !== null && isSameCoupon(coupon, 'ZERO')
}

export const isSameCoupon = (one: string, other: string): boolean =>
  normalizeCoupon(one) === normalizeCoupon(other)

export const normalizeCoupon = (coupon: string): string =>
  cleanCode(coupon).normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
