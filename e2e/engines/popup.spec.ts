// Not in WebKit: about every tenth time its process ends when a window closes that its driver has looked into.
import { somebody } from '../steps/people.ts'
import { words } from '../words.ts'
import { test } from './fixtures.ts'
import { arrive, chooseGoogle, NAME, signOut } from './steps.ts'

test('somebody signs up with Google, in its window, and in again', async ({ visitor }) => {
  const { email } = somebody()
  const open = () => visitor.press({ kind: 'button', name: words.google })
  await arrive(visitor)
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.inNewWindow(open, () => chooseGoogle(visitor, email))
  await visitor.see({ kind: 'heading', name: words.send })
  await signOut(visitor)
  await visitor.inNewWindow(open, () => chooseGoogle(visitor, email))
  await visitor.see({ kind: 'text', name: NAME.toLocaleUpperCase() })
})
