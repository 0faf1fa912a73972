import { cleanCode } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

export type CouponProblem = { readonly kind: 'couponInvalid' }

/**
 * Checks an optional coupon: 2 to 32 letters, digits, underscores and hyphens. Letters may have accents in
 * either Unicode form (ZÉRO is valid). Returns the composed text, or null without a coupon. Specification,
 * section 5.
 */
export function checkCoupon(text: string): Result<string | null, CouponProblem> {
  const coupon = cleanCode(text)
  if (coupon === '') return ok(null)
  return /^[\p{L}0-9_-]{2,32}$/u.test(coupon) ? ok(coupon) : err({ kind: 'couponInvalid' })
}

/** Whether the coupon waives the fee, ignoring case and accents. Specification, section 9. */
export function isZeroCoupon(coupon: string | null): boolean {
  return coupon !== null && isSameCoupon(coupon, 'ZERO')
}

/** Whether both texts are the same coupon, ignoring case and accents. */
export const isSameCoupon = (one: string, other: string): boolean =>
  normalizeCoupon(one) === normalizeCoupon(other)

/** Returns the canonical form of a coupon: 'zéro' becomes 'ZERO'. */
export const normalizeCoupon = (coupon: string): string =>
  cleanCode(coupon).normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
