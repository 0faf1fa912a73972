import { Button, createTheme, PasswordInput, TextInput } from '@mantine/core'
import classes from './controls.module.css'

const field = {
  root: classes.field,
  label: classes.label,
  input: classes.input,
  error: classes.error,
  description: classes.description,
}

/** The library's controls in our looks; every colour and size comes from the tokens of theme.css. */
export const theme = createTheme({
  fontFamily: 'var(--font-text)',
  defaultRadius: 'md',
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: Button.extend({
      classNames: (_theme, { variant = 'filled' }) => ({
        root: `${classes.button} ${classes[variant]}`,
        label: classes.buttonLabel,
      }),
    }),
    TextInput: TextInput.extend({ classNames: field }),
    PasswordInput: PasswordInput.extend({ classNames: field }),
    // By name only: their code comes with the home screen.
    NativeSelect: { classNames: field },
    Checkbox: {
      classNames: { root: classes.checkbox, input: classes.checkboxInput, error: classes.error },
    },
    Modal: {
      // The library locks the page with an inline style sheet, which the security policy forbids; theme.css does it.
      defaultProps: {
        centered: true,
        size: '30rem',
        lockScroll: false,
        overlayProps: { backgroundOpacity: 0.5 },
      },
      classNames: {
        content: classes.sheet,
        inner: classes.sheetInner,
        title: classes.sheetTitle,
        header: classes.sheetHeader,
        body: classes.sheetBody,
        close: classes.sheetClose,
      },
    },
  },
})
