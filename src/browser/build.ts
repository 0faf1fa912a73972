/** The name is the same in every tab that runs this build. */
export const getBuild = (): string => document.documentElement.dataset.build ?? ''
