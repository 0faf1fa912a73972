import './components.css'
import { MantineContext, MantineThemeProvider } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { theme } from './theme.tsx'

/** The components of `MantineProvider` 9.7 that read these are not in the app. */
const UNUSED = {
  colorScheme: 'auto',
  setColorScheme() {},
  clearColorScheme() {},
  cssVariablesSelector: ':root',
} as const

const CONTEXT: ComponentProps<typeof MantineContext>['value'] = {
  ...UNUSED,
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  withStaticClasses: false,
}

/** `MantineProvider` computes some hundred variables at each start, though our sheets declare them. */
export const ThemeProvider = ({ children }: { children: ReactNode }) => (
  <MantineContext value={CONTEXT}>
    <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
  </MantineContext>
)
