import { rm, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { buildReserveAnswer } from '../machines/testing/transferSituations.ts'
import { buildIdentityRows } from '../scenes/identity.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { expectNoDatabase, readStoredData } from './steps/device.ts'
import {
  buildPng,
  chooseDocument,
  expectIdentityStatus,
  fillIdentityDetails,
  IDENTITY_DETAILS,
  identityWords,
  listStoredFiles,
  openIdentity,
  submitIdentityForm,
  TEST_DOCUMENTS,
  writeIdentityFile,
} from './steps/identity.ts'
import { NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { expectHome } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { openSignedInHome, registerAndOpenHome, signOut } from './steps/signIn.ts'
import { confirmForm, openCardForm } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

async function arriveAtIdentity(page: Page, server: Server) {
  const person = await registerAndOpenHome(page, server)
  await openIdentity(page)
  return person
}

const readIdentityFiles = (server: Server, uid: string) => server.documents('files', 'userId', uid)
const UPLOADING = 'POST /v0/b/'

test('an identity is approved once rejected items are corrected @spec-identity @desk', async ({
  page,
  server,
}) => {
  const { uid } = await arriveAtIdentity(page, server)
  const main = page.getByRole('main')

  await fillIdentityDetails(page)
  await chooseDocument(page, TEST_DOCUMENTS.largest)
  await expect(page.getByAltText(identityWords.preview)).toBeVisible()
  await submitIdentityForm(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const [first] = await readIdentityFiles(server, uid)
  expect(first).toMatchObject({
    ...IDENTITY_DETAILS,
    idType: 'passport',
    fileName: 'passeport.png',
    fileType: 'image/png',
    fileSize: 5 * 1024 * 1024,
    category: 'identity',
    status: 'pending',
  })
  const [stored] = await listStoredFiles(server, uid)
  expect(stored).toMatchObject({ size: 5 * 1024 * 1024 })
  expect(stored?.name).toMatch(new RegExp(`^identity/${uid}/\\d{13}-[0-9a-f-]{36}$`))
  const address = String(first?.downloadUrl)
  expect((await fetch(address)).status).toBe(200)
  await expectIdentityStatus(page, 'pending')

  const kept = await readStoredData(page)
  expect(kept).toContain('passeport.png')
  for (const secret of ['token=', '%2F', IDENTITY_DETAILS.idNumber, IDENTITY_DETAILS.dateOfBirth])
    expect(kept).not.toContain(secret)

  const newest = async () => {
    const files = await readIdentityFiles(server, uid)
    const { downloadUrl } = files.find(({ status }) => status === 'pending') ?? {}
    return /%2F(\d{13}-[0-9a-f-]{36})\?/.exec(String(downloadUrl))?.[1] ?? ''
  }
  const firstId = await newest()
  await server.tell(`identity-files/${firstId}`, {
    decision: 'reject',
    item: 'document',
    reason: 'La photo est floue.',
  })
  await page.reload()
  await expect(main.getByText(identityWords.rejected)).toBeVisible()
  await expect(main.getByText('La photo est floue.')).toBeVisible()
  await expect(main.getByRole('heading', { name: identityWords.newDocument })).toBeVisible()
  await expect(page.getByLabel(identityWords.fullName)).toHaveCount(0)
  await expectIdentityStatus(page, 'rejected')
  await chooseDocument(page, TEST_DOCUMENTS.pdf)
  await submitIdentityForm(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const second = (await readIdentityFiles(server, uid)).find(({ status }) => status === 'pending')
  expect(second).toMatchObject({
    ...IDENTITY_DETAILS,
    fileType: 'application/pdf',
    fileName: 'passeport.pdf',
  })

  await server.tell(`identity-files/${await newest()}`, {
    decision: 'reject',
    item: 'details',
    reason: 'Le numéro ne correspond pas.',
  })
  await page.reload()
  await expect(main.getByRole('heading', { name: identityWords.correctDetails })).toBeVisible()
  await expect(page.getByLabel(identityWords.idNumber)).toHaveValue(IDENTITY_DETAILS.idNumber)
  await expect(page.locator('input[type=file]')).toHaveCount(0)
  await page.getByLabel(identityWords.idNumber).fill('O99999999')
  await submitIdentityForm(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const files = await readIdentityFiles(server, uid)
  const third = files.find(({ status }) => status === 'pending')
  expect(third).toMatchObject({ idNumber: 'O99999999', downloadUrl: second?.downloadUrl })
  expect(files).toHaveLength(3)
  expect(await listStoredFiles(server, uid)).toHaveLength(2)

  await page.goto('/sandbox')
  const article = page.getByRole('article').filter({ hasText: 'O99999999' })
  await article.getByRole('button', { name: 'Approve' }).click()
  await expect(article.getByText('approved')).toBeVisible()
  await page.goto('/')
  await expectHome(page)
  await expectIdentityStatus(page, 'approved')
  await openIdentity(page)
  await expect(main.getByText(identityWords.approved)).toBeVisible()
  await expect(page.getByRole('button', { name: identityWords.submit })).toHaveCount(0)
})

sceneTest('the identity form names what is missing or wrong @spec-identity @desk', async ({ page }) => {
  await openScene(page, 'identity')
  const main = page.getByRole('main')
  await submitIdentityForm(page)
  for (const said of [
    identityWords.nameWanted,
    identityWords.typeWanted,
    identityWords.numberWanted,
    identityWords.issuerWanted,
    identityWords.expirationWanted,
    identityWords.birthWanted,
    identityWords.noDocument,
  ])
    await expect(main.getByText(said, { exact: true }).last()).toBeVisible()
  await expect(page.getByLabel(identityWords.fullName)).toBeFocused()
  await page.getByRole('button', { name: identityWords.noDocument }).click()
  await expect(page.locator('[name=document]')).toBeFocused()
  await page.getByLabel(identityWords.expirationDate).fill('2020-01-31')
  await expect(main.getByText(identityWords.expired).last()).toBeVisible()

  for (const [file, said] of [
    [TEST_DOCUMENTS.tooLarge, identityWords.tooLarge],
    [TEST_DOCUMENTS.executable, identityWords.wrongType],
    [TEST_DOCUMENTS.pretendedPdf, identityWords.wrongType],
  ] as const) {
    await chooseDocument(page, file)
    await expect(main.getByText(said, { exact: true }).last()).toBeVisible()
    await submitIdentityForm(page)
    await expect(page.getByRole('button', { name: said })).toBeVisible()
  }
})

sceneTest('a picture over the size limit is reduced where possible @desk', async ({ page }) => {
  await openScene(page, 'identity')
  const preview = page.getByAltText(identityWords.preview)
  const document = page.getByRole('figure')
  await chooseDocument(page, TEST_DOCUMENTS.largePicture)
  await expect(preview).toHaveJSProperty('naturalWidth', 2048)
  await expect(document).toContainText('passeport.jpg')
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.getImageData = (_x, _y, width, height) => new ImageData(width, height)
  })
  await chooseDocument(page, TEST_DOCUMENTS.largePicture)
  await expect(page.getByText(identityWords.canvasUnreadable)).toBeVisible()
  await chooseDocument(page, TEST_DOCUMENTS.largest)
  await expect(preview).toBeVisible()

  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer
    Blob.prototype.arrayBuffer = () => {
      Blob.prototype.arrayBuffer = read
      return Promise.reject(new DOMException('', 'NotReadableError'))
    }
  })
  await chooseDocument(page, TEST_DOCUMENTS.pdf)
  await expect(page.getByRole('main').getByText(identityWords.unreadable).last()).toBeVisible()
  await chooseDocument(page, TEST_DOCUMENTS.pdf)
  await expect(document).toContainText('passeport.pdf')
})

test('an upload resumes without its file, or stores nothing if canceled @desk', async ({
  page,
  server,
}, testInfo) => {
  const { uid } = await arriveAtIdentity(page, server)
  const readStored = async () => [await listStoredFiles(server, uid), await readIdentityFiles(server, uid)]
  await fillIdentityDetails(page)
  const path = testInfo.outputPath('passeport.png')
  await writeFile(path, buildPng(1_048_576).buffer)
  await page.locator('input[type=file]').setInputFiles(path)
  const preview = page.getByAltText(identityWords.preview)
  await expect(preview).toBeVisible()
  await rm(path)
  // The start and the first quarter succeed; the connection breaks halfway through the second chunk.
  await server.addFault({ on: UPLOADING, after: 2, times: 1000, what: { kind: 'cutDuring', share: 0.5 } })
  await submitIdentityForm(page)
  const bar = page.getByRole('progressbar', { name: identityWords.sending })
  await expect(bar).toHaveAttribute('aria-valuenow', /^[2-7]\d$/)
  await expect(page.getByText(identityWords.connectionLost)).toBeVisible()
  await page.getByRole('button', { name: identityWords.cancel }).click()

  await expect(page.getByRole('button', { name: identityWords.submit })).toBeFocused()
  await expect(page.getByLabel(identityWords.fullName)).toHaveValue(IDENTITY_DETAILS.fullName)
  await expect(preview).toBeVisible()
  expect(await readStored()).toEqual([[], []])

  await submitIdentityForm(page)
  await expect(page.getByText(identityWords.connectionLost)).toBeVisible()
  expect(await readStored()).toEqual([[], []])
  await server.resetSandbox()
  await expect(page.getByRole('main').getByText(identityWords.pending)).toBeVisible()
  expect(await readStored()).toMatchObject([[{ size: 1_048_576 }], [{}]])
})

test('a refused upload says why, leaving no document @spec-identity-refusals @desk', async ({
  page,
  server,
}) => {
  const { uid } = await arriveAtIdentity(page, server)
  const main = page.getByRole('main')
  await fillIdentityDetails(page)
  await chooseDocument(page, buildPng())
  await server.addFault({ on: UPLOADING, times: 1, what: { kind: 'status', status: 402 } })
  await submitIdentityForm(page)
  await expect(main.getByText(identityWords.quota)).toBeVisible()
  await expect(main.getByText(identityWords.nothingRecorded)).toBeVisible()
  expect(await listStoredFiles(server, uid)).toEqual([])

  await page.route('**/documents:commit**', (route) =>
    route.request().postData()?.includes('downloadUrl')
      ? route.fulfill({ status: 500, json: { error: { code: 500, message: '', status: 'INTERNAL' } } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: words.retry }).click()
  await expect(main.getByText(identityWords.documentArrived)).toBeVisible()
  expect([await listStoredFiles(server, uid), await readIdentityFiles(server, uid)]).toMatchObject([[{}], []])
  await page.getByRole('button', { name: identityWords.edit }).click()
  await expect(page.getByLabel(identityWords.idNumber)).toHaveValue(IDENTITY_DETAILS.idNumber)
  await expect.poll(() => listStoredFiles(server, uid), { message: 'what had arrived' }).toEqual([])

  await submitIdentityForm(page)
  await expect(main.getByText(identityWords.documentArrived)).toBeVisible()
  const [left] = await listStoredFiles(server, uid)
  await page.unrouteAll()
  await page.reload()
  await fillIdentityDetails(page)
  await chooseDocument(page, TEST_DOCUMENTS.pdf)
  // A document whose response is lost is stored once.
  await server.addFault({ on: UPLOADING, times: 1, what: { kind: 'cutAfter' } })
  await submitIdentityForm(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const stored = await listStoredFiles(server, uid)
  expect(stored).toHaveLength(1)
  expect(stored[0]?.name).not.toBe(left?.name)
})

sceneTest('a document is sent only once it has been read', async ({ page }) => {
  await openScene(page, 'identity-document-rejected')
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { arrayBuffer } = Blob.prototype
    Blob.prototype.arrayBuffer = async function () {
      await promise
      return arrayBuffer.call(this)
    }
    addEventListener('read', () => resolve(), { once: true })
  })
  const send = page.getByRole('button', { name: identityWords.submit })
  await expect(send).toBeEnabled()
  await chooseDocument(page, buildPng())
  await expect(send).toBeDisabled()
  await page.evaluate(() => dispatchEvent(new Event('read')))
  await expect(send).toBeEnabled()
  await expect(page.getByAltText(identityWords.preview)).toBeVisible()
})

sceneTest('details whose record gets no response may be recorded', async ({ page }) => {
  await openScene(page, 'identity-details-rejected', {
    responses: {
      'identityFiles.fetchLastSubmission': { value: null },
      'identityFiles.openSubmission': { value: '1763640000000-scene' },
      'identityFiles.recordFile': NO_NETWORK,
    },
  })
  await submitIdentityForm(page)
  const said = 'Nous ne savons pas encore si votre dossier est enregistré. Réessayez, c’est sans risque.'
  await expect(page.getByText(getText(said))).toBeVisible()
})

sceneTest('a refused upload asks to sign in or to retry @spec-identity-refusals @desk', async ({ page }) => {
  await openScene(page, 'identity-failed')
  for (const [code, said] of [
    ['unauthenticated', identityWords.signedOut],
    ['other', identityWords.notSent],
  ] as const) {
    await setResponse(page, 'files.uploadDocument', { failure: { kind: 'storage', code } })
    await page.getByRole('button', { name: words.retry }).click()
    await expect(page.getByRole('main').getByText(said)).toBeVisible()
  }
})

sceneTest('a transfer survives the way to the required identity', async ({ page }) => {
  const RESERVE = 'functions.create-payment-intent'
  const refusal = refuse('identityRequired', { limitCents: 25_000, document: 'none' })
  await openScene(page, 'home-filled', { responses: { [RESERVE]: refusal } })
  const [amount, phone] = [page.getByLabel(words.amount), page.getByLabel(words.phone)]
  const typed = [await amount.inputValue(), await phone.inputValue()]
  await confirmForm(page)
  await page.getByRole('button', { name: identityWords.verify }).click()
  await expect(page.getByRole('heading', { level: 1, name: words.identity })).toBeVisible()
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
  expect([await amount.inputValue(), await phone.inputValue()]).toEqual(typed)
  // A reviewer has approved the document meanwhile.
  await expect(page.getByRole('button', { name: identityWords.verify })).toBeHidden()
  await setResponse(page, RESERVE, { value: buildReserveAnswer().value })
  await openCardForm(page)
})

sceneTest('the profile shows the state of the identity check in words', async ({ page }) => {
  await openScene(page, 'profile')
  // Words for screen readers only are one pixel wide.
  const words = await page.getByText(identityWords.toDo).boundingBox()
  expect(words?.width).toBeGreaterThan(10)
})

sceneTest('a transfer without a name in the profile leads to the profile', async ({ page }) => {
  await openScene(page, 'profile-without-name')
  await page.getByRole('button', { name: identityWords.openProfile }).click()
  await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeVisible()
})

sceneTest('a document that expires soon or has expired can be replaced', async ({ page }) => {
  for (const [expirationDate, text] of [
    ['2026-11-30', identityWords.documentExpires],
    ['2026-11-19', identityWords.documentExpired],
  ] as const) {
    await openScene(page, 'identity-expired', buildIdentityRows({ status: 'approved', expirationDate }))
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
    await expect(page.getByLabel(identityWords.fullName)).toBeVisible()
  }
})

sceneTest('documents that failed to load can be loaded by a retry @desk', async ({ page }) => {
  await openScene(page, 'identity-not-read')
  await expect(page.getByText(identityWords.filesFailed)).toBeVisible()
  const files = buildIdentityRows({ status: 'approved' }).rows?.identity?.[0]?.files ?? []
  await setResponse(page, 'identityFiles.fetchIdentityFiles', { value: files })
  await page.getByRole('button', { name: words.retry }).click()
  await expect(page.getByText(identityWords.approved)).toBeVisible()
})

test('an eleventh submission is refused, and the status works offline @spec-identity-limit @desk', async ({
  page,
  server,
}) => {
  const person = createPerson()
  const uid = await server.register(person)
  await writeIdentityFile(server, uid, {
    status: 'rejected',
    rejectedItem: 'document',
    rejectionReason: 'Flou\u202e au coin',
  })
  await server.write(`submissions/${uid}`, {
    name: '1763640000000-00000000-0000-0000-0000-000000000000',
    count: 10,
    since: new Date(),
  })
  await openSignedInHome(page, server, person)
  await openIdentity(page)
  await expect(page.getByText('Flou au coin')).toBeVisible()
  await chooseDocument(page, buildPng())
  await submitIdentityForm(page)
  await expect(page.getByText(identityWords.tooMany)).toBeVisible()
  expect(await listStoredFiles(server, uid)).toEqual([])

  await page.context().setOffline(true)
  await page.getByRole('button', { name: words.back }).click()
  await openIdentity(page)
  await expect(page.getByText('Flou au coin')).toBeVisible()
  await expect(page.getByRole('heading', { name: identityWords.newDocument })).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: words.back }).click()
  await signOut(page)
  await expectNoDatabase(page, uid)
})
