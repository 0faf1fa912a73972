type Report = NonNullable<Window['opening']>['reportError']

/**
 * Reports an error that no event of the window reports. Nothing is reported in development, whose page has no
 * opening script.
 */
export const reportError: Report = (...report) => globalThis.window?.opening?.reportError(...report)
