import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx'
import { Wordmark } from '../../ui/Logo.tsx'
import classes from './AuthHeader.module.css'

/** `onSwitch`: called before the language changes. */
export const AuthHeader = ({ onSwitch }: { onSwitch?: () => void }) => (
  <header className={classes.header}>
    <Wordmark />
    <LanguageSwitch {...(onSwitch && { onSwitch })} />
  </header>
)
