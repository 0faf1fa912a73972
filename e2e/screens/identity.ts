import {
  choose,
  fillDetails,
  handIn,
  IDENTITY_WORDS,
  type IdentityWords,
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
      shows: ({ page, language }) => page.getByRole('button', { name: IDENTITY_WORDS[language].submit }),
    },
    {
      name: 'identity-errors',
      at: { identityUpload: 'choosing' },
      async reach(stage) {
        await reachIdentity(stage)
        await choose(stage.page, UPLOADS.executable)
        await submit(stage.page, IDENTITY_WORDS[stage.language])
      },
      shows: identityText((own) => own.wrongType),
    },
    {
      name: 'identity-preview',
      at: { identityUpload: 'choosing' },
      async reach(stage) {
        await reachIdentity(stage)
        await choose(stage.page, png())
      },
      shows: ({ page, language }) => page.getByAltText(IDENTITY_WORDS[language].preview),
    },
    {
      name: 'identity-connection-lost',
      at: { identityUpload: 'uploading.retrying' },
      async reach(stage) {
        await reachIdentity(stage)
        await stage.page.route('**/v0/b/**', () => undefined)
        await sendIdentity(stage)
      },
      shows: identityText((own) => own.connectionLost),
    },
    {
      name: 'identity-failed',
      at: { identityUpload: 'failed' },
      async reach(stage) {
        await reachIdentity(stage)
        await stage.page.route('**/v0/b/**', (route) => route.fulfill({ status: 402, json: {} }))
        await sendIdentity(stage)
      },
      shows: identityText((own) => own.quota),
    },
    {
      name: 'identity-pending',
      reach: (stage) => reachIdentity(stage, {}),
      shows: identityText((own) => own.pending),
    },
    {
      name: 'identity-approved',
      reach: (stage) => reachIdentity(stage, { status: 'approved' }),
      shows: identityText((own) => own.approved),
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
      shows: ({ page, language }) =>
        page.getByRole('heading', { name: IDENTITY_WORDS[language].correctDetails }),
    },
    {
      name: 'identity-not-read',
      async reach(stage) {
        await arrive(stage)
        await stage.page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
        await openIdentity(stage.page, stage.words)
      },
      shows: identityText((own) => own.filesFailed),
    },
  ],
}

const REJECTED = { status: 'rejected', rejectionReason: 'La photo est floue, le numéro ne se lit pas.' }

function identityText(word: (own: IdentityWords) => string) {
  return ({ page, language }: Stage) =>
    page.getByRole('main').getByText(word(IDENTITY_WORDS[language])).first()
}

/** The identity page of somebody new, or of somebody whose file was decided on like this. */
async function reachIdentity(stage: Stage, decided?: Record<string, string>) {
  const person = await register(stage)
  if (decided) await handIn(stage.server, person.uid, decided)
  await signInAs(stage, person)
  await openIdentity(stage.page, stage.words)
}

async function sendIdentity({ page, language }: Stage) {
  await fillDetails(page, IDENTITY_WORDS[language])
  await choose(page, png())
  await submit(page, IDENTITY_WORDS[language])
}
