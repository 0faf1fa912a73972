/** Returns the name of the running build of the app, which is the same in every tab that runs it. */
export const getBuild = (): string => document.documentElement.dataset.build ?? ''
