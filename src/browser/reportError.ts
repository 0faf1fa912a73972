type Report = NonNullable<Window['opening']>['reportError']

/** Nothing is reported in development, whose page has no opening script. */
export const reportError: Report = (...report) => globalThis.window?.opening?.reportError(...report)
