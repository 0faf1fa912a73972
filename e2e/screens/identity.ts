import {
  choose,
  fillDetails,
  handIn,
  identityWords,
  openIdentity,
  png,
  submit,
  UPLOADS,
} from '../steps/identity.ts'
import { arrive, register, signInAs } from './people.ts'
import { IN_APP, type ScreensOf, type Stage } from './screen.ts'

export const IDENTITY_SCREENS: ScreensOf = {
  testedBy: ['identity', 'kept-forms'],
  at: IN_APP,
  screens: [
    {
      name: 'identity',
      at: { identityUpload: 'choosing' },
      reach: reachIdentity,
      shows: ({ page }) => page.getByRole('button', { name: identityWords.submit }),
    },
    {
      name: 'identity-errors',
      at: { identityUpload: 'choosing' },
      async reach(stage) {
        await reachIdentity(stage)
        await choose(stage.page, UPLOADS.executable)
        await submit(stage.page)
      },
      shows: identityText('wrongType'),
    },
    {
      name: 'identity-preview',
      at: { identityUpload: 'choosing' },
      async reach(stage) {
        await reachIdentity(stage)
        await choose(stage.page, png())
      },
      shows: ({ page }) => page.getByAltText(identityWords.preview),
    },
    {
      name: 'identity-connection-lost',
      at: { identityUpload: 'uploading.retrying' },
      async reach(stage) {
        await reachIdentity(stage)
        await stage.page.route('**/v0/b/**', () => undefined)
        await sendIdentity(stage)
      },
      shows: identityText('connectionLost'),
    },
    {
      name: 'identity-failed',
      at: { identityUpload: 'failed' },
      async reach(stage) {
        await reachIdentity(stage)
        await stage.page.route('**/v0/b/**', (route) => route.fulfill({ status: 402, json: {} }))
        await sendIdentity(stage)
      },
      shows: identityText('quota'),
    },
    {
      name: 'identity-pending',
      reach: (stage) => reachIdentity(stage, {}),
      shows: identityText('pending'),
    },
    {
      name: 'identity-approved',
      reach: (stage) => reachIdentity(stage, { status: 'approved' }),
      shows: identityText('approved'),
    },
    {
      name: 'identity-document-rejected',
      at: { identityUpload: 'choosing' },
      async reach(stage) {
        await reachIdentity(stage, { ...REJECTED, rejectedItem: 'document' })
        await choose(stage.page, UPLOADS.pdf)
      },
      shows: ({ page }) => page.getByRole('figure'),
    },
    {
      name: 'identity-details-rejected',
      at: { identityUpload: 'choosing' },
      reach: (stage) => reachIdentity(stage, { ...REJECTED, rejectedItem: 'details' }),
      shows: ({ page }) => page.getByRole('heading', { name: identityWords.correctDetails }),
    },
    {
      name: 'identity-not-read',
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
        await openIdentity(stage.page)
      },
      shows: identityText('filesFailed'),
    },
  ],
}

const REJECTED = { status: 'rejected', rejectionReason: 'La photo est floue, le numéro ne se lit pas.' }

function identityText(word: keyof typeof identityWords) {
  return ({ page }: Stage) => page.getByRole('main').getByText(identityWords[word]).first()
}

/** The identity page of somebody new, or of somebody whose file was decided on like this. */
async function reachIdentity(stage: Stage, decided?: Record<string, string>) {
  const person = await register(stage)
  if (decided) await handIn(stage.server, person.uid, decided)
  await signInAs(stage, person)
  await openIdentity(stage.page)
}

async function sendIdentity({ page }: Stage) {
  await fillDetails(page)
  await choose(page, png())
  await submit(page)
}
