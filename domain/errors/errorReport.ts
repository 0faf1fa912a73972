/** Messages may contain personal data, so only these names are sent. */
export const ERROR_NAME_PATTERN =
  /^(?:[A-Za-z]{0,40}(?:Error|Exception)|React \d{1,3}|failure [A-Za-z]{1,30}|thrown [a-z]{1,9}|xstate(?:\.\w{1,40}){1,10})$/

/** A built file without its hash, with line and column: 'Home:1:200'. Empty if unknown. */
export const PLACE_PATTERN = /^(?:[A-Za-z]{1,40}(?::\d{1,4}:\d{1,7})?)?$/

export function nameError(thrown: unknown): string {
  const { failure, name, message, type } = Object(thrown) as Readonly<Record<string, unknown>>
  const { kind } = Object(failure) as { readonly kind?: unknown }
  const [, react] = (typeof message === 'string' && /^Minified React error #(\d+)/.exec(message)) || []
  const names = [typeof kind === 'string' && `failure ${kind}`, react && `React ${react}`, name, type]
  const known = names.find((one) => typeof one === 'string' && ERROR_NAME_PATTERN.test(one))
  return typeof known === 'string' ? known : thrown instanceof Error ? 'Error' : `thrown ${typeof thrown}`
}

/** Finds the first built file of a stack; names of minified functions say nothing. */
export function findPlace(stack: string): string {
  const [, file = '', position = ''] =
    /\/assets\/([A-Za-z]{1,40})[.\w-]*-[\w-]{8}\.js(:\d{1,4}:\d{1,7})?/.exec(stack) ?? []
  return file + position
}
