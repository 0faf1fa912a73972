/** `DI`: default-ignorable; U+2800: blank Braille cell; U+FFFC: a picture in text copied on iOS. */
const UNSEEN = /[\p{Cf}\p{DI}\u2800\ufffc]/gu

/** Full-width and small forms from East Asian keyboards; U+3002 is their dot. */
const FORMS = /[\uff00-\uffef\ufe50-\ufe6f]/g

/** Unicode encodes the digits of each script in runs of ten that begin with zero. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}

/** Removes invisible marks; converts digits, hyphens and spaces to ASCII. */
export const toPlain = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .replace(FORMS, (form) => form.normalize('NFKC'))
    .replace(/\u3002/g, '.')
    .normalize('NFC')
    .replace(/[^\P{Nd}\d]/gu, toAsciiDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\s\p{Cc}]/gu, ' ')

/** Normalizes a pasted phone number, code, coupon, reference or email address. */
export const cleanCode = (text: string): string => toPlain(text).replaceAll(' ', '')

/** Keeps joiners and variation selectors, which Persian, Hindi and Japanese need. */
const UNSEEN_IN_NAMES = /(?![\p{Join_C}\p{VS}])[\p{Cf}\p{DI}\u2800]/gu

/** Normalizes a name so that no mark can change how a receipt reads. */
export const cleanName = (text: string): string =>
  text
    .replace(UNSEEN_IN_NAMES, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
