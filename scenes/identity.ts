import type { IdentityDetails, IdentityFile } from '../domain/account/identity.ts'
import { AWA, failData, failWith, neverAnswer } from './fixtures.ts'
import type { User } from './frame/user.ts'
import { IN_APP_STATES, SCENE_TIME, type Scene } from './scene.ts'

const onPage = { at: IN_APP_STATES, account: AWA, page: 'identity' } as const
const inForm = { ...onPage, at: { ...IN_APP_STATES, identityUpload: 'choosing' } } as const

export const buildIdentityRows = (decision: Partial<IdentityFile>): Pick<Scene, 'rows'> => {
  const file: IdentityFile = {
    id: '1763640000000-scene',
    fileName: 'passeport.png',
    status: 'pending',
    rejectedItem: null,
    rejectionReason: '',
    expirationDate: '2035-01-31',
    createdAt: SCENE_TIME,
    ...decision,
  }
  return { rows: { identity: [{ id: 'identity', files: [file], asOf: SCENE_TIME }] } }
}

const REJECTED = {
  status: 'rejected',
  rejectionReason: 'La photo est floue, le numéro ne se lit pas.',
} as const

const DETAILS: IdentityDetails = {
  fullName: 'Aïssatou Diallo',
  idType: 'passport',
  idNumber: 'O00123456',
  issuedBy: 'République de Guinée',
  expirationDate: '2035-01-31',
  dateOfBirth: '1990-05-17',
}

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'

async function drawDocument(): Promise<File> {
  const canvas = new OffscreenCanvas(640, 440)
  const context = canvas.getContext('2d')
  const fill = (color: string, ...area: readonly [x: number, y: number, width: number, height: number]) => {
    if (!context) return
    context.fillStyle = color
    context.fillRect(...area)
  }
  fill('#e8dcc4', 0, 0, 640, 440)
  fill('#8fa79b', 40, 90, 180, 240)
  for (const y of [100, 150, 200, 250, 300]) fill('#5b5346', 260, y, 320, 18)
  return new File([await canvas.convertToBlob()], 'passeport.png')
}

/** The chosen document is outside the machine's snapshot. */
export async function sendIdentity({ type, press, choose, see }: User) {
  await type('Nom et prénoms, comme sur la pièce', DETAILS.fullName)
  await press('Passeport')
  await type('Numéro du document', DETAILS.idNumber)
  await type('Délivré par', DETAILS.issuedBy)
  await type('Date d’expiration', DETAILS.expirationDate)
  await type('Date de naissance', DETAILS.dateOfBirth)
  await choose(await drawDocument())
  await see('Choisir un autre fichier')
  await press('Envoyer pour vérification')
}

export const openSubmission = async () => '1763640000000-scene'

export const IDENTITY_SCENES: readonly Scene[] = [
  { ...inForm, name: 'identity' },
  {
    ...inForm,
    name: 'identity-errors',
    async act({ choose, press, see }) {
      await choose(new File(['MZ'], 'passeport.png'))
      await see('Le fichier doit être au format JPEG, PNG ou PDF')
      await press('Envoyer pour vérification')
    },
  },
  {
    ...inForm,
    name: 'identity-preview',
    act: async ({ choose }) => choose(await drawDocument()),
    shows: 'Choisir un autre fichier',
  },
  {
    ...onPage,
    name: 'identity-connection-lost',
    at: { ...IN_APP_STATES, identityUpload: 'uploading.retrying' },
    // The machine reports a lost connection after five seconds without progress.
    delays: { 5000: 0 },
    answers: {
      identityFiles: { openSubmission },
      files: {
        uploadDocument(_uid, _name, _content, { onProgress }) {
          onProgress(0.4)
          return neverAnswer()
        },
      },
    },
    act: sendIdentity,
  },
  {
    ...onPage,
    name: 'identity-failed',
    at: { ...IN_APP_STATES, identityUpload: 'failed' },
    answers: {
      identityFiles: { openSubmission },
      files: { uploadDocument: failWith({ kind: 'storage', code: 'quota-exceeded' }) },
    },
    act: sendIdentity,
  },
  { ...onPage, ...buildIdentityRows({}), name: 'identity-pending' },
  { ...onPage, ...buildIdentityRows({ status: 'approved' }), name: 'identity-approved' },
  {
    ...inForm,
    ...buildIdentityRows({ status: 'approved', expirationDate: '2026-11-19' }),
    name: 'identity-expired',
  },
  {
    ...inForm,
    ...buildIdentityRows({ ...REJECTED, rejectedItem: 'document' }),
    name: 'identity-document-rejected',
    act: ({ choose }) => choose(new File([PDF], 'passeport.pdf')),
    shows: 'Choisir un autre fichier',
  },
  {
    ...inForm,
    ...buildIdentityRows({ ...REJECTED, rejectedItem: 'details' }),
    name: 'identity-details-rejected',
    answers: {
      identityFiles: {
        fetchSubmittedFile: async () => ({
          ...DETAILS,
          fileName: 'passeport.png',
          fileType: 'image/png',
          fileSize: 20_000,
          downloadUrl: '',
        }),
      },
    },
  },
  {
    ...onPage,
    name: 'identity-not-read',
    answers: { identityFiles: { fetchIdentityFiles: failData('fetchFiles') } },
  },
]
