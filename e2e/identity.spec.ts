import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { expectNoDatabase } from './steps/device.ts'
import {
  choose,
  DETAILS,
  expectMark,
  fillDetails,
  handIn,
  identityWords,
  openIdentity,
  png,
  storedOf,
  submit,
  UPLOADS,
} from './steps/identity.ts'
import { expectHome } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { enter, signOut } from './steps/waysIn.ts'
import { words } from './words.ts'

// Chromium itself writes a line for each answer that is an error or does not come; these tests ask for such answers.
test.use({ expectedErrors: [BROKEN_CALLS] })

async function arriveAtIdentity(page: Page, server: Server) {
  const person = somebody()
  const uid = await server.register(person)
  await enter(page, server, person)
  await openIdentity(page)
  return { ...person, uid }
}

const filesOf = (server: Server, uid: string) => server.documents('files', 'userId', uid)
const UPLOADING = 'POST /v0/b/'

test('an identity from the form to the green tick, with each item asked for again by itself @spec-identity', async ({
  page,
  server,
}) => {
  const { uid } = await arriveAtIdentity(page, server)
  const main = page.getByRole('main')

  await submit(page)
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

  await fillDetails(page)
  await page.getByLabel(identityWords.expirationDate).fill('2020-01-31')
  await expect(main.getByText(identityWords.expired).last()).toBeVisible()
  await page.getByLabel(identityWords.expirationDate).fill(DETAILS.expirationDate)

  for (const [file, said] of [
    [UPLOADS.tooLarge, identityWords.tooLarge],
    [UPLOADS.executable, identityWords.wrongType],
    [UPLOADS.pretendedPdf, identityWords.wrongType],
  ] as const) {
    await choose(page, file)
    await expect(main.getByText(said, { exact: true }).last()).toBeVisible()
    await submit(page)
    await expect(page.getByRole('button', { name: said })).toBeVisible()
  }
  expect([await storedOf(server, uid), await filesOf(server, uid)]).toEqual([[], []])

  await choose(page, UPLOADS.pdf)
  await expect(page.getByRole('figure')).toContainText('passeport.pdf')
  await choose(page, UPLOADS.largest)
  await expect(page.getByAltText(identityWords.preview)).toBeVisible()
  await submit(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const [first] = await filesOf(server, uid)
  expect(first).toMatchObject({
    ...DETAILS,
    idType: 'passport',
    fileName: 'passeport.png',
    fileType: 'image/png',
    fileSize: 5 * 1024 * 1024,
    category: 'identity',
    status: 'pending',
  })
  const [stored] = await storedOf(server, uid)
  expect(stored).toMatchObject({ size: 5 * 1024 * 1024 })
  expect(stored?.name).toMatch(new RegExp(`^identity/${uid}/\\d{13}-[0-9a-f-]{36}$`))
  const address = String(first?.downloadUrl)
  expect((await fetch(address)).status).toBe(200)
  await expectMark(page, 'pending')

  // Neither the address, nor what proves who somebody is, is kept on the device.
  const kept = await page.evaluate(async () => {
    const texts: string[] = [JSON.stringify({ ...localStorage, ...sessionStorage })]
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name ?? '')
        opening.onsuccess = () => resolve(opening.result)
      })
      for (const table of database.objectStoreNames) {
        const rows = await new Promise((resolve) => {
          const reading = database.transaction(table).objectStore(table).getAll()
          reading.onsuccess = () => resolve(reading.result)
        })
        texts.push(JSON.stringify(rows))
      }
      database.close()
    }
    return texts.join('\n')
  })
  expect(kept).toContain('passeport.png')
  for (const secret of ['token=', '%2F', DETAILS.idNumber, DETAILS.dateOfBirth])
    expect(kept).not.toContain(secret)

  // The document alone.
  const newest = async () => {
    const files = await filesOf(server, uid)
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
  await expectMark(page, 'rejected')
  await choose(page, UPLOADS.pdf)
  await submit(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const second = (await filesOf(server, uid)).find(({ status }) => status === 'pending')
  expect(second).toMatchObject({ ...DETAILS, fileType: 'application/pdf', fileName: 'passeport.pdf' })

  // The details alone: what was sent is there to be corrected.
  await server.tell(`identity-files/${await newest()}`, {
    decision: 'reject',
    item: 'details',
    reason: 'Le numéro ne correspond pas.',
  })
  await page.reload()
  await expect(main.getByRole('heading', { name: identityWords.correctDetails })).toBeVisible()
  await expect(page.getByLabel(identityWords.idNumber)).toHaveValue(DETAILS.idNumber)
  await expect(page.locator('input[type=file]')).toHaveCount(0)
  await page.getByLabel(identityWords.idNumber).fill('O99999999')
  await submit(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const files = await filesOf(server, uid)
  const third = files.find(({ status }) => status === 'pending')
  expect(third).toMatchObject({ idNumber: 'O99999999', downloadUrl: second?.downloadUrl })
  expect(files).toHaveLength(3)
  expect(await storedOf(server, uid)).toHaveLength(2)

  await page.goto('/sandbox')
  const article = page.getByRole('article').filter({ hasText: 'O99999999' })
  await article.getByRole('button', { name: 'Approve' }).click()
  await expect(article.getByText('approved')).toBeVisible()
  await page.goto('/')
  await expectHome(page)
  await expectMark(page, 'approved')
  await openIdentity(page)
  await expect(main.getByText(identityWords.approved)).toBeVisible()
  await expect(page.getByRole('button', { name: identityWords.submit })).toHaveCount(0)
})

test.describe('a connection', () => {
  test('that is lost at half of the document goes on by itself, or is given up with nothing stored', async ({
    page,
    server,
  }) => {
    const { uid } = await arriveAtIdentity(page, server)
    await fillDetails(page)
    await choose(page, png(1_048_576))
    // The start and the first quarter pass; the connection breaks in the middle of the second piece, at a half.
    await server.addFault({ on: UPLOADING, after: 2, times: 1000, what: { kind: 'cutDuring', share: 0.5 } })
    await submit(page)
    const bar = page.getByRole('progressbar', { name: identityWords.sending })
    await expect(bar).toHaveAttribute('aria-valuenow', /^[2-7]\d$/)
    await expect(page.getByText(identityWords.connectionLost)).toBeVisible()
    await page.getByRole('button', { name: identityWords.cancel }).click()

    await expect(page.getByRole('button', { name: identityWords.submit })).toBeFocused()
    await expect(page.getByLabel(identityWords.fullName)).toHaveValue(DETAILS.fullName)
    await expect(page.getByAltText(identityWords.preview)).toBeVisible()
    expect([await storedOf(server, uid), await filesOf(server, uid)]).toEqual([[], []])

    // The same once more; this time the connection comes back.
    await submit(page)
    await expect(page.getByText(identityWords.connectionLost)).toBeVisible()
    expect([await storedOf(server, uid), await filesOf(server, uid)]).toEqual([[], []])
    await server.renew()
    await expect(page.getByRole('main').getByText(identityWords.pending)).toBeVisible()
    expect(await storedOf(server, uid)).toMatchObject([{ size: 1_048_576 }])
    expect(await filesOf(server, uid)).toHaveLength(1)
  })

  test('whose last answer is lost finds the document there', async ({ page, server }) => {
    const { uid } = await arriveAtIdentity(page, server)
    await fillDetails(page)
    await choose(page, png())
    await server.addFault({ on: UPLOADING, times: 1, what: { kind: 'cutAfter' } })
    await submit(page)
    await expect(page.getByRole('main').getByText(identityWords.pending)).toBeVisible()
    expect(await storedOf(server, uid)).toHaveLength(1)
    expect(await filesOf(server, uid)).toHaveLength(1)
  })
})

test('a refusal says why; what had arrived is recorded on the next try, or taken back @spec-identity-refusals', async ({
  page,
  server,
}) => {
  const { uid } = await arriveAtIdentity(page, server)
  const main = page.getByRole('main')
  await fillDetails(page)
  await choose(page, png())

  await server.addFault({ on: UPLOADING, times: 1, what: { kind: 'status', status: 402 } })
  await submit(page)
  await expect(main.getByText(identityWords.quota)).toBeVisible()
  await expect(main.getByText(identityWords.nothingRecorded)).toBeVisible()
  // With a newer token too, which is tried unseen.
  await server.addFault({ on: UPLOADING, times: 2, what: { kind: 'status', status: 401 } })
  await page.getByRole('button', { name: words.retry }).click()
  await expect(main.getByText(identityWords.signedOut)).toBeVisible()
  await server.addFault({ on: UPLOADING, times: 1, what: { kind: 'status', status: 404 } })
  await page.getByRole('button', { name: words.retry }).click()
  await expect(main.getByText(identityWords.notSent)).toBeVisible()
  expect(await storedOf(server, uid)).toEqual([])

  // The document arrives; the record does not.
  const refuseRecords = () =>
    page.route('**/documents:commit**', (route) =>
      route.request().postData()?.includes('downloadUrl')
        ? route.fulfill({ status: 500, json: { error: { code: 500, message: '', status: 'INTERNAL' } } })
        : route.fallback(),
    )
  await refuseRecords()
  await page.getByRole('button', { name: words.retry }).click()
  await expect(main.getByText(identityWords.documentArrived)).toBeVisible()
  expect([await storedOf(server, uid), await filesOf(server, uid)]).toMatchObject([[{}], []])
  await page.getByRole('button', { name: identityWords.edit }).click()
  await expect(page.getByLabel(identityWords.idNumber)).toHaveValue(DETAILS.idNumber)
  await expect.poll(() => storedOf(server, uid), { message: 'what had arrived' }).toEqual([])

  // A page that is closed at that moment leaves the document; the next submission takes it away.
  await submit(page)
  await expect(main.getByText(identityWords.documentArrived)).toBeVisible()
  const [left] = await storedOf(server, uid)
  await page.unrouteAll()
  await page.reload()
  await fillDetails(page)
  await choose(page, UPLOADS.pdf)
  await submit(page)
  await expect(main.getByText(identityWords.pending)).toBeVisible()
  const stored = await storedOf(server, uid)
  expect(stored).toHaveLength(1)
  expect(stored[0]?.name).not.toBe(left?.name)
})

test('a person has ten submissions a day; the status is there offline, and gone with the person @spec-identity-limit', async ({
  page,
  server,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  await handIn(server, uid, {
    status: 'rejected',
    rejectedItem: 'document',
    rejectionReason: 'Flou\u202e au coin',
  })
  await server.write(`submissions/${uid}`, {
    name: '1763640000000-00000000-0000-0000-0000-000000000000',
    count: 10,
    since: new Date(),
  })
  await enter(page, server, person)
  await page.route('**/documents:runQuery**', (route) => route.fulfill({ status: 500, json: {} }))
  await openIdentity(page)
  await expect(page.getByText(identityWords.filesFailed)).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: words.retry }).click()
  await expect(page.getByText('Flou au coin')).toBeVisible()
  await choose(page, png())
  await submit(page)
  await expect(page.getByText(identityWords.tooMany)).toBeVisible()
  expect(await storedOf(server, uid)).toEqual([])

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
