import { expect, test } from 'vitest'
import { WALLET_LOGOS } from './WalletIcon.tsx'

test.each(Object.entries(WALLET_LOGOS))(
  'the logo of %s has enough contrast (WCAG 2.2, 1.4.11)',
  (_, { color, ink }) => {
    const [lighter = 0, darker = 0] = [luminance(color), luminance(ink)].sort((a, b) => b - a)
    expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(3)
  },
)

/** As defined by WCAG, between 0 and 1. */
function luminance(color: string): number {
  expect(color).toMatch(/^#[\da-f]{6}$/)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
