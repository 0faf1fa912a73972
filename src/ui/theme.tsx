import { Button, createTheme, PasswordInput, TextInput } from '@mantine/core'
import classes from './controls.module.css'

const field = {
  root: classes.field,
  label: classes.label,
  input: classes.input,
  error: classes.error,
  description: classes.description,
}

/** A picture that screen readers pass over, because its button has a name. The library's own picture is not hidden from them. */
function Eye({ reveal }: { reveal: boolean }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.eye} aria-hidden="true">
      <path d="M2 12q10-14 20 0-10 14-20 0Z" />
      <circle cx="12" cy="12" r="3" />
      {reveal && <path d="M4 20 20 4" />}
    </svg>
  )
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
      // The library knows no colour of a variant of ours: what turns would be white on its pale ground.
      defaultProps: { loaderProps: { color: 'currentColor' } },
      classNames: (_theme, { variant = 'filled' }) => ({
        root: `${classes.button} ${classes[variant]}`,
        label: classes.buttonLabel,
      }),
    }),
    TextInput: TextInput.extend({ classNames: field }),
    PasswordInput: PasswordInput.extend({
      classNames: field,
      defaultProps: { visibilityToggleIcon: Eye },
    }),
    // These components are set up by their names alone, because their code comes with the home screen.
    NativeSelect: { classNames: field, defaultProps: { rightSectionProps: { 'aria-hidden': true } } },
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
