// Not run in WebKit, whose process crashes in one of ten runs when a window that the driver used closes.
import { createPerson } from '../steps/person.ts'
import { words } from '../words.ts'
import { test } from './fixtures.ts'
import { completeGoogleSignIn, openSignedOutPage, signOut, VISITOR_NAME } from './steps.ts'

test('a user signs up with Google in a popup and signs in again', async ({ visitor }) => {
  const { email } = createPerson()
  const open = () => visitor.press({ kind: 'button', name: words.google })
  await openSignedOutPage(visitor)
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.inNewWindow(open, () => completeGoogleSignIn(visitor, email))
  await visitor.see({ kind: 'heading', name: words.send })
  await signOut(visitor)
  await visitor.inNewWindow(open, () => completeGoogleSignIn(visitor, email))
  await visitor.see({ kind: 'text', name: VISITOR_NAME.toLocaleUpperCase() })
})
