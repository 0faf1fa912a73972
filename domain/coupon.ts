import { err, ok, type Result } from './result.ts'

export type CouponProblem = { readonly kind: 'couponInvalid' }

/**
 * A coupon is optional; when there is one it has 2 to 32 letters, digits, underscores and hyphens. Letters may carry
 * accents, however they are encoded, since ZÉRO is a coupon. Answers the composed text, or null when there is none.
 * Specification, section 5.
 */
export function checkCoupon(text: string): Result<string | null, CouponProblem> {
  const coupon = text.trim().normalize('NFC')
  if (coupon === '') return ok(null)
  return /^[\p{L}0-9_-]{2,32}$/u.test(coupon) ? ok(coupon) : err({ kind: 'couponInvalid' })
}

/** Whether the coupon is the one that waives the fee, whatever its case and accents. Specification, section 9. */
export function isZeroCoupon(coupon: string | null): boolean {
  return coupon !== null && isSameCoupon(coupon, 'ZERO')
}

/** Whether both are one coupon, whatever their case and accents. */
export const isSameCoupon = (one: string, other: string): boolean => couponName(one) === couponName(other)

/** The one way of writing a coupon: 'zéro' is ZERO. */
export const couponName = (coupon: string): string =>
  coupon.trim().normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
