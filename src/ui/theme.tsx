import { Button, createTheme, TextInput } from '@mantine/core'
import classes from './controls.module.css'
import { DownIcon } from './icons/common.ts'

const parts = {
  root: classes.field,
  label: classes.label,
  wrapper: classes.box,
  input: classes.input,
  error: classes.error,
  description: classes.description,
}

export const theme = createTheme({
  fontFamily: 'var(--font-text)',
  defaultRadius: 'md',
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Our classes set what the library would set in style attributes, each with a hash in the security policy.
  variantColorResolver: () => ({ background: '', hover: '', color: '', border: '' }),
  components: {
    Input: {
      defaultProps: { size: undefined },
      vars: () => ({ wrapper: { '--input-margin-top': '' } }),
    },
    Button: Button.extend({
      // The browser's translator could change what a button that pays promises.
      defaultProps: { attributes: { root: { translate: 'no' } }, loaderProps: { color: 'currentColor' } },
      classNames: (_theme, { variant = 'filled' }) => ({
        root: `${classes.button} ${classes[variant]}`,
        label: classes.buttonLabel,
      }),
    }),
    TextInput: TextInput.extend({
      classNames: { ...parts, section: classes.end },
    }),
    // The chunk of these components loads with the home screen.
    NativeSelect: {
      classNames: parts,
      defaultProps: {
        rightSection: <DownIcon isSmall />,
        rightSectionProps: { 'aria-hidden': true },
      },
    },
    Checkbox: {
      classNames: { root: classes.checkbox, input: classes.checkboxInput, error: classes.error },
    },
  },
})
